// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// How large the heap is, and when it is time to collect. All in regions.
//
//   0        live      used                trigger         capacity                          maximum
//   |---------|---------|---------------------|----------------|---------------------------------|
//             after the                 mutators may     what totalMemory()
//             last collection           fill up to here  reports
//
// The trigger leaves a budget of max(64 MiB, 2 * live) for allocation, so that the cost of copying what lives is paid for by at
// least as much allocation. While less than a third of the maximum lives, the trigger also keeps a copy reserve of 5/4 live, which
// makes each collection a copying one; above that a reserve would cost more room than it is worth, mutators may fill
// everything, and the collection that follows slides in place.
// The generational plan sets the budget itself (young_size.h): it is the size of eden.
//
// After a collection that knows what lives (a full one, or a marking) the heap shrinks: no more than MaxHeapFreeRatio percent of the capacity
// may be free, unless that were less than -Xms; what is above goes back to the kernel. It grows again with the next budgets. The capacity
// is at least what leaves MinHeapFreeRatio percent free.
#pragma once

#include <string>

#include "runtime/base/types.h"

namespace keyhole::gc {

class Sizing {
 public:
  // From the flags and the machine. Empty, or java's error text.
  std::string initialize();

  u64 region_bytes() const { return region_bytes_; }
  u32 maximum_regions() const { return maximum_regions_; }
  u32 initial_regions() const { return initial_regions_; }
  u32 capacity_regions() const { return capacity_regions_; }
  u32 trigger_regions() const { return trigger_regions_; }
  u32 live_regions() const { return live_regions_; }
  // Free regions whose memory is worth keeping: they will be used before the next collection ends.
  u32 needed_soon(u32 used) const;

  // The budget from the next collection's end on, instead of the one above; 0 = the one above. `copies`: what that collection is likely to
  // need for its copies.
  void set_eden(u32 regions, u32 copies) {
    eden_regions_ = regions;
    copy_regions_ = copies;
  }
  // Recomputes trigger and capacity; `used` regions are what survived. `may_shrink`: it is known that all of that lives.
  void after_collection(u32 used, bool may_shrink);
  // The collection did not make room below the trigger, but there are regions above it: `wanted` more than are in use.
  void extend_trigger(u32 used, u32 wanted);
  // Is a copying collection likely to find room for its copies?
  bool copy_reserve_suffices(u32 ordinary_used, u32 free) const;

 private:
  void set_trigger(u64 regions);

  static constexpr u64 least_budget_bytes = 64_MiB;
  static constexpr u64 default_heap_alignment = 8;

  u64 region_bytes_ = 0;
  u32 maximum_regions_ = 0;
  u32 initial_regions_ = 0;
  u32 capacity_regions_ = 0;
  u32 trigger_regions_ = 0;
  u32 live_regions_ = 0;
  u32 eden_regions_ = 0;
  u32 copy_regions_ = 0;
  bool collected_ = false;
};

}  // namespace keyhole::gc
