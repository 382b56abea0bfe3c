// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// MutexBench on this machine: uses real JavaThreads, and the same code of the algorithms as the VM.
#pragma once

#include <string_view>
#include <vector>

#include "bench/mutexbench/workload.h"

namespace keyhole::mutexbench {

// Returns the names of all locks: those of runtime/sync/algorithms.def, then the baselines.
std::vector<std::string_view> hardware_names();
// Executes one run. If the algorithm cannot run with these parameters, the outcome's `violation` says so.
Outcome run_on_hardware(std::string_view name, const Parameters& parameters);

}  // namespace keyhole::mutexbench
