// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The part of -Xmx that a program should use: memory is spent where it saves time. Eden grows first, then the heap.
//
//    8 MiB --collections take more than 1 / (1 + GCTimeRatio) of the time--> twice as much --> ... its part of the goal
//   of eden                                                                                               |
//     ^                             ... -Xmx <--the same-- 1.5 times as much <--they still do-- -Xms <----+
//     |                                                                                          ^
//     |                                 a full collection or a marking: liveness is known, and --+
//   start                               the heap shrinks (sizing.h)
//
// The share of time is a decaying average. It is evaluated at collections caused by allocation, because a larger heap
// would not avoid other collections. When live objects need more room than the goal, the heap gets it (young_size.h).
//
// Eden begins small because new memory is expensive: the kernel takes one to two microseconds for each page that is
// touched for the first time, which is longer than allocating and collecting its content takes. Memory that has been
// used before is also in caches.
#pragma once

#include "runtime/base/types.h"

namespace keyhole::gc {

class HeapGoal {
 public:
  void begin(u32 initial_regions, u32 maximum_regions, u64 region_bytes, i64 now_nanoseconds);
  // Reports a collection that was caused by allocation.
  void add_pause(i64 start_nanoseconds, i64 end_nanoseconds);
  // Returns to the initial size, when a full collection has found the live objects.
  void restart() { regions_ = initial_regions_; }
  u32 regions() const { return regions_; }
  u32 eden_regions() const { return eden_regions_; }

 private:
  u32 eden_part() const;

  u32 regions_ = 0, initial_regions_ = 0, maximum_regions_ = 0;
  u32 eden_regions_ = 0;
  i64 last_end_nanoseconds_ = 0;
  f64 pauses_ = 0, time_ = 0;  // decaying sums of nanoseconds: in pauses, and in total
};

}  // namespace keyhole::gc
