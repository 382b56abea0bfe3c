// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Compile queue: the methods that wait for a compiler, and the methods that compiling threads have taken. Each request
// is for a level (vm/code/compiled_code.h), and each compiling thread takes requests for one level.
//
//             put                    take: the one with most samples             finish
//   (none) ─────────> waiting ──────────────────────────────────────> running ───────────> (none)
//                      |   ^                                            |                     ^
//                      |   └ put again, warm: more samples              | forget              | finish
//                      |                                                v                     |
//                      └─> (none)                                   cancelled ────────────────┘
//                 full: the one with fewest samples; forget
//
// Q1: a method is in the queue at most once, waiting or running. If the method waits, put() adds the new request's
//     samples to its entry. If the method runs, put() drops the new request.
// Q2: put() never waits. When the queue has too many entries for a level, put() drops the coldest entry of that level,
//     which may be the new one.
// Q3: a waiting entry keeps neither its method nor its class alive. When a class dies or a method gets another body,
//     its entries are removed with the world stopped, before the memory is reused. So a method that take() returns is
//     valid until the thread's next safepoint.
// Q4: a running task keeps its methods alive. Before the next safepoint, take() pins the class unit of the task's
//     method, and CompileTask::look_at() pins the class unit of each other method. finish() unpins them.
// Q5: a task is cancelled when one of its methods gets another body, which happens with the world stopped. So a tier
//     never installs code of an old body if it checks is_cancelled() before it installs, and reaches no safepoint
//     between the two.
// Q6: a compiling thread that waits for a request is in the state Blocked and holds no lock. No thread of the VM waits
//     for a compiling thread.
// Q7: a compiling thread that ends may have received the only notification of an entry. So the thread that tells
//     compiling threads to end calls wake_all(), which also wakes the compiling threads that stay.
//
// The capacity is small: a method that many hotter methods have overtaken is not worth compiling. The queue is an
// unsorted array of a few dozen entries, and each operation searches all of them.
//
// The queue is a template over a world W: the VM (tier_world.h) or the model checker
// (tests/model/protocol_compiling.cpp). It needs:
//
//   W::Method, W::Unit, W::Thread
//   W::mortal_unit_of(method)   the class unit that the method dies with; null: it is never unloaded
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
#include "vm/code/compiled_code.h"

namespace keyhole::tiers {

template <typename W> struct CompileRequestOf {
  static constexpr i32 no_loop = -1;

  typename W::Method* method = nullptr;
  i32 loop = no_loop;  // the bci of the header of the loop that has most samples; OSR code is compiled for it
  u32 samples = 0, samples_on_top = 0;
  u8 level = optimised_level;
  u32 number = 0;  // number of the compilation (print_compilation.h)
  i64 since = 0;   // time of the request
  // true: compile only OSR code for the loop; the method has optimised code, but its frames stay in this loop
  bool is_loop_alone = false;
  // true: compile the loop before the method's entry, because the profiling interval counted no call. Frames of the
  // method stay in the loop then.
  bool is_loop_first = false;
  // true: the tier may return Outcome::Unprofiled, to wait for profiles of methods that it would inline
  bool may_wait_for_profiles = false;
  i64 budget = std::numeric_limits<i64>::max();  // the nanoseconds that the compilation may take (compile_budget.h P11)
};

template <typename W> class CompileQueueOf;

// CompileTask: one method that a compiling thread compiles. Only that thread uses the task, and only while the thread
// is managed.
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
  // Adds a method to the task. For every method except method(), the compiler calls this before it uses the method's
  // instructions, profile or other data (Q4, Q5). The caller must know that the method has been alive since the
  // thread's last safepoint, for example because a live method refers to it.
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
  // Sets the method's expected compile cost in nanoseconds. The tier calls this when the cost is above the budget.
  void set_cost(i64 cost) { cost_ = cost; }
  i64 cost() const { return cost_; }
  // Notes that this compilation would inline `method`, which has no profile yet.
  void note_unprofiled(Method* method) {
    if (std::find(unprofiled_.begin(), unprofiled_.end(), method) == unprofiled_.end()) unprofiled_.push_back(method);
  }
  const std::vector<Method*>& unprofiled() const { return unprofiled_; }
  // Notes that the method's code is installed, but its loop is deferred: the loop is over budget, or a callee has no
  // profile.
  void defer_loop() { has_deferred_loop_ = true; }
  bool has_deferred_loop() const { return has_deferred_loop_; }
  bool is_cancelled() const { return is_cancelled_.load(std::memory_order_relaxed); }

 private:
  friend class CompileQueueOf<W>;

  CompileRequestOf<W> request_;
  i64 cost_ = 0;
  bool has_deferred_loop_ = false;
  std::vector<Method*> methods_;  // passed to look_at
  std::vector<Method*> unprofiled_;
  std::vector<Unit*> pinned_;  // the class units of the methods in methods_; they are not unloaded before the task ends
  typename W::template Atomic<bool> is_cancelled_{false};
};

template <typename W> class CompileQueueOf {
 public:
  using Method = typename W::Method;
  using Request = CompileRequestOf<W>;
  using Task = CompileTaskOf<W>;
  using IsGone = std::function<bool(const Method*)>;

  explicit CompileQueueOf(u32 capacity) : capacity_(capacity) {}

  // Adds a request, and returns the request that the queue has dropped, if any. If the request's method is waiting
  // already, adds the samples to its entry. If the method is being compiled, drops the new request (Q1). If the queue
  // has too many entries for the level, drops the coldest entry, which may be the new one (Q2). Called on a managed
  // thread.
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
    if (count(request.level) > capacity_) {
      // If several entries are coldest, drops the newest of them, because the others have waited longer.
      auto coldest = waiting_.end();
      for (auto each = waiting_.begin(); each != waiting_.end(); ++each) {
        if (each->level == request.level && (coldest == waiting_.end() || !has_fewer(*coldest, *each))) coldest = each;
      }
      given_up = *coldest;
      waiting_.erase(coldest);
    }
    changed(request.level).notify_one();
    return given_up;
  }
  // Adds samples to the method's entry if the method is waiting in the queue.
  void warm(const Method* method, u32 samples) {
    typename W::Lock guard(mutex_);
    if (Request* known = find(method)) known->samples += samples;
  }
  // Blocks until an entry for the level waits, or `is_enough` is true. The thread that sets `is_enough` must call
  // wake_all() afterwards.
  void wait(typename W::Thread* thread, const typename W::template Atomic<bool>& is_enough, u8 level = optimised_level)
      MAY_SAFEPOINT {
    typename W::BlockedScope blocked(thread);
    typename W::Lock guard(mutex_);
    while (count(level) == 0 && !is_enough.load(std::memory_order_relaxed)) changed(level).wait(mutex_);
  }
  void wait(typename W::Thread* thread, u8 level = optimised_level) MAY_SAFEPOINT {
    const typename W::template Atomic<bool> never{false};
    wait(thread, never, level);
  }
  void wake_all() {
    typename W::Lock guard(mutex_);
    optimised_changed_.notify_all();
    middle_changed_.notify_all();
  }
  // Whether a request for the level was queued before `time` and is still waiting.
  bool has_waited_since(i64 time, u8 level = optimised_level) const {
    typename W::Lock guard(mutex_);
    return std::ranges::any_of(waiting_,
                               [=](const Request& request) { return request.level == level && request.since < time; });
  }
  // Takes the hottest entry for the level from the queue. Returns null if no entry for the level waits. Called on a
  // managed thread; reaches no safepoint.
  std::unique_ptr<Task> take(u8 level = optimised_level) {
    std::unique_ptr<Task> task;
    {
      typename W::Lock guard(mutex_);
      auto hottest = waiting_.end();  // of several hottest entries, the oldest one is taken
      for (auto each = waiting_.begin(); each != waiting_.end(); ++each) {
        if (each->level == level && (hottest == waiting_.end() || has_fewer(*hottest, *each))) hottest = each;
      }
      // No entry waits: after wait() had returned, forget() or another compiling thread removed the last one.
      if (hottest == waiting_.end()) return nullptr;
      task = std::make_unique<Task>(*hottest);
      waiting_.erase(hottest);
      running_.push_back(task.get());
    }
    task->look_at(task->method());  // Q4: no safepoint since Q3
    return task;
  }
  void finish(std::unique_ptr<Task> task) {
    typename W::Lock guard(mutex_);
    std::erase(running_, task.get());
  }
  // Drops the waiting entries whose methods are gone, and cancels the running tasks that use such methods. Called while
  // the world is stopped.
  void forget(const IsGone& is_gone) {
    typename W::Lock guard(mutex_);
    std::erase_if(waiting_, [&](const Request& request) { return is_gone(request.method); });
    for (Task* task : running_) {
      if (std::any_of(task->methods_.begin(), task->methods_.end(), is_gone))
        task->is_cancelled_.store(true, std::memory_order_relaxed);
    }
  }

  struct Contents {
    std::vector<Request> running, waiting;  // waiting: the next one first
  };
  // The content of the queue. Called on a managed thread; the methods are valid until its next safepoint.
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
  auto& changed(u8 level) REQUIRES(mutex_) { return level == middle_level ? middle_changed_ : optimised_changed_; }
  usize count(u8 level) const REQUIRES(mutex_) {
    return static_cast<usize>(std::ranges::count(waiting_, level, &Request::level));
  }
  static bool has_fewer(const Request& left, const Request& right) { return left.samples < right.samples; }
  Request* find(const Method* method) REQUIRES(mutex_) {
    auto found = std::find_if(waiting_.begin(), waiting_.end(),
                              [&](const Request& request) { return request.method == method; });
    return found == waiting_.end() ? nullptr : &*found;
  }

  const u32 capacity_;
  mutable typename W::Mutex mutex_{LockRank::compile_queue};
  // One condition per level: signalled when an entry for the level is added.
  typename W::Condition middle_changed_, optimised_changed_;
  std::vector<Request> waiting_ GUARDED_BY(mutex_);
  std::vector<Task*> running_ GUARDED_BY(mutex_);
};

}  // namespace keyhole::tiers
