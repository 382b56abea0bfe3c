// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The fairness of an object's lock.
//
// Jain's index of an object: (sum of x)^2 / (n x sum of x^2), where x is the number of times that each of n threads
// acquired the object's lock. Only the time when all of them competed counts: it begins with the first acquisition of
// the thread that came last, and ends with the last acquisition of the thread that finished first. Threads that
// acquired it less than a tenth as often as the mean do not count as competitors.
//
// Use: two passes over the same events. Call note() for each event of the first pass, then find(), then count() for
// each event of the second pass.
#pragma once

#include <map>
#include <optional>

#include "runtime/base/types.h"

namespace keyhole::recording {

class Competition {
 public:
  struct Taker {
    u64 enters = 0;
    i64 first = 0, last = 0;
    u64 while_competing = 0;
  };

  void note(u32 thread, i64 now);
  void find();
  void count(u32 thread, i64 now) {
    if (now >= from_ && now <= until_) ++takers_[thread].while_competing;
  }

  const std::map<u32, Taker>& takers() const { return takers_; }  // by thread
  std::optional<f64> jain() const;                                // empty: no two threads competed

 private:
  bool competes(const Taker& taker) const;

  std::map<u32, Taker> takers_;
  u64 enters_ = 0;
  i64 from_ = 0, until_ = 0;
};

}  // namespace keyhole::recording
