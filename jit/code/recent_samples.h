// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Settings of the tier policy, and RecentSamples: the last samples that a method was in, which make it hot.
#pragma once

#include <vector>

#include "runtime/base/types.h"

namespace keyhole::tiers {

struct Settings {
  bool uses_thresholds = false;
  u32 samples = 5;  // that make a method hot, within hot_nanoseconds
  i32 interval_calls = 10'000, interval_back_edges = 100'000;
  i64 interval_nanoseconds = 5'000'000;
  i64 empty_interval_nanoseconds = 100'000'000;  // of a method that was on top, and has counted nothing
  i64 hot_nanoseconds = 100'000'000;
  u32 queue_capacity = 64;
  u32 payback_percent = 100;  // of a compilation's cost, spent in advance
  i64 sample_nanoseconds = 1'000'000;
  // Cost of the optimising tier's preparation: it opens the plug-in, and LLVM runs for the first time.
  static constexpr i64 preparation_nanoseconds = 6'000'000;

  static Settings of_flags();
};

class RecentSamples {
 public:
  // `number`: among the samples of all methods, from 1. Keeps the last `capacity` samples.
  void note(i64 now, u64 number, u32 bci, u32 capacity) {
    if (samples_.size() == capacity) samples_.erase(samples_.begin());
    samples_.push_back({now, number, bci});
  }
  bool are_hot(i64 now, u64 number, const Settings& settings) const {
    if (samples_.size() < settings.samples) return false;
    const Sample& oldest = samples_.front();
    return now - oldest.at <= settings.hot_nanoseconds && samples_.size() * 100 >= number - oldest.number;
  }
  // Was there another sample in hot_nanoseconds before the last one?
  bool is_seen_again(i64 now, const Settings& settings) const {
    return samples_.size() > 1 && now - samples_[samples_.size() - 2].at <= settings.hot_nanoseconds;
  }
  void clear() { samples_.clear(); }
  bool are_older_than(i64 time) const { return samples_.empty() || samples_.back().at < time; }
  std::vector<u32> bcis() const {
    std::vector<u32> found;
    for (const Sample& sample : samples_) found.push_back(sample.bci);
    return found;
  }

 private:
  struct Sample {
    i64 at;
    u64 number;
    u32 bci;
  };
  std::vector<Sample> samples_;  // oldest first
};

}  // namespace keyhole::tiers
