// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Semaphore: a number of permits. signal adds some, wait takes one or sleeps.
//
//   permits    meaning                               written by
//   n > 0      n waits will not sleep                signal (+n), wait (CAS -1)
//   0          waits sleep on the futex              -
//   sleepers   threads on their way into the futex   wait; a hint that lets signal omit the system call
//
// R1: signal adds permits, then reads sleepers; wait counts itself among the sleepers, then the futex compares permits
//     with 0. Both pairs are in one total order (seq_cst), so a signal that sees no sleeper is seen by the futex: no
//     wake-up is lost.
// R2: taking a permit (acquire) pairs with the signal that gave it (release).
// R3: signal wakes threads one at a time, at most one for each other processor, and stops when no permit is left:
//     running threads may have taken them all, and a woken thread would find none. A woken thread does not wake the
//     next one, because waking takes longer than a short piece of work.
// R4: a thread that has signalled several permits calls wake_rest after a while, and before it sleeps itself. wake_rest
//     wakes a thread for each permit that is left, all by one system call. That fills the processors' queues, so that
//     the next signals find threads awake.
#pragma once

#include <algorithm>

#include "runtime/base/platform/world.h"

namespace keyhole {

template <typename W> class SemaphoreOf {
 public:
  explicit SemaphoreOf(i32 permits = 0) : permits_(permits) {}

  // Adds permits. For more than one, R4 holds.
  void signal(i32 count = 1) {
    permits_.fetch_add(count, std::memory_order_seq_cst);  // R1, R2
    i32 others = std::min(count, std::max(1, static_cast<i32>(W::processors()) - 1));
    do wake(1);  // R3
    while (--others > 0 && permits_.load(std::memory_order_relaxed) > 0);
  }
  void wake_rest() {
    i32 left = permits_.load(std::memory_order_seq_cst);
    if (left > 0) wake(left);  // R4
  }
  // Whether there is a permit, now or within this many reads. Does not take it.
  bool await(u32 spin_reads) {
    return W::spin_until(permits_, [](i32 now) { return now > 0; }, spin_reads);
  }

  // Takes a permit, or sleeps until there is one. Returns the number of sleeps.
  u32 wait() {
    u32 slept = 0;
    for (;;) {
      i32 available = permits_.load(std::memory_order_relaxed);
      while (available > 0) {
        // R2
        if (!permits_.compare_exchange_weak(available, available - 1, std::memory_order_acquire,
                                            std::memory_order_relaxed))
          continue;
        return slept;
      }
      sleepers_.fetch_add(1, std::memory_order_seq_cst);  // R1
      W::wait_on(permits_, 0, forever);
      sleepers_.fetch_sub(1, std::memory_order_relaxed);
      ++slept;
    }
  }

 private:
  void wake(i32 threads) {
    if (sleepers_.load(std::memory_order_seq_cst) > 0) W::wake(permits_, threads);  // R1
  }

  typename W::template Atomic<i32> permits_;
  typename W::template Atomic<i32> sleepers_{0};
};

}  // namespace keyhole
