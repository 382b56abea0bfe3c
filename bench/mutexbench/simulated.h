// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// MutexBench on the simulated machine: the same workload, simulated threads on simulated CPUs, time by the cost model.
#pragma once

#include <string_view>
#include <vector>

#include "bench/mutexbench/workload.h"

namespace keyhole::mutexbench {

std::vector<std::string_view> simulated_names();
Outcome run_simulated(std::string_view name, const Parameters& parameters);

}  // namespace keyhole::mutexbench
