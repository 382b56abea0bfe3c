// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// MutexBench on this machine: real JavaThreads, the algorithms as the VM runs them.
#pragma once

#include <string_view>
#include <vector>

#include "bench/mutexbench/workload.h"

namespace keyhole::mutexbench {

// The names in runtime/sync/algorithms.def, then the baselines.
std::vector<std::string_view> hardware_names();
// Executes one run. If the algorithm cannot run with these parameters, the outcome's violation says so.
Outcome run_on_hardware(std::string_view name, const Parameters& parameters);

}  // namespace keyhole::mutexbench
