// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// WaitStatistics: counts and times of a thread's blocking and waiting, for java.lang.management.ThreadInfo.
//
//   blocked   on entering a monitor, until the thread got it
//   waited    in Object.wait until the monitor was re-acquired, Thread.sleep, LockSupport.park
//
// Counts are always kept; times only while contention monitoring is on
// (ThreadMXBean.setThreadContentionMonitoringEnabled), as they cost two reads of the clock. Counters use plain loads
// and stores, so an increment may get lost.
#pragma once

#include <atomic>

#include "runtime/base/platform/hardware_world.h"

namespace keyhole {

class WaitStatistics {
 public:
  enum class Kind : u8 { none, blocked, waited };

  // Called when the thread begins or stops blocking or waiting; `to` is what it does from now on. Counts the beginning,
  // and adds up the time at the end. Called by the thread itself, or by its notifier. Re-acquiring the monitor after
  // Object.wait is part of the wait.
  void change(Kind to) {
    Kind from = kind_.load(std::memory_order_relaxed);
    if (to == from || (from == Kind::waited && to == Kind::blocked)) return;
    if (from != Kind::none) {
      add(total(from), since_now());
      since_.store(0, std::memory_order_relaxed);
    }
    kind_.store(to, std::memory_order_relaxed);
    if (to == Kind::none) return;
    add(to == Kind::blocked ? blocked_ : waited_, i64{1});
    if (is_timed.load(std::memory_order_relaxed)) since_.store(hardware::now_nanoseconds(), std::memory_order_relaxed);
  }
  i64 blocked() const { return blocked_.load(std::memory_order_relaxed); }
  i64 waited() const { return waited_.load(std::memory_order_relaxed); }
  // The total time of blocking or waiting, including the time since a wait in progress began.
  i64 nanoseconds(Kind kind) const {
    i64 now = kind_.load(std::memory_order_relaxed) == kind ? since_now() : 0;
    return now + (kind == Kind::blocked ? blocked_nanoseconds_ : waited_nanoseconds_).load(std::memory_order_relaxed);
  }
  bool is_clear() const { return blocked() == 0 && waited() == 0 && kind_.load() == Kind::none; }
  // Called with the world stopped.
  void forget_times() {
    blocked_nanoseconds_.store(0, std::memory_order_relaxed);
    waited_nanoseconds_.store(0, std::memory_order_relaxed);
  }

  inline static std::atomic<bool> is_timed{false};  // of all threads

 private:
  std::atomic<i64>& total(Kind kind) { return kind == Kind::blocked ? blocked_nanoseconds_ : waited_nanoseconds_; }
  i64 since_now() const {
    i64 since = since_.load(std::memory_order_relaxed);
    return since == 0 ? 0 : hardware::now_nanoseconds() - since;
  }
  static void add(std::atomic<i64>& value, i64 amount) {
    value.store(value.load(std::memory_order_relaxed) + amount, std::memory_order_relaxed);
  }

  std::atomic<i64> blocked_{0}, waited_{0}, blocked_nanoseconds_{0}, waited_nanoseconds_{0};
  std::atomic<Kind> kind_{Kind::none};
  std::atomic<i64> since_{0};  // 0: not timed
};

}  // namespace keyhole
