// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs a task as an OpenMP parallel region, in which the caller is one of the workers. This file is compiled with
// -fopenmp if an OpenMP runtime is installed.
#include <cstdlib>

#include "bench/gangbench/hardware.h"

namespace keyhole::gangbench {

void prepare_openmp(std::string_view name) {
  setenv("OMP_WAIT_POLICY", name == openmp_passive ? "passive" : "active", 1);
  setenv("OMP_DYNAMIC", "false", 1);
}

#ifdef _OPENMP
bool has_openmp() { return true; }
void run_openmp_region(u32 workers, void (*call)(void* context, u32 number), void* context) {
#pragma omp parallel for num_threads(workers) schedule(static, 1)
  for (u32 number = 0; number < workers; ++number) call(context, number);
}
#else
bool has_openmp() { return false; }
void run_openmp_region(u32, void (*)(void*, u32), void*) {}
#endif

}  // namespace keyhole::gangbench
