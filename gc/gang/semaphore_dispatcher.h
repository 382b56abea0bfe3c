// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Dispatch by two semaphores (JDK-8087324): no woken thread takes a lock, and few are woken in vain.
//
//   coordinator                          worker
//   arrived = 0; unfinished = n
//   start.signal(n)          ------->    start.wait()            one permit, one number
//   end.await(5 us)                      number = arrived++
//   not yet: start.wake_rest()           ... the task ...
//   end.wait()
//        <-------------------------      --unfinished == 0: end.signal()
//
// A number is not tied to a worker: a worker that is awake and finds permits takes them, and sleeping ones are woken
// one after the other while there are permits (semaphore.h, R3). Running workers do a short task; a longer one, or one
// whose workers wait for each other, gets all of them.
//
// R1: `arrived` and `unfinished` are reset while no permit is left and no number is in use: all n finished before end
//     was signalled.
// R2: --unfinished is acquire and release: the last worker has seen what the others wrote, and publishes it by end.
// R3: stopping is written before stop signals its permits; as run has returned, there are no others.
#pragma once

#include "gc/gang/dispatcher.h"
#include "runtime/base/platform/semaphore.h"

namespace keyhole::gc {

template <typename W> class SemaphoreDispatcherOf {
 public:
  void run(u32 workers) {
    arrived_.store(0, std::memory_order_relaxed);  // R1
    unfinished_.store(workers, std::memory_order_relaxed);
    start_.signal(static_cast<i32>(workers));
    if (!end_.await(short_task_reads)) start_.wake_rest();
    count(end_.wait());
  }
  void stop(u32 created) {
    stopping_.store(true, std::memory_order_relaxed);  // R3
    start_.signal(static_cast<i32>(created));
    start_.wake_rest();
  }
  void restart() { stopping_.store(false, std::memory_order_relaxed); }

  u32 next_task(u64&) {
    count(start_.wait());
    if (stopping_.load(std::memory_order_relaxed)) return stopped;
    return arrived_.fetch_add(1, std::memory_order_relaxed);
  }
  void finished() {
    if (unfinished_.fetch_sub(1, std::memory_order_acq_rel) == 1) end_.signal();  // R2
  }

  u64 wake_ups() const { return wake_ups_.load(std::memory_order_relaxed); }

 private:
  void count(u32 sleeps) {
    if (sleeps != 0) wake_ups_.fetch_add(sleeps, std::memory_order_relaxed);
  }

  // The two counters are on separate cache lines, because arriving and leaving workers write them.
  // The coordinator spins this long for a short task: about as long as a thread takes to reach its CPU. Sleeping would
  // cost as much again.
  static constexpr u32 short_task_reads = 200;

  alignas(64) SemaphoreOf<W> start_;
  typename W::template Atomic<u32> arrived_{0};
  typename W::template Atomic<bool> stopping_{false};
  alignas(64) typename W::template Atomic<u32> unfinished_{0};
  SemaphoreOf<W> end_;
  typename W::template Atomic<u64> wake_ups_{0};
};

}  // namespace keyhole::gc
