// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// SleepLimits: when continuations that sleep inside the VM are to be woken at the latest. For sleeps whose limit Java
// knows nothing of: a thread that is blocked on a monitor looks at it again from time to time.
//
// An entry stays until its time has come, whoever wakes the thread before. It names the sleep by a number, so that the
// thread's next sleep is not meant; a thread that is woken for no reason looks again, as always.
#pragma once

#include <queue>
#include <vector>

#include "runtime/base/mutex.h"
#include "runtime/base/types.h"

namespace keyhole {

struct JavaThread;

class SleepLimits {
 public:
  // True: it is the earliest.
  bool add(JavaThread* thread, u64 sleep, i64 deadline_nanoseconds);
  // Of the earliest; INT64_MAX without one.
  i64 deadline_nanoseconds();
  // Takes those whose time has come out, and wakes who still sleeps.
  void wake_late_sleepers(i64 now_nanoseconds);

 private:
  struct Entry {
    i64 deadline;
    JavaThread* thread;
    u64 sleep;
    bool operator<(const Entry& other) const { return deadline > other.deadline; }
  };
  Mutex mutex_{LockRank::sleep_limits};
  std::priority_queue<Entry, std::vector<Entry>> entries_ GUARDED_BY(mutex_);
};

}  // namespace keyhole
