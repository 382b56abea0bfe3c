// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Dispatch by one mutex, one condition and sequence numbers, as HotSpot did before 2015: every event wakes everybody, and everybody who is woken
// takes the mutex to find out whether it was meant. Kept to be measured.
//
//   coordinator, under the mutex           worker, under the mutex
//   ++sequence; arrived = finished = 0     wait until sequence != the one I know; know it
//   notify_all; wait until finished == n   arrived < n: number = arrived++, notify_all. Else: not meant, wait for the next
//        <--------------------------       ... the task, without the mutex ...; ++finished; notify_all
//
// R1: every field is under the mutex; the sequence number a worker knows is its own.
// R2: a worker takes part in a task at most once, as it knows its sequence number then; n workers are awake or will be, because all
//     created ones are woken.
#pragma once

#include "gc/gang/dispatcher.h"
#include "runtime/base/platform/condition.h"

namespace keyhole::gc {

template <typename W> class BroadcastDispatcherOf {
 public:
  void run(u32 workers) {
    mutex_.lock();
    arrived_.set(0);
    finished_.set(0);
    workers_.set(workers);
    sequence_.set(sequence_.get() + 1);
    changed_.notify_all();
    while (finished_.get() != workers) sleep();
    mutex_.unlock();
  }
  void stop(u32) {
    mutex_.lock();
    stopping_.set(true);
    changed_.notify_all();
    mutex_.unlock();
  }
  void restart() {
    mutex_.lock();
    stopping_.set(false);
    mutex_.unlock();
  }

  // known: the last sequence number that this worker has seen (R1).
  u32 next_task(u64& known) {
    mutex_.lock();
    u32 number = stopped;
    for (;;) {
      if (sequence_.get() != known && arrived_.get() < workers_.get()) {
        known = sequence_.get();
        number = arrived_.get();
        arrived_.set(number + 1);
        changed_.notify_all();
        break;
      }
      known = sequence_.get();
      if (stopping_.get()) break;
      sleep();
    }
    mutex_.unlock();
    return number;
  }
  void finished() {
    mutex_.lock();
    finished_.set(finished_.get() + 1);
    changed_.notify_all();
    mutex_.unlock();
  }

  u64 wake_ups() {
    mutex_.lock();
    u64 result = wake_ups_.get();
    mutex_.unlock();
    return result;
  }

 private:
  void sleep() {
    changed_.wait(mutex_);
    wake_ups_.set(wake_ups_.get() + 1);
  }

  typename W::Mutex mutex_;
  ConditionOf<W> changed_;
  // R1: under mutex_
  typename W::template Plain<u64> sequence_;
  typename W::template Plain<u32> arrived_, finished_, workers_;
  typename W::template Plain<bool> stopping_;
  typename W::template Plain<u64> wake_ups_;
};

}  // namespace keyhole::gc
