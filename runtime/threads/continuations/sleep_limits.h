// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// SleepLimits: deadlines of continuations that sleep inside the VM without a limit that Java knows. A thread that is
// blocked on a monitor, for instance, probes it again from time to time.
//
// An entry stays until its deadline, even when its thread is woken earlier. It names the sleep by a number, so that it
// does not end the thread's next sleep. A thread that is woken for no reason checks its condition and sleeps again.
#pragma once

#include <queue>
#include <vector>

#include "runtime/base/mutex.h"
#include "runtime/base/types.h"

namespace keyhole {

struct JavaThread;

class SleepLimits {
 public:
  // Adds the deadline of a sleep. Returns true if it is now the earliest deadline.
  bool add(JavaThread* thread, u64 sleep, i64 deadline_nanoseconds);
  // Returns the earliest deadline, or INT64_MAX if there is no entry.
  i64 deadline_nanoseconds();
  // Removes the entries whose deadlines have passed. If the sleep of such an entry has not ended, wakes its thread.
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
