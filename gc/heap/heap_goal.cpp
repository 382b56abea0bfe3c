// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The share of time in pauses, and the goal's growth.
#include "gc/heap/heap_goal.h"

#include <algorithm>

#include "gc/heap/young_size.h"
#include "runtime/base/flags.h"

namespace keyhole::gc {
namespace {

constexpr u64 first_eden_bytes = 4_MiB;

}  // namespace

void HeapGoal::begin(u32 initial_regions, u32 maximum_regions, u64 region_bytes, i64 now_nanoseconds) {
  *this = HeapGoal();
  regions_ = initial_regions_ = initial_regions;
  maximum_regions_ = maximum_regions;
  eden_regions_ = static_cast<u32>(std::max<u64>(first_eden_bytes / region_bytes, 1));
  last_end_nanoseconds_ = now_nanoseconds;
}

void HeapGoal::add_pause(i64 start_nanoseconds, i64 end_nanoseconds) {
  constexpr f64 kept = 0.7;  // the weight of the past: mainly the last three collections count
  pauses_ = kept * pauses_ + static_cast<f64>(end_nanoseconds - start_nanoseconds);
  time_ = kept * time_ + static_cast<f64>(end_nanoseconds - last_end_nanoseconds_);
  last_end_nanoseconds_ = end_nanoseconds;
  if (pauses_ * (1 + static_cast<f64>(flags::GCTimeRatio)) <= time_) return;
  if (eden_regions_ < eden_part()) {
    eden_regions_ *= 2;
    return;
  }
  regions_ = static_cast<u32>(std::min<u64>(u64{regions_} + regions_ / 2 + 1, maximum_regions_));
}

u32 HeapGoal::eden_part() const { return static_cast<u32>(u64{regions_} * YoungSize::largest_percent / 100); }

}  // namespace keyhole::gc
