// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// MutexDispatcher: the common part of the dispatchers by mutex and condition (monitor_dispatcher.h,
// broadcast_dispatcher.h).
//
// R1: the mutex guards every field, also those of the derived class. A woken thread returns holding it.
#pragma once

#include "gc/gang/dispatcher.h"
#include "runtime/base/platform/condition.h"

namespace keyhole::gc {

template <typename W> class MutexDispatcherOf {
 public:
  void restart() {
    Locked locked(*this);
    stopping_.set(false);
  }
  u64 wake_ups() {
    Locked locked(*this);
    return wake_ups_.get();
  }

 protected:
  class Locked {
   public:
    explicit Locked(MutexDispatcherOf& dispatcher) : mutex_(dispatcher.mutex_) { mutex_.lock(); }
    ~Locked() { mutex_.unlock(); }
    Locked(const Locked&) = delete;

   private:
    typename W::Mutex& mutex_;
  };

  void sleep(ConditionOf<W>& condition) {
    condition.wait(mutex_);
    wake_ups_.set(wake_ups_.get() + 1);
  }
  u32 take_number() {
    u32 number = arrived_.get();
    arrived_.set(number + 1);
    return number;
  }

  // R1
  typename W::template Plain<u32> arrived_, finished_, workers_;  // of the current task
  typename W::template Plain<bool> stopping_;

 private:
  typename W::Mutex mutex_;
  typename W::template Plain<u64> wake_ups_;
};

}  // namespace keyhole::gc
