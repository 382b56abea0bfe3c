// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The size of eden until the next collection of the generational plan, in regions: the young generation takes the
// regions that the old generation does not need.
//
//   0      used                                                 goal                                         maximum
//   |--old--|-surv-|-------------- eden -------------|-- copies --|                                              |
//                  as large as the goal allows, with the copies of survivors
//
//   wanted     the goal for eden (heap_goal.h)
//              at most what it leaves room for beside old objects and copies, up to 60% of it, but 64 MiB in any case,
//              and twice what is in use: as much allocation as makes a collection worth its while
//   at least   NewSize, if it is set
//   at most    MaxNewSize, 60% of the heap
//              what MaxGCPauseMillis allows, by the time that the last collections took for each young byte
//              what leaves room for the copies of survivors, of eden and of what is young already
//
// Bounds are those of the whole young generation, survivors included. NewRatio sets both: the heap's share of 1 /
// (NewRatio + 1).
//
// Copying no longer pays off when nearly everything survives and there is hardly room for it: when the room for eden is
// below 5% of the heap (below the least size, if a flag sets one), and is at most half of what is free. Then eden is
// all that is free, and the next collection slides in place, which needs no room.
#pragma once

#include "runtime/base/types.h"

namespace keyhole::gc {

class YoungSize {
 public:
  static constexpr u64 largest_percent = 60;  // of the heap

  struct Heap {
    u32 used = 0, maximum = 0;  // regions
    u64 region_bytes = 0;
    f64 survival = 0;   // expected fraction of young bytes to copy (0..1)
    u32 young = 0;      // young regions among the used ones
    u32 reserved = 0;   // regions reserved for copies of old regions
    u32 goal = 0;       // regions that the heap should use
    u32 eden_goal = 0;  // regions that eden should use, if there is room
  };

  // Reports a pause: bytes of the young generation, and its time.
  void add_pause(u64 young_bytes, i64 nanoseconds);
  // The expected pause for a young generation of this many bytes; 0 = unknown.
  f64 predicted_nanoseconds(u64 young_bytes) const { return nanoseconds_per_byte_ * static_cast<f64>(young_bytes); }
  u32 eden_regions(const Heap& heap) const;

 private:
  f64 nanoseconds_per_byte_ = 0;  // decaying average; 0 = unknown
};

}  // namespace keyhole::gc
