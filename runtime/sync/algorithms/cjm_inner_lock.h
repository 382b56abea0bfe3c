// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// CjmInnerLock: the lock that protects the ring of cjm-hybrid. Threads hold it for a few dozen instructions. It is one
// cell, in an array or in an element.
//
//   cell   meaning                          becomes
//   0      free                             1 (CAS)
//   1      held, no thread sleeps           0 (unlock), 2 (by a thread about to sleep)
//   2      held, a thread may sleep         0 (unlock, which wakes a thread)
//
// R1: only managed threads hold this lock, and never across a safepoint. So a thread that sleeps on it stays managed,
//     and with the world stopped the lock is free.
// R2: a thread that has slept stores 2 when it takes the lock, because other threads may still sleep.
#pragma once

#include "runtime/base/platform/world.h"
#include "runtime/threads/lock_counters.h"

namespace keyhole::sync {

template <typename W> struct CjmInnerLock {
  using Thread = typename W::Thread;
  using Cell = typename W::template Atomic<i32>;
  static constexpr i32 free = 0, held = 1, slept_on = 2;
  // The number of times that a thread reads the cell of a held inner lock before it sleeps. The reads take longer than
  // a holder keeps the inner lock, but less time than a wake-up.
  static constexpr u32 spins_before_sleep = 200;

  static void lock(Thread* thread, Cell& cell) {
    W::count(thread, LockCounter::bucket_locks);
    i32 seen = free;
    if (cell.compare_exchange_strong(seen, held, std::memory_order_acquire, std::memory_order_relaxed)) return;
    W::count(thread, LockCounter::bucket_lock_waits);
    if (W::processors() > 1 && W::spin_until(cell, [](i32 now) { return now == free; }, spins_before_sleep)) {
      seen = free;
      if (cell.compare_exchange_strong(seen, held, std::memory_order_acquire, std::memory_order_relaxed)) return;
    }
    while (cell.exchange(slept_on, std::memory_order_acquire) != free) W::wait_on(cell, slept_on, forever);  // R2
  }
  static void unlock(Cell& cell) {
    if (cell.exchange(free, std::memory_order_release) == slept_on) W::wake(cell, 1);
  }
};

}  // namespace keyhole::sync
