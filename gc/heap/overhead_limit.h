// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// "GC overhead limit exceeded": a program whose heap is nearly full of live objects gets an error instead of crawling
// on.
//
//   collection that slid everything together:
//     since the last such one more than GCTimeLimit percent of the time went into collections,
//     and less than GCHeapFreeLimit percent of the heap is free now          --no-->  count = 0
//            | yes
//            v
//        count + 1 --4--> the next collection clears soft references, too
//                  --5--> the allocation that requested it fails even if there is room; count = 0
//
// All functions are called with the world stopped.
#pragma once

#include "runtime/base/types.h"

namespace keyhole::gc {

class OverheadLimit {
 public:
  static constexpr u32 collections_in_a_row = 5;

  // Called when a heap is made: times start now.
  void begin(i64 now) { *this = OverheadLimit{.last_end_ = now}; }
  // Reports a pause of any kind. `everything`: it slid all live objects together, to make room for an allocation.
  void add_pause(i64 start, i64 end, bool everything, f64 free_fraction);

  bool is_near() const { return count_ + 1 >= collections_in_a_row; }
  // Whether the limit has been exceeded since the last call.
  bool take_exceeded() {
    bool result = exceeded_;
    exceeded_ = false;
    return result;
  }

  i64 last_end_ = 0;            // end of the last collection of everything
  i64 pauses_nanoseconds_ = 0;  // since then
  u32 count_ = 0;
  bool exceeded_ = false;
};

extern OverheadLimit overhead_limit;

}  // namespace keyhole::gc
