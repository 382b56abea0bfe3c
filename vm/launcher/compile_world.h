// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// -XX:+CompileTheWorld: instead of running a program, compiles every method of java.base and prints the speed.
#pragma once

#include "runtime/threads/java_thread.h"

namespace keyhole {

// The exit code: 0 when every method has been compiled, except those with subroutines (jsr), which only the interpreter
// runs.
int compile_the_world(JavaThread* thread) MAY_SAFEPOINT;

}  // namespace keyhole
