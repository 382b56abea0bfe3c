// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Baseline tier: its interface for the launcher.
#pragma once

#include <string>

#include "vm/metadata/method.h"

namespace keyhole::baseline {

// Makes the code cache, and registers the compiler with the interpreter, if -XX:TieredStopAtLevel is above 0. Call it
// before interpreter::initialize(). Returns an error message, or an empty string.
[[nodiscard]] std::string initialize();
// For the handler of SIGSEGV: returns true if an implicit null check of compiled code has failed. Then sets
// `instruction` to the address at which to continue.
bool resume_after_fault(uptr accessed, uptr* instruction);
// Writes the perf map. Called when the VM ends.
void shutdown();

}  // namespace keyhole::baseline
