// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Kinds of schedules: two executions are of one kind if, at each location that several strands use, the same changes
// came in the same order, and each read saw the same change.
//
// G1: the number of kinds drawn exactly once, divided by the number of draws, estimates the probability that the next
//     draw is of a new kind (Good 1953). This holds for random draws only. A kind that a systematic search has executed
//     counts as known, and the executions of that search do not count as draws.
#pragma once

#include <unordered_map>

#include "vm/tools/explore/schedule.h"

namespace keyhole::explore {

u64 kind_of(const Execution& execution);

class Kinds {
 public:
  void add(u64 kind, bool is_drawn) {
    Seen& seen = seen_[kind];
    bool was_new = seen.draws == 1 && !seen.is_searched;
    if (is_drawn) {
      ++draws_;
      if (seen.draws < 2) ++seen.draws;
    } else {
      seen.is_searched = true;
    }
    bool is_new = seen.draws == 1 && !seen.is_searched;
    drawn_once_ += static_cast<u64>(is_new) - static_cast<u64>(was_new);
  }
  struct Seen {
    u8 draws = 0;  // at most 2
    bool is_searched = false;
  };
  u64 count() const { return seen_.size(); }
  const std::unordered_map<u64, Seen>& all() const { return seen_; }
  u64 draws() const { return draws_; }
  u64 drawn_once() const { return drawn_once_; }  // and not searched

 private:
  std::unordered_map<u64, Seen> seen_;
  u64 draws_ = 0, drawn_once_ = 0;
};

}  // namespace keyhole::explore
