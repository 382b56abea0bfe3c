// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Methods that wait for the optimising tier, and those that its compiling threads have taken.
//
//             put                    take: the one with most samples             finish
//   (none) ─────────> waiting ──────────────────────────────────────> running ───────────> (none)
//                      |   ^                                            |                     ^
//                      |   └ put again, warm: more samples              | forget              | finish
//                      |                                                v                     |
//                      └─> (none)                                   cancelled ────────────────┘
//                 full: the one with fewest samples; forget
//
// Q1: a method is here once, waiting or running. put() of a method that is here adds its samples, and no entry.
// Q2: put() never waits. When the queue is full an entry is given up: the coldest, which may be the new one.
// Q3: what waits keeps nothing alive. Classes that die, and methods that get other bodies, are forgotten with the world
//     stopped, before their memory is used again. So a pointer from take() is good until the thread's next safepoint.
// Q4: what runs is kept alive: take() pins the class unit of its method, CompileTask::look_at() that of each other
//     method, both before the next safepoint; finish() lets go of them.
// Q5: a task one of whose methods gets another body is cancelled. That happens with the world stopped: a tier that asks
//     is_cancelled() and installs its code without a safepoint between them installs no code of an old body.
// Q6: a compiling thread waits as Blocked, and holds nothing meanwhile. Nothing in the VM waits for a compiling thread.
//
// Capacity is small: an entry that has been overtaken so often was not hot.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "runtime/base/mutex.h"
#include "vm/link/class_unit.h"
#include "vm/link/method.h"

namespace keyhole::tiers {

struct CompileRequest {
  static constexpr i32 no_loop = -1;

  Method* method = nullptr;
  i32 loop = no_loop;      // bci of the header of the loop that was seen most
  u32 samples = 0;
  u32 number = 0;          // of the compilation (print_compilation.h)
};

// One method on a compiling thread, which alone uses it, while it is managed.
class CompileTask {
 public:
  explicit CompileTask(const CompileRequest& request) : request_(request) {}
  ~CompileTask();
  CompileTask(const CompileTask&) = delete;
  CompileTask& operator=(const CompileTask&) = delete;

  Method* method() const { return request_.method; }
  const CompileRequest& request() const { return request_; }
  // Before anything of another method (its cells, its profile) goes into the code: Q4, Q5. The method is known to live
  // since the thread's last safepoint, because what has led to it lives.
  void look_at(Method* method);
  bool is_cancelled() const { return is_cancelled_.load(std::memory_order_relaxed); }

 private:
  friend class CompileQueue;

  CompileRequest request_;
  std::vector<Method*> methods_;      // that it looks at
  std::vector<ClassUnit*> pinned_;    // their units, if mortal
  std::atomic<bool> is_cancelled_{false};
};

// What takes methods from the queue: the optimising tier.
class OptimisingTier {
 public:
  enum class Outcome : u8 { Installed, Refused, Cancelled };
  // Compiles and installs task.method(), with its profile (MethodData). On a compiling thread, managed; may become
  // native for long. Refused: never again. Cancelled: perhaps later, when it is hot again.
  virtual Outcome compile(JavaThread* thread, CompileTask& task) MAY_SAFEPOINT = 0;
  // Of code that is gone (CompiledCode::resource), whose memory is free already. World stopped, under the compiler's
  // lock; a compiling thread may be in compile(), native.
  virtual void forget(void* resource) = 0;

 protected:
  ~OptimisingTier() = default;
};

// The registered one (policy.h); null: there is none.
OptimisingTier* tier();

class CompileQueue {
 public:
  using IsGone = std::function<bool(const Method*)>;

  explicit CompileQueue(u32 capacity) : capacity_(capacity) {}

  // What was given up (Q2), or nothing. Managed thread.
  std::optional<CompileRequest> put(const CompileRequest& request);
  // More samples, if it waits.
  void warm(const Method* method, u32 samples);
  // Until something waits.
  void wait(JavaThread* thread) MAY_SAFEPOINT;
  // Null when nothing waits. Managed thread; reaches no safepoint.
  std::unique_ptr<CompileTask> take();
  void finish(std::unique_ptr<CompileTask> task);
  // World stopped.
  void forget(const IsGone& is_gone);

  struct Contents {
    std::vector<CompileRequest> running, waiting;   // waiting: the next one first
  };
  // Managed thread: the methods are good until its next safepoint.
  Contents contents() const;

 private:
  CompileRequest* find(const Method* method) REQUIRES(mutex_);

  const u32 capacity_;
  mutable Mutex mutex_{LockRank::compile_queue};
  ConditionVariable changed_;
  std::vector<CompileRequest> waiting_ GUARDED_BY(mutex_);
  std::vector<CompileTask*> running_ GUARDED_BY(mutex_);
};

}  // namespace keyhole::tiers
