// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Trials of an adaptive monitor (runtime/sync/monitor/regime.h) against loads with a given rate in each regime.
#include "runtime/sync/monitor/regime.h"

#include <gtest/gtest.h>

#include <atomic>

namespace keyhole::test {
namespace {

struct ClockWorld {
  template <typename T> using Atomic = std::atomic<T>;
  static inline i64 now = 0;
  static i64 now_nanoseconds() { return now; }
};
using Trial = sync::RegimeTrialOf<ClockWorld>;
using Regime = Trial::Regime;

class RegimeTest : public testing::Test {
 protected:
  // Lets the load run. `competing` and `quanta`: its acquisitions in a microsecond. Returns the share of the time that
  // was spent in quanta.
  f64 run(f64 competing, f64 quanta, u32 microseconds) {
    u32 in_quanta = 0;
    for (u32 i = 0; i < microseconds; i += step_microseconds) {
      ClockWorld::now += step_microseconds * 1000;
      acquisitions += (regime == Regime::Quanta ? quanta : competing) * step_microseconds;
      in_quanta += regime == Regime::Quanta ? step_microseconds : 0;
      regime = trial.at_contention(settings, static_cast<u32>(acquisitions) / 8 * 8);
    }
    return static_cast<f64>(in_quanta) / microseconds;
  }

  static constexpr u32 step_microseconds = 20;
  sync::RegimeSettings settings;
  Trial trial{Trial::microseconds()};
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
  EXPECT_EQ(trial.at_contention(settings, static_cast<u32>(acquisitions)), Regime::Competing);
}

TEST_F(RegimeTest, AMonitorWithFewAcquisitionsIsMeasuredInLongWindows) { EXPECT_GT(run(0.02, 0.1, 500'000), 0.6); }

}  // namespace
}  // namespace keyhole::test
