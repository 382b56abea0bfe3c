// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// -XX:+CompileTheWorld: instead of running a program, compiles every method of java.base and prints the speed.
#pragma once

#include "runtime/threads/java_thread.h"

namespace keyhole {

// Returns the exit code: 0 when every method was compiled. Methods with subroutines (jsr) do not count, because only
// the interpreter runs them.
int compile_the_world(JavaThread* thread) MAY_SAFEPOINT;

}  // namespace keyhole
