// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Dispatch by one mutex and two conditions (the alternative of JDK-8087324): like the semaphores, but whoever is woken has to take the
// mutex, and all created workers are woken for each task.
//
//   coordinator, under the mutex          worker, under the mutex
//   to_start = n; arrived = finished = 0
//   start.notify_all          ------->    wait for start until to_start > 0; --to_start; number = arrived++
//   wait for end until finished == n      ... the task, without the mutex ...
//        <-------------------------       ++finished == n: end.notify
//
// R1: every field is under the mutex. to_start is 0 before run returns, so a late sleeper cannot take a number of the next task.
#pragma once

#include "gc/gang/dispatcher.h"
#include "runtime/base/platform/condition.h"

namespace keyhole::gc {

template <typename W> class MonitorDispatcherOf {
 public:
  void run(u32 workers) {
    mutex_.lock();
    to_start_.set(workers);
    arrived_.set(0);
    finished_.set(0);
    workers_.set(workers);
    start_.notify_all();
    while (finished_.get() != workers) sleep(end_);
    mutex_.unlock();
  }
  void stop(u32) {
    mutex_.lock();
    stopping_.set(true);
    start_.notify_all();
    mutex_.unlock();
  }
  void restart() {
    mutex_.lock();
    stopping_.set(false);
    mutex_.unlock();
  }

  u32 next_task(u64&) {
    mutex_.lock();
    while (to_start_.get() == 0 && !stopping_.get()) sleep(start_);
    u32 number = stopped;
    if (to_start_.get() != 0) {
      to_start_.set(to_start_.get() - 1);
      number = arrived_.get();
      arrived_.set(number + 1);
    }
    mutex_.unlock();
    return number;
  }
  void finished() {
    mutex_.lock();
    finished_.set(finished_.get() + 1);
    if (finished_.get() == workers_.get()) end_.notify_one();
    mutex_.unlock();
  }

  u64 wake_ups() {
    mutex_.lock();
    u64 result = wake_ups_.get();
    mutex_.unlock();
    return result;
  }

 private:
  void sleep(ConditionOf<W>& condition) {
    condition.wait(mutex_);
    wake_ups_.set(wake_ups_.get() + 1);
  }

  typename W::Mutex mutex_;
  ConditionOf<W> start_, end_;
  // R1: under mutex_
  typename W::template Plain<u32> to_start_, arrived_, finished_, workers_;
  typename W::template Plain<bool> stopping_;
  typename W::template Plain<u64> wake_ups_;
};

}  // namespace keyhole::gc
