// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests hand-overs by source line (bench/mutexbench/hand_overs.h): made-up steps are attributed to the right part, and
// the lines of simulated locks explain their hand-overs.
#include "bench/mutexbench/hand_overs.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <regex>

#include "bench/mutexbench/simulated.h"
#include "runtime/base/platform/simulated_world.h"

namespace keyhole::mutexbench {
namespace {

using Step = SimulatedStepListener::Step;
using Where = std::source_location;

SimulatedPlace here(Where line = Where::current()) { return {line, {}}; }
const SimulatedPlace arrives = here();
const SimulatedPlace opens = here();
const SimulatedPlace cleans_up = here();
const SimulatedPlace waits = here();

// Times are in picoseconds. Thread 0 has the lock, and thread 1 queues for it.
class HandOversTest : public testing::Test {
 protected:
  HandOversTest() {
    all.begin_run();
    all.begin_enter(0, 0);
    all.end_enter(0, 10'000);
  }
  void queue() {
    all.begin_enter(1, 5'000);
    all.on_step(1, arrives, Step::own, 5'000, 15'000);
  }
  // Returns whether the table of hand-overs has a row for the given part and source line, with the numbers that
  // `figures` matches.
  testing::AssertionResult has_row(const std::string& part, const SimulatedPlace& place, const std::string& figures) {
    std::string row = fmt::format("{} +{} +hand_overs_test.cpp:{} ", part, figures, place.line.line());
    std::string table = all.table();
    if (std::regex_search(table, std::regex(row))) return testing::AssertionSuccess();
    return testing::AssertionFailure() << row << "\n" << table;
  }

  HandOvers all;
};

TEST_F(HandOversTest, StepsOfTheOldOwnerCountUntilTheNewOneIsResumed) {
  queue();
  all.begin_exit(0, 20'000);
  all.on_resumed(1, 55'000);
  all.on_step(0, opens, Step::other_core, 20'000, 60'000);
  all.on_step(0, cleans_up, Step::own, 60'000, 68'000);
  all.end_exit(0, 68'000);
  all.on_step(1, waits, Step::other_socket, 55'000, 90'000);
  all.end_enter(1, 90'000);
  all.begin_exit(0, 200'000);  // its next one
  EXPECT_EQ(all.count(), 1u);
  EXPECT_EQ(all.total(), 70'000);
  EXPECT_EQ(all.explained(), 70'000);
  // The columns of the table are cycles, ns, own, shared, core, socket and beside.
  EXPECT_TRUE(has_row("exit", opens, "80.5 +35.0 +0.00 +0.00 +1.00 +0.00 +5.0"));
  EXPECT_TRUE(has_row("enter", waits, "80.5 +35.0 +0.00 +0.00 +0.00 +1.00 +0.0"));
  EXPECT_TRUE(has_row("exit", cleans_up, "0.0 +0.0 +0.00 +0.00 +0.00 +0.00 +8.0"));
  EXPECT_TRUE(has_row("enter", arrives, "0.0 +0.0 +0.00 +0.00 +0.00 +0.00 +10.0"));
}

TEST_F(HandOversTest, AThreadThatDoesNotWaitCountsFromTheExit) {
  queue();
  all.begin_exit(0, 20'000);
  all.on_step(1, waits, Step::own, 18'000, 24'000);
  all.end_enter(1, 24'000);
  EXPECT_EQ(all.total(), 4'000);
  EXPECT_TRUE(has_row("enter", waits, "9.2 +4.0 +1.00 +0.00 +0.00 +0.00 +2.0"));
}

TEST_F(HandOversTest, AFreeLockIsNotHandedOver) {
  all.begin_exit(0, 20'000);
  all.end_exit(0, 21'000);
  all.begin_enter(1, 30'000);
  all.end_enter(1, 31'000);
  all.begin_exit(1, 40'000);
  all.end_exit(1, 41'000);
  all.begin_enter(1, 42'000);
  all.end_enter(1, 43'000);
  EXPECT_EQ(all.found_free(), 1u);
  EXPECT_EQ(all.again(), 1u);
  EXPECT_EQ(all.count(), 0u);
  EXPECT_NE(all.table().find("no hand-overs"), std::string::npos);
}

TEST(HandOvers, LinesOfLocksExplainThem) {
  for (std::string_view name : {"cjm-fifo", "monitor", "futex-mutex"}) {
    SCOPED_TRACE(name);
    HandOvers all;
    Parameters parameters{.threads = 4, .critical_steps = 1, .outside_steps = 20, .cpus = 8, .seconds = 0.0005};
    const Outcome plain = run_simulated(name, parameters);
    parameters.hand_overs = &all;
    const Outcome observed = run_simulated(name, parameters);
    EXPECT_EQ(plain.iterations, observed.iterations) << "who listens changes nothing";
    EXPECT_GT(all.count(), 10u);
    EXPECT_EQ(all.count() + all.again() + all.found_free() + 1, observed.acquisitions);
    EXPECT_LE(all.explained(), all.total());
    EXPECT_GE(all.explained(), all.total() * 9 / 10);
    EXPECT_TRUE(std::regex_search(all.table(), std::regex("\n +enter +[0-9.]+ .*[a-z_]+\\.h:[0-9]+"))) << all.table();
  }
}

// Returns the time that a third core takes to write a cache line that two cores of its socket have read.
cost_model::Picoseconds time_of_shared_write(bool dear) {
  struct alignas(128) Apart {
    SimulatedAtomic<u64> cell{0};
  } word;
  SimulatedMachine machine(18, 1);  // all cores of one socket
  if (dear) machine.make_shared_writes_dear();
  cost_model::Picoseconds time = 0;
  for (u32 i = 0; i < 2; ++i) machine.add_thread([&] { word.cell.load(std::memory_order_relaxed); });
  machine.add_thread([&] {
    machine.compute(10 * cost_model::transfer);
    const cost_model::Picoseconds begin = machine.now();
    word.cell.fetch_add(1);
    time = machine.now() - begin - cost_model::locked_operation;
  });
  EXPECT_TRUE(machine.run());
  return time;
}

TEST(SimulatedMachine, AWriteToASharedLineCanBeDear) {
  auto jitter = [](cost_model::Picoseconds cost) { return static_cast<f64>(cost) * cost_model::jitter_percent / 100; };
  EXPECT_NEAR(static_cast<f64>(time_of_shared_write(false)), cost_model::shared_read, jitter(cost_model::shared_read));
  EXPECT_NEAR(static_cast<f64>(time_of_shared_write(true)), cost_model::transfer, jitter(cost_model::transfer));
}

}  // namespace
}  // namespace keyhole::mutexbench
