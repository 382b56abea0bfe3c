// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// DeferredUnparkPolicy: decides whether a virtual thread that wakes another one defers the unpark. The next carrier
// that comes back from a virtual thread then runs it (unmounted_sleep.h R6). The policy affects only the time of the
// wake-up; every thread is woken in any case.
//
//   by the unblocker    exit -> futex -> the unblocker -> the scheduler -> futex -> a carrier: two OS threads are woken
//   deferred            exit ...... the carrier comes back -> the scheduler's queue of that carrier: none is woken
//   deferred, late      exit .......... the unblocker checks (after 50 microseconds or more) -> ...
//
// P1: a deferred unpark is fast when carriers come back soon, as they do when threads that meet at a lock unmount
//     often. It is slow when the waker goes on computing while another carrier is idle. So a balance counts the
//     outcomes: each deferred unpark that a carrier ran adds one, and each late one subtracts cost_of_late_ones.
//     Unparks are deferred while the balance is positive.
// P2: while the balance is not positive, each unpark by the unblocker adds one. So deferring is tried again after a
//     while, and a program that is slowed by deferred unparks meets few of them.
// P3: the balance is written without a lock: a lost update costs time and nothing else.
#pragma once

#include <algorithm>

#include "runtime/base/platform/world.h"

namespace keyhole {

template <typename W> class DeferredUnparkPolicyOf {
 public:
  static constexpr i32 most = 64, cost_of_late_ones = 16;

  // Whether the waker defers this unpark. A waker calls the function once for each wake-up.
  bool defers() {
    i32 balance = balance_.load(std::memory_order_relaxed);
    if (balance > 0) return true;
    balance_.store(balance + 1, std::memory_order_relaxed);  // P2
    return false;
  }
  void count_run(u32 unparks) {
    i32 balance = balance_.load(std::memory_order_relaxed);
    balance_.store(std::min(balance + static_cast<i32>(unparks), most), std::memory_order_relaxed);
  }
  void count_late() {
    i32 balance = balance_.load(std::memory_order_relaxed);
    balance_.store(std::max(balance - cost_of_late_ones, -most), std::memory_order_relaxed);
  }

 private:
  typename W::template Atomic<i32> balance_{1};
};

}  // namespace keyhole
