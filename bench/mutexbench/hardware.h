// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// MutexBench on this machine: real JavaThreads, the algorithms as the VM runs them.
#pragma once

#include <string_view>
#include <vector>

#include "bench/mutexbench/workload.h"

namespace keyhole::mutexbench {

// Rows of runtime/sync/algorithms.def, then baselines.
std::vector<std::string_view> hardware_names();
// One run. Calls fail() in the outcome's violation when the algorithm cannot run so.
Outcome run_on_hardware(std::string_view name, const Parameters& parameters);

}  // namespace keyhole::mutexbench
