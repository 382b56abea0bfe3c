// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// ErrandPolicy: whether a virtual thread that wakes another one leaves that to the next carrier that comes back from a
// virtual thread, its own or another one (R6 of unmounted_sleep.h). A policy: it decides and never wakes; whatever it
// says, everybody is woken.
//
//   unblocker           exit -> futex -> the unblocker -> the scheduler -> futex -> a carrier: two OS threads are woken
//   errand              exit ...... the carrier comes back -> the scheduler's queue of that carrier: none is woken
//   a late errand       exit .......... the unblocker looks (50 microseconds, or what the kernel makes of them) -> ...
//
// P1: an errand pays when carriers come back soon: threads that meet at a lock unmount often. It does not pay when who
//     has woken a thread goes on computing, while another carrier is idle. So errands are run while they have been in
//     time: each that a carrier has run counts one, those that were late count against so many.
// P2: while they do not pay, each wake-up that goes by the unblocker counts one, too: so one errand is tried again
//     after a while, and a program that is slowed by errands is slowed by few of them.
// P3: counts are written without a lock: lost ones cost time and nothing else.
#pragma once

#include <algorithm>

#include "runtime/base/platform/world.h"

namespace keyhole {

template <typename W> class ErrandPolicyOf {
 public:
  static constexpr i32 most = 64, price_of_late_ones = 16;

  // Asked by a waker, once for each wake-up.
  bool leaves_it_to_carriers() {
    i32 balance = balance_.load(std::memory_order_relaxed);
    if (balance > 0) return true;
    balance_.store(balance + 1, std::memory_order_relaxed);   // P2
    return false;
  }
  void count_run(u32 errands) {
    i32 balance = balance_.load(std::memory_order_relaxed);
    balance_.store(std::min(balance + static_cast<i32>(errands), most), std::memory_order_relaxed);
  }
  void count_late() {
    i32 balance = balance_.load(std::memory_order_relaxed);
    balance_.store(std::max(balance - price_of_late_ones, -most), std::memory_order_relaxed);
  }

 private:
  typename W::template Atomic<i32> balance_{1};
};

}  // namespace keyhole
