// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A policy with a tier of the test, without a booted VM and without the sampler: the test supplies the samples. The
// tier keeps each method that it is given until the test releases it.
#pragma once

#include <condition_variable>
#include <mutex>

#include "jit/code/policy.h"
#include "runtime/threads/safepoint.h"
#include "runtime/threads/thread_state.h"
#include "tests/jit/baseline/compiler_fixture.h"

namespace keyhole::testing {

class HeldTier final : public tiers::OptimisingTier {
 public:
  struct Given {
    Method* method;
    i32 loop;
    bool has_profile;
    bool was_counting;  // whether the newest code was profiled code when compile() began
    bool is_cancelled;  // whether the task was cancelled when it ended
    i64 budget = 0;
    bool is_loop_first = false;
    bool may_wait_for_profiles = false;
    u32 samples = 0, samples_on_top = 0;
  };

  Outcome compile(JavaThread* thread, tiers::CompileTask& task) MAY_SAFEPOINT override {
    Method* method = task.method();
    const CompiledCode* code = method->body.load()->compiled.load();
    Given given{method,
                task.request().loop,
                method->data.load() != nullptr,
                code->is_profiled,
                false,
                task.request().budget,
                task.request().is_loop_first,
                task.request().may_wait_for_profiles,
                task.request().samples,
                task.request().samples_on_top};
    Outcome outcome;
    {
      NativeScope native(thread);
      std::unique_lock lock(mutex_);
      held_ = method;
      changed_.notify_all();
      changed_.wait(lock, [&] { return may_go_ > 0; });
      --may_go_;
      held_ = nullptr;
      outcome = outcome_;
    }
    given.is_cancelled = task.is_cancelled();
    if (given.is_cancelled) outcome = Outcome::Cancelled;
    if (outcome == Outcome::OverBudget) task.set_cost(cost);
    if (outcome == Outcome::Unprofiled) task.note_unprofiled(unprofiled);
    if (defers_loops) task.defer_loop();
    std::unique_lock lock(mutex_);
    given_.push_back(given);
    changed_.notify_all();
    return outcome;
  }

  void forget(void*, u8) override {}
  void note_hot_outside_code(const Method* method) override { hot_outside_code = method; }  // sampled thread
  const Method* hot_outside_code = nullptr;
  i64 cost = 0;  // the cost that the tier reports for an over-budget method
  bool defers_loops = false;
  Method* unprofiled = nullptr;

  // Waits until a compiling thread is in compile(), and returns its method.
  Method* wait_until_held(JavaThread* thread) MAY_SAFEPOINT {
    BlockedScope blocked(thread);
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return held_ != nullptr; });
    return held_;
  }
  // Lets compile() of the held method return this outcome. Then waits until compile() has returned.
  Given let_go(JavaThread* thread, Outcome outcome) MAY_SAFEPOINT {
    BlockedScope blocked(thread);
    std::unique_lock lock(mutex_);
    usize done = given_.size() + 1;
    outcome_ = outcome;
    ++may_go_;
    changed_.notify_all();
    changed_.wait(lock, [&] { return given_.size() == done; });
    return given_.back();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  Method* held_ = nullptr;
  u32 may_go_ = 0;
  Outcome outcome_ = Outcome::Refused;
  std::vector<Given> given_;
};

class PolicyTest : public CompilerTest {
 protected:
  using State = tiers::Policy::State;
  using Outcome = tiers::OptimisingTier::Outcome;

  // Forgets all methods, so that those of one test are not hot in the next test.
  void TearDown() override {
    run_at_safepoint([] { policy().forget([](const Method*) { return true; }); });
  }

  static tiers::Policy& policy() { return *static_cast<tiers::Policy*>(interpreter::tier_policy()); }
  static const CompiledCode& code_of(const Method* method) { return *method->body.load()->compiled.load(); }

  // Reports samples in which the thread has these frames, innermost first. Before each sample a millisecond passes.
  static void sample(std::initializer_list<tiers::Seen> seen, u32 times = 1) {
    for (u32 i = 0; i < times; ++i) policy().note(thread_, std::span(seen.begin(), seen.size()), now_ += 1'000'000);
  }
  static constexpr i64 second = 1'000'000'000;
  static void pass(i64 nanoseconds) { now_ += nanoseconds; }

  // Makes the method hot, ends its profiling interval, and so puts it into the queue.
  static void make_queued(Method* method) {
    pass(second);
    sample({{method, 0}}, 5);
    pass(second);
    policy().end_expired_intervals(thread_, now_);
  }
  static void run_at_safepoint(const std::function<void()>& operation) {
    auto run = [&] { operation(); };
    safepoint::run(thread_, "Test", run);
  }
  // Waits until the method has this state, for five seconds at most. A compiling thread sets the state after compile()
  // has returned. Returns the state.
  static State wait_for_state(const Method* method, State state) {
    for (int i = 0; i < 5000 && policy().state_of(method) != state; ++i) {
      BlockedScope blocked(thread_);
      usleep(1000);
    }
    return policy().state_of(method);
  }

  static inline HeldTier tier_;
  // The tier is registered before any test suite of the program creates a compiler.
  static inline const bool is_registered_ = (tiers::register_tier(&tier_), true);
  static inline i64 now_ = 0;
};

}  // namespace keyhole::testing
