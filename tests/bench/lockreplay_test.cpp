// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests that loads can be read as text and replayed on the simulated machine. The load of mutexbench takes as long
// there as mutexbench itself.
#include <gtest/gtest.h>

#include <random>

#include "bench/lockreplay/replay.h"
#include "bench/mutexbench/simulated.h"
#include "bench/mutexbench/simulated_rows.h"
#include "runtime/base/platform/cost_model.h"

namespace keyhole::lockreplay {
namespace {

using compare::LoadStep;
using compare::LockLoad;

LockLoad load_of(std::string_view text) {
  LockLoad load;
  EXPECT_EQ(compare::parse_load(text, load), "");
  return load;
}

// Returns the load of mutexbench with one lock and no work inside it.
LockLoad mutexbench_load(u32 threads, u32 outside_steps, u32 rounds) {
  LockLoad load;
  load.objects = 1;
  for (u32 i = 0; i < threads; ++i) {
    LockLoad::Thread& thread = load.threads.emplace_back();
    std::mt19937 random(i + 1);
    std::uniform_int_distribution<u32> steps(0, 2 * outside_steps - 1);
    for (u32 round = 0; round < rounds; ++round) {
      thread.steps.push_back({LoadStep::lock, 0});
      thread.steps.push_back({LoadStep::unlock, 0});
      thread.steps.push_back({LoadStep::work, 0, steps(random) * cost_model::generator_step / 1000});
    }
  }
  return load;
}

TEST(LockLoad, ComesBackFromItsText) {
  std::string_view text =
      "objects 2\nthread -\nw 1200\nl 0\nl 1\na 1 4\nu 1\nw 90\nu 0\nthread 0\ns 5000\nl 1\nn 1 4\nu 1\n";
  LockLoad load = load_of(text);
  EXPECT_EQ(compare::text_of(load), text);
  EXPECT_EQ(load.threads[0].after, LockLoad::nobody);
  EXPECT_EQ(load.threads[1].after, 0u);
  EXPECT_EQ(load.waits, 5);
  EXPECT_EQ(load.sums().locks, 3u);
  EXPECT_EQ(load.sums().inside, 90);
  EXPECT_EQ(load.sums().outside, 1200);
}

TEST(LockLoad, RefusesWhatNoThreadCanDo) {
  for (std::string_view text :
       {"w 1\n", "objects 1\nl 0\n", "objects 1\nthread -\nl 1\nu 1\n", "objects 1\nthread -\nu 0\n",
        "objects 1\nthread -\nl 0\n", "objects 2\nthread -\nl 0\nl 1\nu 0\nu 1\n",
        "objects 1\nthread -\nl 0\nthread -\nu 0\n", "objects 0\nthread 0\n", "objects 0\nthread 1\n",
        "objects 0\nthread -\nx 1\n", "objects 0\nthread -\nw\n", "objects 0\nthread -\nw -5\n",
        "objects 0\nthread -\nw 5 5\n", "objects 1\nthread -\nn 0 0\n", "objects 1\nthread -\nl 0\na 0\nu 0\n",
        "objects 0\nthread -\n\n", "objects x\n", "objects 4000000000\nthread -\n"}) {
    LockLoad load;
    EXPECT_NE(compare::parse_load(text, load), "") << text;
  }
}

// Tests two loads: in one the lock is always wanted, in the other seldom. Loads between these are not tested. Under
// them the seed decides whether a queue forms; the queue then stays, and determines how long a run takes.
TEST(LockReplay, TakesWhatMutexbenchTakes) {
  for (u32 outside_steps : {100u, 100'000u}) {
    LockLoad load = mutexbench_load(8, outside_steps, outside_steps == 100 ? 6000 : 500);
    for (std::string_view name : mutexbench::simulated_row_names()) {
      SCOPED_TRACE(testing::Message() << name << ", " << outside_steps << " steps outside");
      Replay one = replay(name, 72, load);
      ASSERT_EQ(one.end, Replay::End::done);
      f64 per_second = 1e9 * static_cast<f64>(load.sums().locks) / static_cast<f64>(one.nanoseconds);
      mutexbench::Parameters parameters{
          .threads = 8, .outside_steps = outside_steps, .cpus = 72, .seconds = static_cast<f64>(one.nanoseconds) / 1e9};
      f64 expected = mutexbench::run_simulated(name, parameters).per_second();
      EXPECT_NEAR(per_second / expected, 1, 0.15);
    }
  }
}

TEST(LockReplay, TheSameLoadTakesTheSameTime) {
  LockLoad load = mutexbench_load(4, 200, 500);
  EXPECT_EQ(replay("cjm-by", 36, load).nanoseconds, replay("cjm-by", 36, load).nanoseconds);
}

TEST(LockReplay, WorkOfThreadsOverlapsOnEnoughProcessors) {
  LockLoad load = load_of("objects 0\nthread -\nw 40000000\nthread -\nw 40000000\nthread -\nw 40000000\n");
  EXPECT_NEAR(static_cast<f64>(replay("lightweight", 8, load).nanoseconds), 40e6, 1e6);
  EXPECT_NEAR(static_cast<f64>(replay("lightweight", 1, load).nanoseconds), 120e6, 2e6);
}

TEST(LockReplay, WorkInsideALockDoesNotOverlap) {
  LockLoad load = load_of("objects 1\nthread -\nl 0\nw 3000000\nu 0\nthread -\nl 0\nw 3000000\nu 0\n");
  EXPECT_NEAR(static_cast<f64>(replay("lightweight", 8, load).nanoseconds), 6e6, 3e5);
}

TEST(LockReplay, AThreadBeginsWhenTheOneBeforeHasEnded) {
  LockLoad load = load_of("objects 0\nthread -\nw 2000000\nthread 0\nw 2000000\nthread 1\ns 2000000\n");
  EXPECT_NEAR(static_cast<f64>(replay("lightweight", 8, load).nanoseconds), 6e6, 3e5);
}

// Two waiters begin to wait before or after they are notified, and the notifications come in either order. Every
// algorithm is tested.
TEST(LockReplay, WaitsEndHoweverLateTheyBegin) {
  for (std::string_view name : mutexbench::simulated_row_names()) {
    for (u32 delay : {1, 900'000}) {
      for (u32 first : {0, 1}) {
        SCOPED_TRACE(testing::Message() << name << ", after " << delay << " ns, " << first << " first");
        std::string text = "objects 1\n";
        for (u32 waiter : {0, 1})
          text += fmt::format("thread -\nw {}\nl 0\nl 0\na 0 {}\nu 0\nu 0\n", delay + waiter * 1000, waiter);
        text += fmt::format("thread -\nw 300000\nl 0\nn 0 {}\nu 0\nw 1000\nl 0\nn 0 {}\nu 0\n", first, 1 - first);
        Replay one = replay(name, 4, load_of(text));
        EXPECT_EQ(one.end, Replay::End::done);
        EXPECT_GT(one.nanoseconds, 300'000);
        EXPECT_EQ(one.nanoseconds > 900'000, delay > 1);
      }
    }
  }
}

TEST(LockReplay, SaysThatItIsStuck) {
  EXPECT_EQ(replay("lightweight", 4, load_of("objects 1\nthread -\nl 0\na 0 0\nu 0\n")).end, Replay::End::stuck);
  EXPECT_EQ(replay("nonsense", 4, load_of("objects 0\nthread -\nw 1\n")).end, Replay::End::unknown);
}

}  // namespace
}  // namespace keyhole::lockreplay
