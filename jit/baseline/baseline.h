// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Baseline tier: the functions that the launcher calls.
#pragma once

#include <string>

#include "vm/metadata/method.h"

namespace keyhole::baseline {

// If -XX:TieredStopAtLevel is above 0, makes the code cache and registers the compiler with the interpreter. Called
// before interpreter::initialize(). Returns an error message, or an empty string on success.
[[nodiscard]] std::string initialize();
// Called by the handler of SIGSEGV. If an implicit null check of compiled code has failed, sets `instruction` to the
// address at which the thread continues, and returns true.
bool resume_after_fault(uptr accessed, uptr* instruction);
// Writes the perf map. Called when the VM ends.
void shutdown();

}  // namespace keyhole::baseline
