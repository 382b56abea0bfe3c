// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// WorkerGang: the collector's threads. run(n, work) calls work(0) .. work(n-1) side by side and returns when all are
// done.
//
//   no threads --first run of n > 1--> n threads, asleep <--> at work --stop--> no threads
//                                      more when a run needs more
//
// G1: work for one runs on the caller's thread: a round trip of two wake-ups would be longer than most of it.
// G2: threads are made when they are first needed, and stay. When one cannot be made the gang continues with those it
//     has and warns once; without any, the caller does all the work.
// G3: workers are not Java threads: they take no part in safepoints and touch objects only while the caller keeps the
//     world stopped.
// G4: stop joins every thread. The next run makes new ones.
//
// dispatcher.h has the protocols that start and await workers.
#pragma once

#include <pthread.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/capabilities.h"
#include "runtime/base/types.h"

namespace keyhole::gc {

// A dispatcher, called through virtual functions: two calls per task and worker.
class GangProtocol {
 public:
  virtual ~GangProtocol() = default;
  virtual void run(u32 workers) = 0;
  virtual void stop(u32 created) = 0;
  virtual void restart() = 0;
  virtual u32 next_task(u64& memory) = 0;
  virtual void finished() = 0;
  virtual u64 wake_ups() = 0;
};
// Makes the protocol of this name: semaphore, monitor or broadcast. Null for any other name.
std::unique_ptr<GangProtocol> make_gang_protocol(std::string_view name);

class WorkerGang {
 public:
  // maximum_workers: at least 1. `name`: the threads' names begin with it ("GC Thread" gives GC Thread#0 ...); at most
  // 11 characters.
  WorkerGang(std::string_view name, u32 maximum_workers, std::unique_ptr<GangProtocol> protocol);
  ~WorkerGang() { stop(); }
  WorkerGang(const WorkerGang&) = delete;

  // Calls work(number) on up to `workers` threads and returns their count. Each number below the count is used once.
  template <typename Work> u32 run(u32 workers, Work&& work) {
    auto call = [](void* context, u32 number)
                    CALLS_VISITOR { (*static_cast<std::remove_reference_t<Work>*>(context))(number); };
    return run_task(workers, call, &work);
  }

  // The number of workers to start for `items` of work: one for each `items_per_worker`, at least 2 if possible, at
  // most the maximum.
  u32 workers_for(u64 items, u64 items_per_worker) const;

  // Makes missing workers and returns how many of `workers` exist. Used for work whose parts must know their number.
  u32 available(u32 workers);

  void stop();
  u32 maximum_workers() const { return maximum_workers_; }
  u32 created_workers() const { return static_cast<u32>(threads_.size()); }
  u64 wake_ups() { return protocol_->wake_ups(); }

  // For tests: creating the nth thread from now on fails; 0 = never.
  void fail_creation_of(u32 nth) { fail_creation_of_ = nth; }

 private:
  using Invoke = void (*)(void* context, u32 number);

  u32 run_task(u32 workers, Invoke invoke, void* context);
  u32 ensure_created(u32 workers);
  bool create_one();
  void work_until_stopped();

  const std::string name_;
  const u32 maximum_workers_;
  const std::unique_ptr<GangProtocol> protocol_;
  std::vector<pthread_t> threads_;
  u32 fail_creation_of_ = 0;
  bool creation_failed_ = false;
  // The current task: written by the caller before the protocol's run, read by workers after next_task.
  Invoke invoke_ = nullptr;
  void* context_ = nullptr;
};

}  // namespace keyhole::gc
