// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// How often and how long a thread was blocked and waited, for java.lang.management.ThreadInfo.
//
//   blocked   until a monitor was free, on entering or on coming back from Object.wait
//   waited    in Object.wait, Thread.sleep, LockSupport.park
//
// Counts are always kept; times only while contention monitoring is on (ThreadMXBean.setThreadContentionMonitoringEnabled), as they cost two looks at
// the clock. Plain loads and stores: figures to look at, in which one may get lost.
#pragma once

#include <atomic>

#include "runtime/base/platform/hardware_world.h"

namespace keyhole {

class WaitStatistics {
 public:
  enum class Kind : u8 { none, blocked, waited };

  // From doing one thing to another: by the owner, or by whoever notifies it, which is blocked from then on.
  void change(Kind from, Kind to) {
    if (i64 since = since_.load(std::memory_order_relaxed); from != Kind::none && since != 0) {
      add(from == Kind::blocked ? blocked_nanoseconds_ : waited_nanoseconds_, hardware::now_nanoseconds() - since);
      since_.store(0, std::memory_order_relaxed);
    }
    if (to == Kind::none) return;
    add(to == Kind::blocked ? blocked_ : waited_, i64{1});
    if (is_timed.load(std::memory_order_relaxed)) since_.store(hardware::now_nanoseconds(), std::memory_order_relaxed);
  }
  i64 blocked() const { return blocked_.load(std::memory_order_relaxed); }
  i64 waited() const { return waited_.load(std::memory_order_relaxed); }
  i64 blocked_nanoseconds() const { return blocked_nanoseconds_.load(std::memory_order_relaxed); }
  i64 waited_nanoseconds() const { return waited_nanoseconds_.load(std::memory_order_relaxed); }
  // World stopped.
  void forget_times() {
    blocked_nanoseconds_.store(0, std::memory_order_relaxed);
    waited_nanoseconds_.store(0, std::memory_order_relaxed);
  }

  inline static std::atomic<bool> is_timed{false};   // of all threads

 private:
  static void add(std::atomic<i64>& value, i64 amount) {
    value.store(value.load(std::memory_order_relaxed) + amount, std::memory_order_relaxed);
  }

  std::atomic<i64> blocked_{0}, waited_{0}, blocked_nanoseconds_{0}, waited_nanoseconds_{0};
  std::atomic<i64> since_{0};   // 0: not timed
};

}  // namespace keyhole
