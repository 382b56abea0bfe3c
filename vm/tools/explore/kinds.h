// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Kinds of schedules: two executions are of one kind if, at each location that several strands use, the same changes
// came in the same order, and each read saw the same change. The number of kinds that were seen only once estimates the
// probability that the next execution is of a new kind (Good 1953).
#pragma once

#include <unordered_map>

#include "vm/tools/explore/schedule.h"

namespace keyhole::explore {

u64 kind_of(const Execution& execution);

class Kinds {
 public:
  void add(u64 kind) {
    u64& count = counts_[kind];
    if (++count == 1) ++once_;
    else if (count == 2) --once_;
  }
  u64 count() const { return counts_.size(); }
  u64 seen_once() const { return once_; }

 private:
  std::unordered_map<u64, u64> counts_;
  u64 once_ = 0;
};

}  // namespace keyhole::explore
