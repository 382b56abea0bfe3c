// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Termination of workers that make work for each other: they are done when all are idle at the same time. Over a World.
//
//   worker      busy --own queue empty, nothing to steal--> idle --sees a queue that is not empty--> busy
//                                                             |
//                                                   the last one becomes idle: all are done
//
// T1: a worker becomes idle only with its own queue empty, and only a busy worker pushes. So when `idle` reaches the
//     number of workers there is no work anywhere, and never will be.
// T2: that state is final: a worker becomes busy again only by lowering `idle` by a CAS from a value below the number
//     of workers.
// T3: idle workers sleep on `epoch`. The last one to become idle raises it and wakes all. A worker that has pushed
//     raises it when another sleeps. It reads without a fence and may miss a sleeper: that costs help, not correctness,
//     because by T1 the worker that has the work does it.
#pragma once

#include "runtime/base/platform/world.h"

namespace keyhole::gc {

template <typename W> class TerminatorOf {
 public:
  // Called while no worker runs.
  void reset(u32 workers) {
    workers_ = static_cast<i32>(workers);
    idle_.store(0, std::memory_order_relaxed);
  }

  // Called by a worker without work. True: all workers are done. False: has_work() was true, and the caller is busy
  // again.
  template <typename HasWork> bool offer(HasWork&& has_work) {
    i32 seen = epoch_.load(std::memory_order_acquire);
    if (idle_.fetch_add(1, std::memory_order_acq_rel) + 1 == workers_) {
      epoch_.fetch_add(1, std::memory_order_release);  // T3
      if (workers_ > 1) W::wake(epoch_, workers_);
      return true;
    }
    for (;;) {
      i32 idle = idle_.load(std::memory_order_acquire);
      while (idle != workers_ && has_work()) {
        // T2
        if (idle_.compare_exchange_strong(idle, idle - 1, std::memory_order_acq_rel, std::memory_order_acquire))
          return false;
      }
      if (idle == workers_) return true;
      if (!W::spin_until(epoch_, [&](i32 now) { return now != seen; }, spin_reads)) {
        sleeping_.fetch_add(1, std::memory_order_relaxed);
        W::wait_on(epoch_, seen, forever);
        sleeping_.fetch_sub(1, std::memory_order_relaxed);
      }
      seen = epoch_.load(std::memory_order_acquire);
    }
  }
  // Whether some worker is idle: a hint to share work.
  bool somebody_idle() const { return idle_.load(std::memory_order_relaxed) != 0; }
  // Called by a busy worker that has pushed work which others may steal (T3).
  void announce() {
    if (sleeping_.load(std::memory_order_relaxed) == 0) return;
    epoch_.fetch_add(1, std::memory_order_release);
    W::wake(epoch_, 1);
  }

 private:
  static constexpr u32 spin_reads = 500;

  i32 workers_ = 1;
  alignas(64) typename W::template Atomic<i32> idle_{0};
  alignas(64) typename W::template Atomic<i32> epoch_{0};
  typename W::template Atomic<i32> sleeping_{0};
};

}  // namespace keyhole::gc
