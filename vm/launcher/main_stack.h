// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The native stack of the main thread.
//
// Compiled code pushes a record to it for every call (vm/code/compiled_code.h), so its size must match that of the Java
// stack (runtime/threads/stacks.h). The process's own stack has the size of `ulimit -s`, whatever -Xss says.
#pragma once

#include <functional>

namespace keyhole {

// Runs `program`, which does not return: on the calling thread when its stack is large enough, else on a new thread.
[[noreturn]] void run_on_main_stack(const std::function<void()>& program);

}  // namespace keyhole
