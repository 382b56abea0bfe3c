// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Condition: a condition variable for W::Mutex, on one futex word that counts the notifications.
//
// R1: the caller of wait and notify_all holds the mutex. wait reads the count before it releases the mutex, so a later
//     notification changes the word, and the futex does not sleep.
// R2: notify_all wakes all sleepers, which then wait for the mutex: the thundering herd for which some protocols here
//     are measured. wait may return spuriously.
#pragma once

#include <climits>

#include "runtime/base/platform/world.h"

namespace keyhole {

template <typename W> class ConditionOf {
 public:
  void wait(typename W::Mutex& mutex) {
    i32 seen = notifications_.load(std::memory_order_relaxed);  // R1
    mutex.unlock();
    W::wait_on(notifications_, seen, forever);
    mutex.lock();
  }
  void notify_all() {
    notifications_.fetch_add(1, std::memory_order_release);
    W::wake(notifications_, INT_MAX);  // R2
  }
  void notify_one() {
    notifications_.fetch_add(1, std::memory_order_release);
    W::wake(notifications_, 1);
  }

 private:
  typename W::template Atomic<i32> notifications_{0};
};

}  // namespace keyhole
