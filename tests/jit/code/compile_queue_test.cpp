// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the compile queue alone: order, bounds, removal of methods, pins, and many threads at once.
#include "jit/code/compile_queue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "jit/code/sampler.h"
#include "runtime/threads/safepoint.h"
#include "runtime/threads/thread_state.h"
#include "tests/jit/baseline/compiler_fixture.h"

namespace keyhole::tiers {
namespace {

class Queue : public testing::CompilerTest {
 protected:
  static CompileRequest request(Method* method, u32 samples) { return {.method = method, .samples = samples}; }
  static Method* some_method() { return make("()V", "return"); }
  // Makes a method of a class whose loader may die.
  static Method* mortal_method() {
    testing::ClassBuilder builder("Mortal" + std::to_string(++count_));
    builder.method(access::Static, "run", "()V", "return");
    testing::LooseClass loose = builder.loose();
    loose.enter(new LoaderData(LoaderKind::Other));
    return loose.method("run");
  }
};

TEST_F(Queue, GivesTheHottestFirstAndOfEqualsTheOldest) {
  CompileQueue queue(8);
  Method *cold = some_method(), *first = some_method(), *second = some_method();
  for (auto [method, samples] : {std::pair{cold, 5u}, {first, 7u}, {second, 7u}})
    EXPECT_FALSE(queue.put(request(method, samples)).has_value());
  for (Method* expected : {first, second, cold}) {
    auto task = queue.take();
    EXPECT_EQ(task->method(), expected);
    queue.finish(std::move(task));
  }
  EXPECT_EQ(queue.take(), nullptr);
}

TEST_F(Queue, SaysWhetherAnythingHasWaitedForLong) {
  CompileQueue queue(8);
  EXPECT_FALSE(queue.has_waited_since(1000));
  queue.put({.method = some_method(), .samples = 9, .since = 700});
  queue.put({.method = some_method(), .samples = 5, .since = 500});
  EXPECT_FALSE(queue.has_waited_since(500));
  EXPECT_TRUE(queue.has_waited_since(600));
  queue.finish(queue.take());
  EXPECT_TRUE(queue.has_waited_since(600));
  queue.finish(queue.take());
  EXPECT_FALSE(queue.has_waited_since(600));
}

TEST_F(Queue, HasAMethodOnce) {
  CompileQueue queue(8);
  Method *method = some_method(), *other = some_method();
  queue.put(request(method, 5));
  queue.put(request(other, 6));
  queue.put(request(method, 1));
  queue.warm(method, 1);         // `method` is now hotter than `other`
  queue.warm(some_method(), 9);  // a method that is not in the queue is ignored
  ASSERT_EQ(queue.contents().waiting.size(), 2u);
  auto task = queue.take();
  EXPECT_EQ(task->method(), method);
  EXPECT_EQ(task->request().samples, 7u);
  queue.put(request(method, 5));  // a request for a method that is being compiled is ignored
  EXPECT_EQ(queue.contents().waiting.size(), 1u);
  EXPECT_EQ(queue.contents().running.size(), 1u);
  queue.finish(std::move(task));
  queue.put(request(method, 5));
  EXPECT_EQ(queue.contents().waiting.size(), 2u);
}

TEST_F(Queue, GivesUpTheColdestWhenItIsFull) {
  CompileQueue queue(2);
  Method *first = some_method(), *second = some_method(), *third = some_method(), *fourth = some_method();
  queue.put(request(first, 5));
  queue.put(request(second, 6));
  EXPECT_EQ(queue.put(request(third, 5))->method, third);  // of methods with equal heat, the newest is given up
  EXPECT_EQ(queue.put(request(fourth, 9))->method, first);
  EXPECT_EQ(queue.take()->method(), fourth);
}

TEST_F(Queue, ForgetsWhatWaitsAndCancelsWhatRuns) {
  CompileQueue queue(8);
  Method *root = some_method(), *inlined = some_method(), *waiting = some_method(), *other = some_method();
  queue.put(request(root, 9));
  queue.put(request(waiting, 5));
  auto task = queue.take();
  task->look_at(inlined);
  queue.forget([&](const Method* method) { return method == waiting || method == other; });
  EXPECT_FALSE(task->is_cancelled());
  EXPECT_TRUE(queue.contents().waiting.empty());
  queue.forget([&](const Method* method) { return method == inlined; });
  EXPECT_TRUE(task->is_cancelled());
  queue.finish(std::move(task));
}

TEST_F(Queue, PinsTheUnitsOfWhatRunsAndOfNothingElse) {
  CompileQueue queue(8);
  Method *root = mortal_method(), *inlined = mortal_method();
  queue.put(request(root, 5));
  EXPECT_EQ(root->holder->unit->pins, 0u);
  auto task = queue.take();
  EXPECT_EQ(root->holder->unit->pins, 1u);
  task->look_at(inlined);
  task->look_at(inlined);
  task->look_at(some_method());  // its loader never dies
  EXPECT_EQ(inlined->holder->unit->pins, 1u);
  queue.finish(std::move(task));
  EXPECT_EQ(root->holder->unit->pins, 0u);
  EXPECT_EQ(inlined->holder->unit->pins, 0u);
}

// Each method that is put into the queue is taken, rejected or removed. No two threads compile one method at once.
TEST_F(Queue, LosesNothingAmongThreads) {
  constexpr u32 method_count = 40, rounds = 200, takers = 3;
  static CompileQueue queue(8);
  static std::array<Method*, method_count> methods;
  static std::array<std::atomic<u32>, method_count> running;
  static std::atomic<u32> ended, overlaps, takers_left;
  std::generate(methods.begin(), methods.end(), some_method);
  takers_left = takers;
  auto taker = [](JavaThread* thread) {
    for (bool is_last = false; !is_last;) {
      queue.wait(thread);
      auto task = queue.take();
      if (task == nullptr) continue;
      is_last = task->request().samples == ~0u;
      u32 index = static_cast<u32>(std::ranges::find(methods, task->method()) - methods.begin());
      if (index < method_count && running[index].fetch_add(1) != 0) ++overlaps;
      safepoint::poll(thread);
      if (index < method_count) {
        running[index].fetch_sub(1);
        ++ended;
      }
      queue.finish(std::move(task));
    }
    --takers_left;
  };
  for (u32 i = 0; i < takers; ++i) ASSERT_NE(threads::start(0, true, true, nullptr, nullptr, taker), nullptr);
  u32 entries = 0, forgotten = 0;
  for (u32 round = 0; round < rounds; ++round) {
    if (queue.put(request(methods[round % method_count], 1 + round % 7))) ++forgotten;
    ++entries;
    if (round % 16 == 0) {
      auto forget = [] { queue.forget([](const Method* method) { return method == methods[3]; }); };
      safepoint::run(thread_, "Forget", forget);
      EXPECT_TRUE(std::ranges::none_of(queue.contents().waiting,
                                       [](const CompileRequest& each) { return each.method == methods[3]; }));
    }
    safepoint::poll(thread_);
  }
  EXPECT_LE(queue.contents().waiting.size(), 8u);
  // Puts one end marker for each taker. Each marker is put into an empty queue, so the takers have taken all methods
  // before they take the markers.
  for (u32 i = 0; i < takers; ++i) {
    Method* end = some_method();
    while (!queue.contents().waiting.empty()) {  // waits until the takers have emptied the queue
      BlockedScope blocked(thread_);
      usleep(100);
    }
    queue.put(request(end, ~0u));
  }
  while (takers_left != 0) {  // waits until each taker has taken its end marker
    BlockedScope blocked(thread_);
    usleep(100);
  }
  EXPECT_EQ(overlaps, 0u);
  EXPECT_GT(ended, 0u);
  EXPECT_LE(ended + forgotten, entries);
  EXPECT_TRUE(queue.contents().running.empty());
}

TEST(Pace, TicksWhileTheProcessWorksAndSleepsWhenItIsIdle) {
  SamplingPace pace;
  constexpr i64 tick = SamplingPace::tick_nanoseconds;
  for (u32 i = 0; i < 100; ++i) EXPECT_EQ(pace.next(tick, tick / 10), SamplingPace::Next::Tick);
  for (u32 i = 1; i < SamplingPace::idle_ticks_before_sleep; ++i)
    EXPECT_EQ(pace.next(tick, tick / 100), SamplingPace::Next::Tick);
  EXPECT_EQ(pace.next(tick, tick), SamplingPace::Next::Tick);  // it restarts
  for (u32 i = 1; i < SamplingPace::idle_ticks_before_sleep; ++i)
    EXPECT_EQ(pace.next(tick, 0), SamplingPace::Next::Tick);
  EXPECT_EQ(pace.next(tick, 0), SamplingPace::Next::WhenBusy);
  EXPECT_EQ(pace.next(tick, 0), SamplingPace::Next::Tick);
}

TEST(Pace, IsSlowWhenNothingNewIsOnTop) {
  constexpr i64 patience = SamplingPace::patience_nanoseconds;
  EXPECT_EQ(SamplingPace::tick(patience - 1, 0), SamplingPace::tick_nanoseconds);
  EXPECT_EQ(SamplingPace::tick(patience, 0), SamplingPace::slow_tick_nanoseconds);
}

}  // namespace
}  // namespace keyhole::tiers
