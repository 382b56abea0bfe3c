// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The share of time in pauses, and the goal's growth.
#include "gc/heap_goal.h"

#include <algorithm>

#include "runtime/base/flags.h"

namespace keyhole::gc {

void HeapGoal::begin(u32 initial_regions, u32 maximum_regions, i64 now_nanoseconds) {
  *this = HeapGoal();
  regions_ = initial_regions_ = initial_regions;
  maximum_regions_ = maximum_regions;
  last_end_nanoseconds_ = now_nanoseconds;
}

void HeapGoal::add_pause(i64 start_nanoseconds, i64 end_nanoseconds) {
  constexpr f64 kept = 0.7;   // of the past: the last three collections decide
  pauses_ = kept * pauses_ + static_cast<f64>(end_nanoseconds - start_nanoseconds);
  time_ = kept * time_ + static_cast<f64>(end_nanoseconds - last_end_nanoseconds_);
  last_end_nanoseconds_ = end_nanoseconds;
  if (pauses_ * (1 + static_cast<f64>(flags::GCTimeRatio)) <= time_) return;
  regions_ = static_cast<u32>(std::min<u64>(u64{regions_} + regions_ / 2 + 1, maximum_regions_));
}

}  // namespace keyhole::gc
