// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Baseline tier: its interface for the launcher.
#pragma once

#include <string>

#include "vm/metadata/method.h"

namespace keyhole::baseline {

// With -XX:TieredStopAtLevel above 0: makes the code cache, and registers the compiler with the interpreter. Call it
// before interpreter::initialize(). Returns an error message, or an empty string.
[[nodiscard]] std::string initialize();
// For the handler of SIGSEGV: true if an implicit null check of compiled code has failed. Then `instruction` is set to
// the address at which to continue.
bool resume_after_fault(uptr accessed, uptr* instruction);
// At the end of the VM: writes the perf map.
void shutdown();

}  // namespace keyhole::baseline
