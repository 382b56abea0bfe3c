// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Measures once, within some ten microseconds, how many reads take half as long as parking.
#include "runtime/sync/algorithms/spin_reads.h"

#include <algorithm>

#include "runtime/base/flags.h"
#include "runtime/base/platform/hardware_world.h"

namespace keyhole::sync {

static u32 measure() {
  std::atomic<u32> cell{0};
  constexpr u32 reads = 100;
  i64 best = spin_nanoseconds;
  // Takes the minimum of three measurements, because interruptions only make a measurement longer.
  for (int round = 0; round < 3; ++round) {
    i64 begin = hardware::now_nanoseconds();
    HardwareWorld::spin_until(cell, [](u32 seen) { return seen != 0; }, reads);
    best = std::min(best, hardware::now_nanoseconds() - begin);
  }
  return static_cast<u32>(spin_nanoseconds * reads / std::max<i64>(best, 1));
}

u32 spin_reads() {
  if (hardware::processors() < 2) return 0;
  if (flags::SpinPauses >= 0) return static_cast<u32>(flags::SpinPauses);
  static const u32 calibrated = measure();
  return calibrated;
}

}  // namespace keyhole::sync
