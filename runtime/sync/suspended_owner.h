// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Suspended threads and locks: a thread that is suspended while it queues for a lock, or waits in Object.wait, does not
// keep the lock that it gets meanwhile. This file uses only the algorithm's operations, so it serves every algorithm.
//
//   suspender (world stopped)    target: queues or waits, Blocked           its algorithm
//   suspended = 1                stays in the queue                         may choose it, or make it the owner
//                                is owner and managed again, finds suspended = 1
//                                exits all levels that it has got --------> the next thread enters
//                                sleeps as BLOCKED until it is resumed
//   suspended = 0, unpark        enters again, level by level
//
// U1: a suspended thread stays an ordinary member of the queue. Algorithms hand the lock to a queued thread, or rely on
//     it to wake up as successor. If the suspended thread slept anywhere else, the threads queued after it would never
//     be woken.
// U2: a thread that has got the lock checks whether it is suspended once it is managed again. Suspension is requested
//     with the world stopped, so this check sees every request from before the thread got the lock.
// U3: a waiter that timed out or was interrupted while suspended stays in the wait set until it is resumed
//     (sleep_in_wait.h). A waiter that was notified while suspended is in the queue, so U1 applies.
// U4: locks are recursive. Each enter that the thread has not exited yet is one level, and has a lock record. The
//     levels that exit() has released are entered again, the oldest first; the records keep their object meanwhile, as
//     in Object.wait.
#pragma once

#include "runtime/base/platform/world.h"
#include "runtime/sync/status.h"

namespace keyhole::sync {

template <typename W> struct SuspendedOwner {
  using Thread = typename W::Thread;
  using Root = typename W::Root;
  using LockRecord = typename W::LockRecord;

  // `enter` and `exit` are functions of a LockRecord. They enter or exit the record's level (U4), and return a Status.

  // Called when the thread has just entered the lock, whether for the first time or recursively. `record` is the lock
  // record of this enter.
  template <typename Enter, typename Exit>
  static Status after_enter(Thread* thread, LockRecord* record, Enter enter, Exit exit) MAY_SAFEPOINT {
    Status status = Status::Done;
    while (status == Status::Done && W::is_suspended(thread)) {  // U2
      exit(record);
      W::stay_while_suspended(thread);
      status = enter(record);
    }
    return status;
  }

  // Called when Object.wait has just returned, and the thread holds all its levels of the lock again.
  template <typename Enter, typename Exit>
  static Status after_wait(Thread* thread, Root root, Enter enter, Exit exit) MAY_SAFEPOINT {
    Status status = Status::Done;
    while (status == Status::Done && W::is_suspended(thread)) {  // U2
      u32 oldest = thread->lock_record_top;
      for (u32 i = thread->lock_record_top; i != 0; --i) {
        LockRecord* record = &thread->lock_records[i - 1];
        if (record->object != W::at(root)) continue;
        if (exit(record) != Status::Done) break;  // U4
        oldest = i - 1;
      }
      W::stay_while_suspended(thread);
      for (u32 i = oldest; i != thread->lock_record_top && status == Status::Done; ++i) {
        LockRecord* record = &thread->lock_records[i];
        if (record->object == W::at(root)) status = enter(record);
      }
    }
    return status;
  }
};

}  // namespace keyhole::sync
