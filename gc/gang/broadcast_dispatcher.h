// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Dispatch by one mutex, one condition and sequence numbers, as HotSpot did before 2015: every event wakes all threads,
// and each takes the mutex to find out whether the event is for it. It is kept for measurements.
//
//   coordinator, under the mutex           worker, under the mutex
//   ++sequence; arrived = finished = 0     wait until sequence != known; known = sequence
//   notify_all; wait until finished == n   arrived < n: number = arrived++, notify_all. Else: not for this worker, wait
//                                          for the next
//        <--------------------------       ... the task, without the mutex ...; ++finished; notify_all
//
// R2: `known` is the worker's own. A worker takes part in a task at most once, as it knows its sequence number then; n
//     workers are awake or will be, because all created ones are woken.
#pragma once

#include "gc/gang/mutex_dispatcher.h"

namespace keyhole::gc {

template <typename W> class BroadcastDispatcherOf : public MutexDispatcherOf<W> {
  using typename MutexDispatcherOf<W>::Locked;
  using MutexDispatcherOf<W>::arrived_, MutexDispatcherOf<W>::finished_, MutexDispatcherOf<W>::workers_,
      MutexDispatcherOf<W>::stopping_;

 public:
  void run(u32 workers) {
    Locked locked(*this);
    arrived_.set(0);
    finished_.set(0);
    workers_.set(workers);
    sequence_.set(sequence_.get() + 1);
    changed_.notify_all();
    while (finished_.get() != workers) this->sleep(changed_);
  }
  void stop(u32) {
    Locked locked(*this);
    stopping_.set(true);
    changed_.notify_all();
  }
  // known: the last sequence number that this worker has seen (R2).
  u32 next_task(u64& known) {
    Locked locked(*this);
    for (;;) {
      bool is_new = sequence_.get() != known;
      known = sequence_.get();
      if (is_new && arrived_.get() < workers_.get()) {
        changed_.notify_all();
        return this->take_number();
      }
      if (stopping_.get()) return stopped;
      this->sleep(changed_);
    }
  }
  void finished() {
    Locked locked(*this);
    finished_.set(finished_.get() + 1);
    changed_.notify_all();
  }

 private:
  ConditionOf<W> changed_;
  typename W::template Plain<u64> sequence_;  // R1 of mutex_dispatcher.h
};

}  // namespace keyhole::gc
