// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// gangbench on this machine. It measures the VM's WorkerGang with each of its dispatchers, and other ways to start and
// await a group of threads.
#pragma once

#include <string_view>
#include <vector>

#include "bench/gangbench/workload.h"

namespace keyhole::gangbench {

// Returns the names of the gangs: semaphore, monitor, broadcast, std-barrier; also openmp-passive and openmp-active if
// the compiler has OpenMP.
std::vector<std::string_view> hardware_names();
// Executes a run in a child process, because an OpenMP runtime reads its environment only once, and because the kernel
// counts context switches per process.
Outcome run_on_hardware(std::string_view name, const Parameters& parameters);

// openmp.cpp
inline constexpr std::string_view openmp_passive = "openmp-passive", openmp_active = "openmp-active";
bool has_openmp();
// Sets the environment of the OpenMP runtime. No function of that runtime may have been called in this process before.
void prepare_openmp(std::string_view name);
void run_openmp_region(u32 workers, void (*call)(void* context, u32 number), void* context);

}  // namespace keyhole::gangbench
