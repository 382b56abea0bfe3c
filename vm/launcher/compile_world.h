// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// -XX:+CompileTheWorld: instead of running a program, compiles every method of java.base and says how fast that was.
#pragma once

#include "runtime/threads/java_thread.h"

namespace keyhole {

// The exit code: 0 when every method has been compiled that has no subroutines (jsr), which the compiler leaves to the
// interpreter.
int compile_the_world(JavaThread* thread);

}  // namespace keyhole
