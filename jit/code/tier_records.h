// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// TierRecords: the records of all methods that the tier policy knows, under one lock. The policy consists of four
// layers, each the base class of the next; TierRecords is the first:
//
//   TierRecords          records, states, samples
//   CompileRequests      requests to compile: put into the queue, and ended       compile_requests.h
//   ProfilingIntervals   intervals in which baseline code is profiled             profiling_intervals.h
//   Policy               decides from samples; compiles what waits                policy_protocol.h
//
// P3: records refer to methods weakly. When a class dies or a method gets another body, forget() drops the records of
//     its methods, with the world stopped. So a thread that has read a method from a record may use the method without
//     the lock until the thread's next safepoint.
// P8: a thread that holds the lock does not compile, does not allocate in a class unit, and does not put requests into
//     the queue. Functions collect such actions, and execute them after they have released the lock.
#pragma once

#include <algorithm>
#include <span>
#include <unordered_map>
#include <vector>

#include "jit/code/compile_budget.h"
#include "runtime/base/capabilities.h"
#include "runtime/base/held_locks.h"

namespace keyhole::tiers {

template <typename W> class TierRecordsOf {
 public:
  using Method = typename W::Method;
  using Lock = typename W::Lock;
  using Record = MethodRecord<Method>;
  using State = TierState;

  State state_of(const Method* method) const {
    Lock guard(mutex_);
    auto found = records_.find(method);
    return found == records_.end() ? State::Cold : found->second.state;
  }

 protected:
  explicit TierRecordsOf(const Settings& settings) : settings_(settings) {}
  ~TierRecordsOf() = default;

  // The method's record, or null.
  Record* find(const Method* method) REQUIRES(mutex_) {
    auto found = records_.find(method);
    return found == records_.end() ? nullptr : &found->second;
  }
  // Returns the method's record if the method is in `state`; otherwise null.
  Record* find_in(State state, const Method* method) REQUIRES(mutex_) {
    Record* record = find(method);
    return record == nullptr || record->state != state ? nullptr : record;
  }
  void forget_records(const auto& is_gone) REQUIRES(mutex_) {
    std::erase_if(records_, [&](const auto& entry) { return is_gone(entry.first); });
    for (auto& [method, record] : records_)
      std::erase_if(record.callees, [&](const auto& callee) { return is_gone(callee.method); });
  }
  // If there are too many records, drops the records of cold methods that have no profile and no recent sample.
  void forget_cold_records(i64 now) REQUIRES(mutex_) {
    if (records_.size() <= records_before_cleaning_) return;
    i64 remembered = settings_.has_middle_tier ? 100 * settings_.hot_nanoseconds : settings_.hot_nanoseconds;
    std::erase_if(records_, [&](const auto& entry) {
      const Record& record = entry.second;
      return record.state == State::Cold && !record.is_profiled && record.recent.are_older_than(now - remembered);
    });
    records_before_cleaning_ = std::max(fewest_before_cleaning, 2 * records_.size());
  }

  const Settings settings_;
  mutable typename W::Mutex mutex_{LockRank::tier_policy};
  u64 sample_count_ GUARDED_BY(mutex_) = 0;
  std::unordered_map<const Method*, Record> records_ GUARDED_BY(mutex_);

 private:
  static constexpr usize fewest_before_cleaning = 1024;
  usize records_before_cleaning_ GUARDED_BY(mutex_) = fewest_before_cleaning;
};

}  // namespace keyhole::tiers
