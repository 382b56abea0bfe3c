// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The native stack of the main thread.
//
// Compiled code leaves a record on it for every call (vm/code/compiled_code.h), so it must be as large as the
// Java stack requires (runtime/threads/stacks.h). The process's own stack is as large as `ulimit -s`, independent of
// -Xss.
#pragma once

#include <functional>

namespace keyhole {

// Runs `program`, which does not return, on the calling thread when its stack is large enough, else on a thread made
// for it.
[[noreturn]] void run_on_main_stack(const std::function<void()>& program);

}  // namespace keyhole
