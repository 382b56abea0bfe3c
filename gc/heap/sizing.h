// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The size of the heap, and the trigger of the next collection, in regions.
//
//   0        live      used                trigger         capacity                          maximum
//   |---------|---------|---------------------|----------------|---------------------------------|
//             after the                 mutators may     what totalMemory()
//             last collection           fill up to here  reports
//
// The trigger leaves a budget for allocation, eden; the plan decides how much (plan.h).
//
// After a collection that knows liveness (a full one, or a marking) the heap shrinks: at most MaxHeapFreeRatio percent
// of the capacity may be free, unless that were less than -Xms; the rest goes back to the kernel. It grows again with
// the next budgets. After such a collection at least MinHeapFreeRatio percent of the capacity are free.
#pragma once

#include <string>

#include "runtime/base/types.h"

namespace keyhole::gc {

// The regions that a plan grants to mutators.
struct AllocationBudget {
  u32 eden;    // regions for mutators, until the next collection
  u32 copies;  // regions that this collection probably needs for copies
};

class Sizing {
 public:
  // Reads the flags and the machine's memory. Returns the empty string, or java's error text.
  std::string initialize();

  u64 region_bytes() const { return region_bytes_; }
  u32 maximum_regions() const { return maximum_regions_; }
  u32 initial_regions() const { return initial_regions_; }
  u32 capacity_regions() const { return capacity_regions_; }
  u32 trigger_regions() const { return trigger_regions_; }
  u32 live_regions() const { return live_regions_; }
  // Free regions whose memory is worth keeping: they will be used before the next collection ends.
  u32 needed_soon(u32 used) const;

  // Recomputes trigger and capacity; `used` regions survived. `may_shrink`: all of them are known to be live.
  void after_collection(u32 used, bool may_shrink, AllocationBudget budget);
  // Moves the trigger up when a collection made no room below it, but there are regions above: `wanted` more than are
  // in use.
  void extend_trigger(u32 used, u32 wanted);

 private:
  void set_trigger(u64 regions);

  static constexpr u64 default_heap_alignment = 8;

  u64 region_bytes_ = 0;
  u32 maximum_regions_ = 0;
  u32 initial_regions_ = 0;
  u32 capacity_regions_ = 0;
  u32 trigger_regions_ = 0;
  u32 live_regions_ = 0;
  u32 copy_regions_ = 0;
};

}  // namespace keyhole::gc
