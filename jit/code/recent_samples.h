// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// RecentSamples: the last samples of a method, which decide whether it is hot. Settings: the settings of the tier
// policy.
#pragma once

#include <algorithm>
#include <vector>

#include "runtime/base/types.h"

namespace keyhole::tiers {

struct Settings {
  bool uses_thresholds = false;
  u32 samples = 5;  // the number of samples within hot_nanoseconds that make a method hot (policy_protocol.h)
  i32 interval_calls = 10'000, interval_back_edges = 100'000;
  i64 interval_nanoseconds = 5'000'000;
  // the maximum length of a profiling interval in which nothing is counted (profiling_intervals.h P6)
  i64 empty_interval_nanoseconds = 100'000'000;
  i64 hot_nanoseconds = 100'000'000;
  u32 queue_capacity = 64;
  // The time that has to be spent in a method before it is compiled, in percent of its compile cost.
  u32 payback_percent = 100;
  i64 sample_nanoseconds = 1'000'000;
  u8 level = 4;  // the highest level for which methods are compiled (policy.h)
  // Whether the middle tier compiles methods before the optimising tier (policy_protocol.h P15).
  bool has_middle_tier = false;
  u32 middle_samples = 3;  // a method is warm when it has this number of samples
  // A profiling interval for the middle tier ends after middle_interval_calls calls, or after
  // middle_interval_nanoseconds.
  i32 middle_interval_calls = 100;
  i64 middle_interval_nanoseconds = 500'000'000;
  // The optimising tier saves less time when it replaces code of the middle tier than when it replaces baseline code.
  // So the budget of a method that the middle tier has compiled is computed from the time spent in the method divided
  // by this number (compile_budget.h).
  i64 middle_gain_divisor = 3;
  // The cost of preparing the optimising tier, which loads the plug-in and runs LLVM for the first time.
  static constexpr i64 preparation_nanoseconds = 6'000'000;

  static Settings of_flags();
};

class RecentSamples {
 public:
  // Adds a sample; keeps the last `capacity` samples. `number` counts the samples of all methods, from 1.
  void note(i64 now, u64 number, u32 bci, u32 capacity) {
    if (samples_.size() == capacity) samples_.erase(samples_.begin());
    samples_.push_back({now, number, bci});
  }
  bool are_hot(i64 now, u64 number, const Settings& settings) const {
    if (samples_.size() < settings.samples) return false;
    const Sample& oldest = samples_.front();
    return now - oldest.at <= settings.hot_nanoseconds && samples_.size() * 100 >= number - oldest.number;
  }
  bool are_warm(const Settings& settings) const {
    return samples_.size() >= std::min(settings.middle_samples, settings.samples);
  }
  // Whether at least two samples of the method are at most hot_nanoseconds old.
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
