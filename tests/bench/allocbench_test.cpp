// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests allocbench's arithmetic, and the effect that its virtual threads demonstrate.
#include <gtest/gtest.h>

#include "bench/allocbench/latency.h"
#include "bench/allocbench/simulated.h"

namespace keyhole::allocbench {
namespace {

constexpr i64 us = 1000;

TEST(Latency, SimpleIsFromStartToEnd) {
  std::vector<Event> events;
  for (i64 i = 0; i < 100; ++i) events.push_back({i * 10 * us, i * 10 * us + (i + 1) * us});
  Percentiles simple = simple_latency(events);
  EXPECT_EQ(simple.p50, 51.0);
  EXPECT_EQ(simple.max, 100.0);
}

// A pause of 1000 us in the middle hits one request. Requests that would have come during the pause begin late.
TEST(Latency, MeteredCountsWhoHadToQueue) {
  std::vector<Event> events;
  i64 now = 0;
  for (int i = 0; i < 200; ++i) {
    i64 start = now;
    now += (i == 100 ? 1000 : 10) * us;
    events.push_back({start, now});
  }
  EXPECT_EQ(simple_latency(events).p90, 10.0);
  EXPECT_EQ(simple_latency(events).max, 1000.0);
  EXPECT_GT(metered_latency(events).p90, 400.0);
  EXPECT_LE(metered_latency(events).max, 1010.0);
}

TEST(Latency, SteadyRequestsAreTheSameEitherWay) {
  std::vector<Event> events;
  for (i64 i = 0; i < 100; ++i) events.push_back({i * 10 * us, i * 10 * us + 10 * us});
  EXPECT_EQ(metered_latency(events).p99, simple_latency(events).p99);
}

TEST(SimulatedAllocation, TheHeapLockLimitsManyThreads) {
  SimulatedParameters parameters;
  parameters.seconds = 0.003;
  SimulatedOutcome cas = simulate(parameters);
  parameters.cas = false;
  SimulatedOutcome lock = simulate(parameters);
  EXPECT_GT(cas.pieces, 2 * lock.pieces);
  EXPECT_EQ(lock.slow_rounds, lock.pieces);
  EXPECT_LT(cas.slow_rounds, cas.pieces / 10);
}

TEST(SimulatedAllocation, TheSameSeedIsTheSameRun) {
  SimulatedParameters parameters;
  parameters.threads = 8;
  parameters.seconds = 0.001;
  SimulatedOutcome first = simulate(parameters), second = simulate(parameters);
  EXPECT_EQ(first.pieces, second.pieces);
  EXPECT_EQ(first.cas_failures, second.cas_failures);
}

}  // namespace
}  // namespace keyhole::allocbench
