// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The heap of deadlines. Structures of threads are never freed, so an entry may outlive its thread.
#include "runtime/threads/continuations/sleep_limits.h"

#include "runtime/threads/continuations/continuation.h"

namespace keyhole {

bool SleepLimits::add(JavaThread* thread, u64 sleep, i64 deadline_nanoseconds) {
  MutexLock guard(mutex_);
  bool is_earliest = entries_.empty() || deadline_nanoseconds < entries_.top().deadline;
  entries_.push({deadline_nanoseconds, thread, sleep});
  return is_earliest;
}

i64 SleepLimits::deadline_nanoseconds() {
  MutexLock guard(mutex_);
  return entries_.empty() ? INT64_MAX : entries_.top().deadline;
}

void SleepLimits::wake_late_sleepers(i64 now_nanoseconds) {
  for (;;) {
    Entry late;
    {
      MutexLock guard(mutex_);
      if (entries_.empty() || entries_.top().deadline > now_nanoseconds) return;
      late = entries_.top();
      entries_.pop();
    }
    if (late.thread->continuation->sleep.load(std::memory_order_relaxed) == late.sleep)
      continuations::wake(late.thread);
  }
}

}  // namespace keyhole
