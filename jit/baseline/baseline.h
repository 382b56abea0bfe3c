// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The baseline tier, seen from outside.
#pragma once

#include <string>

#include "vm/metadata/method.h"

namespace keyhole::baseline {

// With -XX:TieredStopAtLevel above 0: the code cache, and the compiler registers itself with the interpreter. Before
// interpreter::initialize(). Empty, or why not.
[[nodiscard]] std::string initialize();
// For the handler of SIGSEGV: true when an implicit null check of compiled code has failed; `instruction` is then where
// to continue.
bool resume_after_fault(uptr accessed, uptr* instruction);
// At the end of the VM: the perf map.
void shutdown();

}  // namespace keyhole::baseline
