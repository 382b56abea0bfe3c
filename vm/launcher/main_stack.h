// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The machine's stack that the main thread runs on.
//
// Compiled code leaves a record on it for every call (vm/interpreter/compiled_code.h), so it has to be as large as the
// Java stack asks for (runtime/threads/stacks.h). The one that the kernel gives a process is as large as `ulimit -s`
// says, whatever -Xss says.
#pragma once

#include <functional>

namespace keyhole {

// Runs `program`, which does not return, on the calling thread when its stack is large enough, else on a thread made
// for it.
[[noreturn]] void run_on_main_stack(const std::function<void()>& program);

}  // namespace keyhole
