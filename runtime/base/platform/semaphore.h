// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Semaphore: a number of permits. signal adds some, wait takes one or sleeps.
//
//   permits    meaning                               written by
//   n > 0      n waits will not sleep                signal (+n), wait (CAS -1)
//   0          waits sleep on the futex              -
//   sleepers   threads on their way into the futex   wait; a hint that lets signal leave out the system call
//
// R1: signal adds permits, then reads sleepers; wait counts itself among the sleepers, then the futex compares permits with 0. Both pairs are
//     in one total order (seq_cst), so a signal that sees no sleeper is seen by the futex: no wake-up is lost.
// R2: taking a permit (acquire) pairs with the signal that gave it (release).
// R3: while there are permits and threads asleep, somebody is on the way out of the futex. signal sees to that, and whoever comes from sleep
//     and takes a permit that was not the last one wakes the next. So signal wakes one thread after the other, no more than can run at once,
//     and only while permits are left: those who run already may take them all, and then nobody else is woken in vain. Where they do not, as
//     each is busy with what the permit was for, those who were woken wake the rest, more and more at a time.
#pragma once

#include <algorithm>

#include "runtime/base/platform/world.h"

namespace keyhole {

template <typename W> class SemaphoreOf {
 public:
  explicit SemaphoreOf(i32 permits = 0) : permits_(permits) {}

  void signal(i32 count = 1) {
    permits_.fetch_add(count, std::memory_order_seq_cst);                              // R1, R2
    i32 at_once = std::min(count, static_cast<i32>(W::processors()));
    do wake_one();                                                                     // R3
    while (--at_once > 0 && permits_.load(std::memory_order_relaxed) > 0);
  }

  // `spin_reads`: how often the permits are looked at before sleeping. Returns how often it slept.
  u32 wait(u32 spin_reads = 0) {
    u32 slept = 0;
    for (;;) {
      i32 available = permits_.load(std::memory_order_relaxed);
      while (available > 0) {
        if (!permits_.compare_exchange_weak(available, available - 1, std::memory_order_acquire, std::memory_order_relaxed)) continue;   // R2
        if (slept != 0 && available > 1) wake_one();                                   // R3
        return slept;
      }
      if (spin_reads != 0 && W::spin_until(permits_, [](i32 now) { return now > 0; }, spin_reads)) continue;
      spin_reads = 0;
      sleepers_.fetch_add(1, std::memory_order_seq_cst);                               // R1
      W::wait_on(permits_, 0, forever);
      sleepers_.fetch_sub(1, std::memory_order_relaxed);
      ++slept;
    }
  }

 private:
  void wake_one() {
    if (sleepers_.load(std::memory_order_seq_cst) > 0) W::wake(permits_, 1);           // R1
  }

  typename W::template Atomic<i32> permits_;
  typename W::template Atomic<i32> sleepers_{0};
};

}  // namespace keyhole
