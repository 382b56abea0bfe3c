// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// MutexBench on the simulated machine: the same workload, with simulated threads on simulated CPUs. Times come from the
// cost model.
#pragma once

#include <string_view>
#include <vector>

#include "bench/mutexbench/workload.h"

namespace keyhole::mutexbench {

std::vector<std::string_view> simulated_names();
// Adds a loaded lock to the list of algorithms.
struct LoadedLock;
void simulate_loaded(const LoadedLock& lock);
Outcome run_simulated(std::string_view name, const Parameters& parameters);

}  // namespace keyhole::mutexbench
