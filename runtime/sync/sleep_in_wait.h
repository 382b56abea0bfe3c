// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The sleep in Object.wait, the same for every algorithm. A thread sleeps until it is notified, is interrupted or times
// out. While it is suspended only a notification ends the sleep (suspended_owner.h U3). The thread that resumes it also
// unparks it.
#pragma once

#include "runtime/base/platform/world.h"
#include "runtime/threads/lock_counters.h"

namespace keyhole::sync {

// Called in state Blocked. is_waiting() is true until the thread is notified. is_waiting() is called after each
// wake-up, because park may return spuriously.
template <typename W, typename IsWaiting>
void sleep_in_wait(typename W::Thread* thread, i64 nanoseconds, IsWaiting is_waiting) {
  i64 deadline = 0;
  if (nanoseconds != forever && __builtin_add_overflow(W::now_nanoseconds(), nanoseconds, &deadline))
    deadline = INT64_MAX;
  i64 left = nanoseconds;
  while (is_waiting()) {
    const bool suspended = W::is_suspended(thread);
    const bool is_over = thread->interrupted.load(std::memory_order_seq_cst) || (nanoseconds != forever && left <= 0);
    if (is_over && !suspended) return;
    W::count(thread, LockCounter::parks);
    W::park(thread, suspended ? forever : left);
    if (nanoseconds != forever) left = deadline - W::now_nanoseconds();
  }
}

}  // namespace keyhole::sync
