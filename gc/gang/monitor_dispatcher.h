// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Dispatch by one mutex and two conditions (the alternative of JDK-8087324): like the semaphores, but each woken thread
// has to take the mutex, and all created workers are woken for each task.
//
//   coordinator, under the mutex          worker, under the mutex
//   arrived = finished = 0; workers = n
//   start.notify_all          ------->    wait for start until arrived < workers; number = arrived++
//   wait for end until finished == n      ... the task, without the mutex ...
//        <-------------------------       ++finished == n: end.notify
//
// R2: arrived is n before run returns, so a late sleeper finds nothing to take until the next run.
#pragma once

#include "gc/gang/mutex_dispatcher.h"

namespace keyhole::gc {

template <typename W> class MonitorDispatcherOf : public MutexDispatcherOf<W> {
  using typename MutexDispatcherOf<W>::Locked;
  using MutexDispatcherOf<W>::arrived_, MutexDispatcherOf<W>::finished_, MutexDispatcherOf<W>::workers_,
      MutexDispatcherOf<W>::stopping_;

 public:
  void run(u32 workers) {
    Locked locked(*this);
    arrived_.set(0);
    finished_.set(0);
    workers_.set(workers);
    start_.notify_all();
    while (finished_.get() != workers) this->sleep(end_);
  }
  void stop(u32) {
    Locked locked(*this);
    stopping_.set(true);
    start_.notify_all();
  }
  u32 next_task(u64&) {
    Locked locked(*this);
    while (arrived_.get() == workers_.get() && !stopping_.get()) this->sleep(start_);
    return stopping_.get() ? stopped : this->take_number();
  }
  void finished() {
    Locked locked(*this);
    finished_.set(finished_.get() + 1);
    if (finished_.get() == workers_.get()) end_.notify_one();
  }

 private:
  ConditionOf<W> start_, end_;
};

}  // namespace keyhole::gc
