// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// gangbench on this machine: the VM's WorkerGang with each of its dispatchers, and other ways to start and await a
// group of threads.
#pragma once

#include <string_view>
#include <vector>

#include "bench/gangbench/workload.h"

namespace keyhole::gangbench {

// semaphore, monitor, broadcast; std-barrier; openmp-passive, openmp-active where the compiler has OpenMP.
std::vector<std::string_view> hardware_names();
// In a process of its own: an OpenMP runtime reads its environment once, and counts of context switches are a
// process's.
Outcome run_on_hardware(std::string_view name, const Parameters& parameters);

// openmp.cpp
inline constexpr std::string_view openmp_passive = "openmp-passive", openmp_active = "openmp-active";
bool has_openmp();
// Sets the environment of the OpenMP runtime, which has not been called in this process yet.
void prepare_openmp(std::string_view name);
void run_openmp_region(u32 workers, void (*call)(void* context, u32 number), void* context);

}  // namespace keyhole::gangbench
