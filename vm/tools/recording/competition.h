// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// How evenly threads took an object.
//
// Jain's index of an object: (sum of x)^2 / (n x sum of x^2) over how often each of n threads took it while all of them
// competed for it, that is from the moment when the last of them had come to that when the first one was done. Threads
// that took it less than a tenth as often as the mean do not count as competitors.
//
// Two passes over the same events: note() each of them, find(), count() each of them.
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

  const std::map<u32, Taker>& takers() const { return takers_; }   // by thread
  std::optional<f64> jain() const;                                 // none: no two competed

 private:
  bool competes(const Taker& taker) const;

  std::map<u32, Taker> takers_;
  u64 enters_ = 0;
  i64 from_ = 0, until_ = 0;
};

}  // namespace keyhole::recording
