// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests MutexBench itself: it detects broken locks, runs the same way twice on the simulated machine, and every
// algorithm passes it there.
#include <gtest/gtest.h>

#include <algorithm>

#include "bench/mutexbench/hardware.h"
#include "bench/mutexbench/report.h"
#include "bench/mutexbench/simulated.h"
#include "runtime/base/flags.h"
#include "runtime/sync/monitor/monitor_settings.h"

namespace keyhole::mutexbench {
namespace {

// A simulated machine that ends the workload after `left` iterations.
struct Turns {
  u32 left;
  bool running() { return --left != 0; }
  void shared_steps(Protected& lock, u64 count) { take_steps(lock.generator, count); }
  void own_steps(std::mt19937&, u64) {}
};
// A lock whose lock() does nothing. A test checks that mutexbench notices the missing exclusion.
struct NoLock {
  void lock(u32) {}
  void unlock(u32) {}
};

TEST(MutexBench, CountsWhatItDid) {
  Parameters parameters{.threads = 1, .locks = 5, .lockset = 3, .critical_steps = 4};
  Locks locks(parameters);
  NoLock subject;
  Turns machine{100};
  Outcome outcome;
  outcome.seconds = 1;
  outcome.iterations.push_back(run_thread(subject, machine, locks, parameters, 0));
  locks.check_and_sum(outcome);
  EXPECT_EQ(outcome.violation, "");
  EXPECT_EQ(outcome.total(), 100u);
  EXPECT_EQ(outcome.acquisitions, 300u);
  u64 steps = 0;
  for (u32 i = 0; i < 5; ++i) steps += locks[i].steps;
  EXPECT_EQ(steps, 400u);
}

TEST(MutexBench, SeesTwoThreadsInside) {
  Parameters parameters{.threads = 2, .locks = 1, .lockset = 1, .critical_steps = 1};
  Locks locks(parameters);
  // Runs an iteration of the second thread while the first thread is inside the lock.
  struct Machine {
    Locks& locks;
    const Parameters& parameters;
    u32 left;
    bool running() { return --left != 0; }
    void shared_steps(Protected& lock, u64 count) {
      take_steps(lock.generator, count);
      if (parameters.threads == 2) {
        Parameters alone = parameters;
        alone.threads = 1;
        NoLock subject;
        Machine inner{locks, alone, 1};
        run_thread(subject, inner, locks, alone, 1);
      }
    }
    void own_steps(std::mt19937&, u64) {}
  };
  Outcome outcome;
  NoLock subject;
  Machine machine{locks, parameters, 1};
  outcome.iterations.push_back(run_thread(subject, machine, locks, parameters, 0));
  outcome.iterations.push_back(1);
  locks.check_and_sum(outcome);
  EXPECT_NE(outcome.violation, "");
}

TEST(MutexBench, SeesAGeneratorThatWasNotAdvancedInTurn) {
  Parameters parameters{.threads = 1, .locks = 1, .lockset = 1, .critical_steps = 2};
  Locks locks(parameters);
  NoLock subject;
  Turns machine{10};
  Outcome outcome;
  outcome.iterations.push_back(run_thread(subject, machine, locks, parameters, 0));
  locks[0].generator.discard(1);
  locks.check_and_sum(outcome);
  EXPECT_NE(outcome.violation, "");
}

TEST(MutexBench, FairnessIsJainsIndex) {
  Outcome outcome;
  outcome.iterations = {10, 10, 10, 10};
  EXPECT_DOUBLE_EQ(outcome.jain(), 1);
  outcome.iterations = {40, 0, 0, 0};
  EXPECT_DOUBLE_EQ(outcome.jain(), 0.25);
  outcome.acquisitions = 12;
  outcome.ownerships = 4;
  EXPECT_DOUBLE_EQ(outcome.run_length(), 3);
  EXPECT_DOUBLE_EQ(median({5, 1, 3}), 3);
  EXPECT_DOUBLE_EQ(median({4, 1, 3, 2}), 2.5);
}

TEST(Simulated, HasTheNamesOfTheVM) {
  std::vector<std::string_view> real = hardware_names();
  for (std::string_view name : simulated_names())
    EXPECT_NE(std::find(real.begin(), real.end(), name), real.end()) << name;
}

TEST(Simulated, EveryLockExcludesAndLetsEverybodyIn) {
  for (std::string_view name : simulated_names()) {
    SCOPED_TRACE(name);
    for (u32 cpus : {2u, 72u}) {
      Parameters parameters{.threads = 6,
                            .locks = 3,
                            .lockset = 2,
                            .critical_steps = 2,
                            .outside_steps = 50,
                            .cpus = cpus,
                            .seconds = 0.02};
      Outcome outcome = run_simulated(name, parameters);
      EXPECT_EQ(outcome.violation, "");
      EXPECT_GT(outcome.total(), 100u);
      for (u64 one : outcome.iterations) EXPECT_GT(one, 0u);
    }
  }
}

TEST(Simulated, TheSameSeedGivesTheSameFigures) {
  for (std::string_view name : {"lightweight", "hashchains", "cjm-by"}) {
    SCOPED_TRACE(name);
    Parameters parameters{.threads = 8, .critical_steps = 1, .outside_steps = 200, .seconds = 0.002};
    Outcome first = run_simulated(name, parameters);
    Outcome second = run_simulated(name, parameters);
    EXPECT_EQ(first.iterations, second.iterations);
    EXPECT_EQ(first.counters, second.counters);
    parameters.seed = 2;
    EXPECT_NE(run_simulated(name, parameters).iterations, first.iterations);
  }
}

TEST(Simulated, MonitorsFollowTheSuccessorVariant) {
  Parameters parameters{.threads = 8, .seconds = 0.002};
  auto choose = [](const char* variant) {
    flags::SuccessorVariant = variant;
    EXPECT_EQ(sync::initialize_monitors(), "");
  };
  choose("base");
  Outcome base = run_simulated("monitor", parameters);
  choose("v6-checked");
  Outcome other = run_simulated("monitor", parameters);
  choose("base");
  EXPECT_EQ(other.violation, "");
  EXPECT_NE(base.iterations, other.iterations);
  EXPECT_EQ(base.iterations, run_simulated("monitor", parameters).iterations);
}

// A lock that is busy for a fifth of the time is not heavily contended: the successor competes for it, and does not
// sleep.
TEST(Simulated, BoundedBypassKeepsThreadsGoingThatHaveWorkElsewhere) {
  Parameters parameters{.threads = 18, .critical_steps = 1, .outside_steps = 1000, .seconds = 0.01};
  f64 synchronized = run_simulated("lightweight", parameters).per_second();
  EXPECT_GT(run_simulated("cjm-by", parameters).per_second(), 0.7 * synchronized);
}

// Fields on the cache line of the object's header arrive together with the lock. Fields on the next cache line need one
// more transfer.
TEST(Simulated, FieldsBesideTheHeaderComeWithTheLock) {
  Parameters parameters{.threads = 8, .locks = 2048, .seconds = 0.001, .pattern = Pattern::rotate, .fields = 2};
  Outcome beside = run_simulated("lightweight", parameters);
  parameters.header = HeaderPlacement::line_end;
  Outcome line_end = run_simulated("lightweight", parameters);
  EXPECT_EQ(beside.violation, "");
  EXPECT_EQ(line_end.violation, "");
  EXPECT_GT(beside.per_second(), 1.2 * line_end.per_second());
}

TEST(Simulated, PromiscuousLocksChangeHandsWithoutContention) {
  Parameters parameters{.threads = 4, .locks = 256, .seconds = 0.002, .pattern = Pattern::rotate};
  Outcome rotate = run_simulated("lightweight", parameters);
  parameters.pattern = Pattern::own;
  Outcome own = run_simulated("lightweight", parameters);
  auto contended = static_cast<usize>(LockCounter::contended_enters);
  EXPECT_LT(rotate.counters[contended] * 20, rotate.total());
  EXPECT_EQ(own.counters[contended], 0u);
  // For nearly every acquisition, the previous owner was another thread.
  EXPECT_GT(rotate.ownerships * 2, rotate.acquisitions);
  EXPECT_LT(rotate.per_second(), own.per_second());
}

TEST(Hardware, EveryLockExcludes) {
  for (std::string_view name : hardware_names()) {
    SCOPED_TRACE(name);
    Parameters parameters{
        .threads = name == "none" ? 1u : 3u, .locks = 2, .critical_steps = 1, .outside_steps = 20, .seconds = 0.02};
    Outcome outcome = run_on_hardware(name, parameters);
    EXPECT_EQ(outcome.violation, "");
    EXPECT_GT(outcome.total(), 0u);
  }
}

}  // namespace
}  // namespace keyhole::mutexbench
