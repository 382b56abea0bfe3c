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
// Q1: a method is here once, waiting or running. put() of a method that waits adds its samples, and no entry; put() of
//     one that runs gives the new request up.
// Q2: put() never waits. When the queue is full an entry is given up: the coldest, which may be the new one.
// Q3: what waits keeps nothing alive. Classes that die, and methods that get other bodies, are forgotten with the world
//     stopped, before their memory is used again. So a pointer from take() is good until the thread's next safepoint.
// Q4: what runs is kept alive: take() pins the class unit of its method, CompileTask::look_at() that of each other
//     method, both before the next safepoint; finish() lets go of them.
// Q5: a task one of whose methods gets another body is cancelled. That happens with the world stopped: a tier that asks
//     is_cancelled() and installs its code without a safepoint between them installs no code of an old body.
// Q6: a compiling thread waits as Blocked, and holds nothing meanwhile. Nothing in the VM waits for a compiling thread.
// Q7: who is to end may have been told of what waits in place of another thread. wake_all() tells that one, too.
//
// Capacity is small: an entry that has been overtaken so often was not hot. A few dozen entries in no order, searched
// as a whole.
//
// A template over a world, the VM's (tier_world.h) or the model checker's (tests/model/protocol_compiling.cpp):
//
//   W::Method, W::Unit, W::Thread
//   W::mortal_unit_of(method)   the class unit with which it dies; null: it lives for ever
//   W::pin(unit), W::unpin(unit)
//   W::Mutex(rank), W::Lock, W::Condition, W::BlockedScope, W::Atomic<T>
#pragma once

#include <algorithm>
#include <atomic>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "runtime/base/capabilities.h"
#include "runtime/base/held_locks.h"
#include "runtime/base/types.h"

namespace keyhole::tiers {

template <typename W> struct CompileRequestOf {
  static constexpr i32 no_loop = -1;

  typename W::Method* method = nullptr;
  i32 loop = no_loop;      // bci of the header of the loop that was seen most
  u32 samples = 0, samples_on_top = 0;
  u32 number = 0;          // of the compilation (print_compilation.h)
  i64 since = 0;           // when it was made
  bool is_loop_alone = false;   // the method has optimised code, but its frames stay in this loop
  bool is_loop_first = false;   // its frame has not ended for long
  bool may_wait_for_profiles = false;   // of what it inlines: Outcome::Unprofiled is an answer
  i64 budget = std::numeric_limits<i64>::max();   // nanoseconds that compiling it may take (P11 of the tier policy)
};

template <typename W> class CompileQueueOf;

// One method on a compiling thread, which alone uses it, while it is managed.
template <typename W> class CompileTaskOf {
 public:
  using Method = typename W::Method;
  using Unit = typename W::Unit;

  explicit CompileTaskOf(const CompileRequestOf<W>& request) : request_(request) {}
  ~CompileTaskOf() {
    for (Unit* unit : pinned_) W::unpin(unit);
  }
  CompileTaskOf(const CompileTaskOf&) = delete;
  CompileTaskOf& operator=(const CompileTaskOf&) = delete;

  Method* method() const { return request_.method; }
  const CompileRequestOf<W>& request() const { return request_; }
  // Before anything of another method (its cells, its profile) goes into the code: Q4, Q5. The method is known to live
  // since the thread's last safepoint, because what has led to it lives.
  void look_at(Method* method) {
    if (std::find(methods_.begin(), methods_.end(), method) != methods_.end()) return;
    methods_.push_back(method);
    Unit* unit = W::mortal_unit_of(method);
    if (unit == nullptr || std::find(pinned_.begin(), pinned_.end(), unit) != pinned_.end()) return;
    W::pin(unit);
    pinned_.push_back(unit);
  }
  void set_budget(i64 budget) { request_.budget = budget; }
  void let_wait_for_profiles(bool may) { request_.may_wait_for_profiles = may; }
  // The compile cost that the tier expects, in nanoseconds: above the budget.
  void set_cost(i64 cost) { cost_ = cost; }
  i64 cost() const { return cost_; }
  // Methods that it inlines without knowing what they call.
  void note_unprofiled(Method* method) {
    if (std::find(unprofiled_.begin(), unprofiled_.end(), method) == unprofiled_.end()) unprofiled_.push_back(method);
  }
  const std::vector<Method*>& unprofiled() const { return unprofiled_; }
  // The method's code is installed, and the loop's has to wait.
  void leave_out_loop() { has_left_out_loop_ = true; }
  bool has_left_out_loop() const { return has_left_out_loop_; }
  bool is_cancelled() const { return is_cancelled_.load(std::memory_order_relaxed); }

 private:
  friend class CompileQueueOf<W>;

  CompileRequestOf<W> request_;
  i64 cost_ = 0;
  bool has_left_out_loop_ = false;
  std::vector<Method*> methods_;   // that it looks at
  std::vector<Method*> unprofiled_;
  std::vector<Unit*> pinned_;      // their units, if mortal
  typename W::template Atomic<bool> is_cancelled_{false};
};

template <typename W> class CompileQueueOf {
 public:
  using Method = typename W::Method;
  using Request = CompileRequestOf<W>;
  using Task = CompileTaskOf<W>;
  using IsGone = std::function<bool(const Method*)>;

  explicit CompileQueueOf(u32 capacity) : capacity_(capacity) {}

  // What was given up (Q1, Q2), or nothing. Managed thread.
  std::optional<Request> put(const Request& request) {
    typename W::Lock guard(mutex_);
    if (Request* known = find(request.method)) {
      known->samples += request.samples;
      return {};
    }
    auto is_same = [&](const Task* task) { return task->method() == request.method; };
    if (std::any_of(running_.begin(), running_.end(), is_same)) return request;
    waiting_.push_back(request);
    std::optional<Request> given_up;
    if (waiting_.size() > capacity_) {
      // Of equals the newest: those that have waited longer are nearer to their turn.
      auto coldest = std::min_element(waiting_.rbegin(), waiting_.rend(), has_fewer);
      given_up = *coldest;
      waiting_.erase(std::next(coldest).base());
    }
    changed_.notify_one();
    return given_up;
  }
  // More samples, if it waits.
  void warm(const Method* method, u32 samples) {
    typename W::Lock guard(mutex_);
    if (Request* known = find(method)) known->samples += samples;
  }
  // Until something waits, or `is_enough`: whoever lets that be true calls wake_all() afterwards.
  void wait(typename W::Thread* thread, const typename W::template Atomic<bool>& is_enough) MAY_SAFEPOINT {
    typename W::BlockedScope blocked(thread);
    typename W::Lock guard(mutex_);
    while (waiting_.empty() && !is_enough.load(std::memory_order_relaxed)) changed_.wait(mutex_);
  }
  void wait(typename W::Thread* thread) MAY_SAFEPOINT {
    const typename W::template Atomic<bool> never{false};
    wait(thread, never);
  }
  void wake_all() {
    typename W::Lock guard(mutex_);
    changed_.notify_all();
  }
  // Does anything wait that was requested before?
  bool has_waited_since(i64 time) const {
    typename W::Lock guard(mutex_);
    return std::ranges::any_of(waiting_, [time](const Request& request) { return request.since < time; });
  }
  // Null when nothing waits. Managed thread; reaches no safepoint.
  std::unique_ptr<Task> take() {
    std::unique_ptr<Task> task;
    {
      typename W::Lock guard(mutex_);
      if (waiting_.empty()) return nullptr;   // another thread was faster, or it has been forgotten
      auto hottest = std::max_element(waiting_.begin(), waiting_.end(), has_fewer);   // of equals the oldest
      task = std::make_unique<Task>(*hottest);
      waiting_.erase(hottest);
      running_.push_back(task.get());
    }
    task->look_at(task->method());   // Q4: no safepoint since Q3
    return task;
  }
  void finish(std::unique_ptr<Task> task) {
    typename W::Lock guard(mutex_);
    std::erase(running_, task.get());
  }
  // World stopped.
  void forget(const IsGone& is_gone) {
    typename W::Lock guard(mutex_);
    std::erase_if(waiting_, [&](const Request& request) { return is_gone(request.method); });
    for (Task* task : running_) {
      if (std::any_of(task->methods_.begin(), task->methods_.end(), is_gone))
        task->is_cancelled_.store(true, std::memory_order_relaxed);
    }
  }

  struct Contents {
    std::vector<Request> running, waiting;   // waiting: the next one first
  };
  // Managed thread: the methods are good until its next safepoint.
  Contents contents() const {
    typename W::Lock guard(mutex_);
    Contents all;
    for (const Task* task : running_) all.running.push_back(task->request());
    all.waiting = waiting_;
    std::sort(all.waiting.begin(), all.waiting.end(), [](const Request& left, const Request& right) {
      return left.samples != right.samples ? left.samples > right.samples : left.number < right.number;
    });
    return all;
  }

 private:
  static bool has_fewer(const Request& left, const Request& right) { return left.samples < right.samples; }
  Request* find(const Method* method) REQUIRES(mutex_) {
    auto found = std::find_if(waiting_.begin(), waiting_.end(),
                              [&](const Request& request) { return request.method == method; });
    return found == waiting_.end() ? nullptr : &*found;
  }

  const u32 capacity_;
  mutable typename W::Mutex mutex_{LockRank::compile_queue};
  typename W::Condition changed_;
  std::vector<Request> waiting_ GUARDED_BY(mutex_);
  std::vector<Task*> running_ GUARDED_BY(mutex_);
};

}  // namespace keyhole::tiers
