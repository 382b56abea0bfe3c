// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests how an adaptive monitor chooses its regime by trials (runtime/sync/monitor/regime.h). Each load has a given
// rate of acquisitions in each regime.
#include "runtime/sync/monitor/regime.h"

#include <gtest/gtest.h>

#include <functional>
#include <utility>

namespace keyhole::test {
namespace {

// A world in which another thread runs in the middle of an operation. Each read of the clock and each access to a cell
// is a step. After the chosen step, the whole function `other` runs.
struct Steps {
  static inline std::function<void()> other;
  static inline u32 left = 0;  // the number of steps until `other` runs; if 0, `other` does not run
  static void step() {
    if (left != 0 && --left == 0) std::exchange(other, nullptr)();
  }
};
template <typename T> class SteppingAtomic {
 public:
  SteppingAtomic() = default;
  SteppingAtomic(T value) : value_(value) {}
  T load(std::memory_order) const {
    T seen = value_;
    Steps::step();
    return seen;
  }
  void store(T value, std::memory_order) {
    value_ = value;
    Steps::step();
  }
  T exchange(T value, std::memory_order) {
    T before = std::exchange(value_, value);
    Steps::step();
    return before;
  }

 private:
  T value_{};
};
struct ClockWorld {
  template <typename T> using Atomic = SteppingAtomic<T>;
  static inline i64 now = 0;
  static i64 now_nanoseconds() {
    i64 seen = now;
    Steps::step();
    return seen;
  }
};
using Trial = sync::RegimeTrialOf<ClockWorld>;
using Regime = Trial::Regime;

class RegimeTest : public testing::Test {
 protected:
  // Runs the load for `microseconds` in the current regime. Returns how many microseconds were in the regime Quanta.
  u32 pass(f64 competing, f64 quanta, u32 microseconds) {
    ClockWorld::now += i64{microseconds} * 1000;
    acquisitions += (regime == Regime::Quanta ? quanta : competing) * microseconds;
    count.store(static_cast<u32>(acquisitions) / 8 * 8, std::memory_order_relaxed);
    return regime == Regime::Quanta ? microseconds : 0;
  }
  // Runs the load for step_microseconds. Then a thread finds the monitor contended, and ends the current window of the
  // trial if the window has lasted long enough.
  u32 step(f64 competing, f64 quanta) {
    u32 in_quanta = pass(competing, quanta, step_microseconds);
    regime = trial.at_contention(settings, count);
    return in_quanta;
  }
  // Runs the load. `competing` and `quanta` are the acquisitions per microsecond in each regime. Returns the share of
  // the time that was spent in the regime Quanta.
  f64 run(f64 competing, f64 quanta, u32 microseconds) {
    u32 in_quanta = 0;
    for (u32 i = 0; i < microseconds; i += step_microseconds) in_quanta += step(competing, quanta);
    return static_cast<f64>(in_quanta) / microseconds;
  }
  // Runs the load with a second thread. In every fiftieth operation, the first thread is preempted after the step
  // `after_step`, and the second thread ends windows of the trial. Then other threads use the monitor for the length of
  // one more window.
  f64 run_interrupted(f64 competing, f64 quanta, u32 microseconds, u32 after_step) {
    u32 in_quanta = 0, others = 0;
    for (u32 i = 0, operation = 1; i < microseconds; i += step_microseconds, ++operation) {
      if (operation % 50 == 0) {
        // Step 1: pass() stores the count. Step 2: at_contention() makes its first read.
        Steps::left = after_step + 2;
        Steps::other = [&] {
          const u32 longest = settings.longest_window_microseconds, window = settings.window_microseconds;
          for (u32 passed = 0; passed < longest; passed += step_microseconds) in_quanta += step(competing, quanta);
          in_quanta += pass(competing, quanta, window);
          others += longest + window;
        };
      }
      in_quanta += step(competing, quanta);
      Steps::left = 0;
    }
    return static_cast<f64>(in_quanta) / (microseconds + others);
  }
  // An upper bound for the number of steps in an operation that ends a window of the trial.
  static constexpr u32 steps_of_operation = 24;

  static constexpr u32 step_microseconds = 20;
  sync::RegimeSettings settings;
  SteppingAtomic<u32> count{0};
  Trial trial{0};
  Regime regime = Regime::Competing;
  f64 acquisitions = 0;
};

TEST_F(RegimeTest, TheFasterRegimeWins) {
  EXPECT_GT(run(5, 30, 100'000), 0.8);
  EXPECT_GT(run(5, 30, 1'000'000), 0.95);
}

TEST_F(RegimeTest, ASlowRegimeIsSeldomTried) {
  run(5, 1, 100'000);
  EXPECT_LT(run(5, 1, 5'000'000), 0.01);
}

TEST_F(RegimeTest, ADrawKeepsTheRegime) { EXPECT_LT(run(5, 5.1, 3'000'000), 0.05); }

TEST_F(RegimeTest, ADrawKeepsQuanta) {
  run(5, 30, 200'000);
  EXPECT_GT(run(5.1, 5, 3'000'000), 0.9);
}

TEST_F(RegimeTest, AnotherLoadIsNoticed) {
  EXPECT_GT(run(5, 30, 3'000'000), 0.95);
  EXPECT_LT(run(5, 2, 300'000), 0.3);
  EXPECT_LT(run(5, 2, 300'000), 0.1);
  EXPECT_GT(run(3, 20, 2'000'000), 0.4);
}

TEST_F(RegimeTest, AMonitorThatNobodyMetCompetesAgain) {
  EXPECT_GT(run(5, 30, 100'000), 0.8);
  ASSERT_EQ(regime, Regime::Quanta);
  ClockWorld::now += i64{settings.forgotten_after_microseconds} * 1000;
  EXPECT_EQ(trial.at_contention(settings, count), Regime::Competing);
}

TEST_F(RegimeTest, AMonitorWithFewAcquisitionsIsMeasuredInLongWindows) { EXPECT_GT(run(0.02, 0.1, 500'000), 0.6); }

TEST_F(RegimeTest, AcquisitionsBeforeTheFirstTrialDoNotCount) {
  acquisitions = 1'000'000;
  trial = Trial(1'000'000);
  u32 microseconds = 0;
  while (regime == Regime::Competing) step(5, 30), microseconds += step_microseconds;
  while (regime == Regime::Quanta) step(5, 30), microseconds += step_microseconds;
  // A trial measures the two regimes in turn, each in two windows of time. The regime Quanta was faster in the first
  // two windows, so the third and fourth window follow at once. Trials rest only after a trial has ended.
  while (regime == Regime::Competing) step(5, 30), microseconds += step_microseconds;
  EXPECT_LT(microseconds, settings.shortest_rest_microseconds);
}

// Tests regime.h G7: a thread is preempted after it has read the clock or the count of acquisitions, and meanwhile
// another thread ends windows of the trial.
TEST_F(RegimeTest, AThreadThatWasOvertakenForgetsNothing) {
  for (u32 after_step = 0; after_step != steps_of_operation; ++after_step) {
    SCOPED_TRACE(after_step);
    regime = Regime::Competing, trial = Trial(static_cast<u32>(acquisitions));
    run_interrupted(5, 30, 100'000, after_step);
    EXPECT_GT(run_interrupted(5, 30, 1'000'000, after_step), 0.9);
  }
}

TEST_F(RegimeTest, AThreadThatWasOvertakenCountsNoWindowTwice) {
  for (u32 after_step = 0; after_step != steps_of_operation; ++after_step) {
    SCOPED_TRACE(after_step);
    regime = Regime::Competing, trial = Trial(static_cast<u32>(acquisitions));
    run_interrupted(5, 1, 100'000, after_step);
    EXPECT_LT(run_interrupted(5, 1, 1'000'000, after_step), 0.03);
  }
}

}  // namespace
}  // namespace keyhole::test
