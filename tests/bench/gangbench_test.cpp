// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests gangbench itself: every gang calls each task with each worker number, on hardware and on the simulated machine;
// a repeated simulation gives the same times; the summary is right.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bench/gangbench/hardware.h"
#include "bench/gangbench/report.h"
#include "bench/gangbench/simulated.h"

namespace keyhole::gangbench {
namespace {

constexpr Load loads[] = {Load::empty, Load::brief, Load::meeting};

TEST(Gangbench, SummaryOfKnownTimes) {
  Outcome first{.task_nanoseconds = {1000, 2000, 9000}, .wake_ups = 6, .context_switches = 3, .cpu_nanoseconds = 6000};
  Outcome second{.task_nanoseconds = {4000}, .wake_ups = 2, .context_switches = 1, .cpu_nanoseconds = 2000};
  Summary summary = summarise({first, second});
  EXPECT_DOUBLE_EQ(summary.average, 4);
  EXPECT_DOUBLE_EQ(summary.median, 4);
  EXPECT_DOUBLE_EQ(summary.most, 9);
  EXPECT_DOUBLE_EQ(summary.wake_ups, 2);
  EXPECT_DOUBLE_EQ(summary.context_switches, 1);
  EXPECT_DOUBLE_EQ(summary.cpu_microseconds, 2);
  second.wake_ups = -1;
  EXPECT_DOUBLE_EQ(summarise({first, second}).wake_ups, -1);
}

TEST(Gangbench, SeesACallThatIsMissing) {
  Parameters parameters{.workers = 3};
  Outcome outcome;
  check_calls(29, 10, parameters, outcome);
  EXPECT_NE(outcome.problem, "");
}

TEST(Gangbench, EveryGangDoesEveryLoadHere) {
  for (std::string_view name : hardware_names()) {
    for (Load load : loads) {
      SCOPED_TRACE(fmt::format("{} {}", name, load_names[static_cast<usize>(load)]));
      Outcome outcome =
          run_on_hardware(name, {.workers = 4, .collections = 3, .gap_nanoseconds = 10'000, .load = load});
      EXPECT_EQ(outcome.problem, "");
      EXPECT_EQ(outcome.task_nanoseconds.size(), 30u);
    }
  }
}

TEST(Gangbench, EveryDispatcherDoesEveryLoadSimulated) {
  for (std::string_view name : simulated_names()) {
    for (Load load : loads) {
      for (u32 cpus : {2u, 72u}) {
        SCOPED_TRACE(fmt::format("{} {} on {}", name, load_names[static_cast<usize>(load)], cpus));
        Parameters parameters{.workers = 8, .collections = 3, .load = load, .cpus = cpus};
        Outcome outcome = run_simulated(name, parameters);
        EXPECT_EQ(outcome.problem, "");
        EXPECT_EQ(outcome.task_nanoseconds, run_simulated(name, parameters).task_nanoseconds);
      }
    }
  }
}

// A gang that wakes only the workers that a task needs makes fewer wake-ups. The test counts wake-ups, so this
// machine's load does not matter.
TEST(Gangbench, SemaphoresWakeFewerThanBroadcasts) {
  for (u32 workers : {2u, 8u, 36u}) {
    Parameters parameters{.workers = workers, .collections = 5};
    Outcome semaphore = run_simulated("semaphore", parameters), broadcast = run_simulated("broadcast", parameters);
    EXPECT_LT(semaphore.wake_ups, broadcast.wake_ups);
    EXPECT_LT(summarise({semaphore}).average, summarise({broadcast}).average);
  }
  // On two CPUs, a task without work is over before all 16 workers have been woken. The workers that are awake take all
  // 16 permits of the task.
  Parameters narrow{.workers = 16, .collections = 5, .cpus = 2};
  EXPECT_LT(summarise({run_simulated("semaphore", narrow)}).wake_ups, 8);
  narrow.load = Load::meeting;
  EXPECT_GE(summarise({run_simulated("semaphore", narrow)}).wake_ups, 16);
}

}  // namespace
}  // namespace keyhole::gangbench
