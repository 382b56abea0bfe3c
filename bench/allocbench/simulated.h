// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs the protocol of gc/heap/shared_allocator.h on the simulated machine. It shows the cost of the heap lock with 96
// CPUs.
#pragma once

#include "bench/allocbench/load.h"

namespace keyhole::allocbench {

struct SimulatedParameters {
  bool cas = true;
  u32 cpus = 96, threads = 96, regions = 13;
  u64 seed = 1;
  f64 seconds = 0.02;            // of virtual time
  u64 piece_bytes = 32_KiB;      // size of TLABs in bytes; without TLABs, of objects
  i64 work_nanoseconds = 8'000;  // average nanoseconds of work between two allocations
  u32 pieces_per_request = 4;
  u64 region_bytes = 2_MiB;
};

struct SimulatedOutcome {
  u64 pieces = 0, cas_failures = 0, slow_rounds = 0, early_refills = 0;
  std::vector<Event> events;
};

SimulatedOutcome simulate(const SimulatedParameters& parameters);

}  // namespace keyhole::allocbench
