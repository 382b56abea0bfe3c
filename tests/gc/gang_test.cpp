// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the contract of every dispatcher, on real threads: each number once, memory published, stop and restart,
// failing creation.
#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <vector>

#include "gc/gang/worker_gang.h"

namespace keyhole::test {
namespace {

class GangTest : public testing::TestWithParam<const char*> {
 protected:
  std::unique_ptr<gc::WorkerGang> gang(u32 maximum) {
    return std::make_unique<gc::WorkerGang>("Test", maximum, gc::make_gang_protocol(GetParam()));
  }
};

TEST_P(GangTest, EachNumberOnce) {
  auto workers = gang(8);
  for (u32 task = 0; task < 400; ++task) {
    u32 wanted = task % 8 + 1;
    std::vector<std::atomic<u32>> calls(9);
    u32 active = workers->run(wanted, [&](u32 number) { calls[number].fetch_add(1); });
    EXPECT_EQ(active, wanted);
    for (u32 i = 0; i < 9; ++i) EXPECT_EQ(calls[i].load(), i < wanted ? 1u : 0u);
  }
  EXPECT_EQ(workers->created_workers(), 8u);
}

// The caller writes memory that is not atomic, the workers read and write it, and the caller reads it again.
// ThreadSanitizer reports a race if the gang does not order these accesses.
TEST_P(GangTest, MemoryIsPassedOnBothWays) {
  auto workers = gang(4);
  std::vector<u64> input(4), output(4);
  for (u64 task = 1; task <= 500; ++task) {
    for (u64 i = 0; i < 4; ++i) input[i] = task * i;
    workers->run(4, [&](u32 number) { output[number] = input[number] + 1; });
    for (u64 i = 0; i < 4; ++i) ASSERT_EQ(output[i], task * i + 1);
  }
}

// Tests dispatcher.h D2 with more workers than processors: each worker keeps its number until all workers have one.
TEST_P(GangTest, WorkersMayWaitForEachOther) {
  constexpr u32 count = 12;
  auto workers = gang(count);
  for (u32 task = 0; task < 100; ++task) {
    std::atomic<u32> here{0};
    workers->run(count, [&](u32) {
      if (++here == count) here.notify_all();
      for (u32 seen; (seen = here.load()) < count;) here.wait(seen);
    });
    ASSERT_EQ(here, count);
  }
}

TEST_P(GangTest, OneWorkerIsTheCaller) {
  auto workers = gang(4);
  pthread_t self = pthread_self(), ran{};
  EXPECT_EQ(workers->run(1, [&](u32) { ran = pthread_self(); }), 1u);
  EXPECT_TRUE(pthread_equal(self, ran));
  EXPECT_EQ(workers->created_workers(), 0u);
  EXPECT_EQ(gang(1)->run(8, [&](u32) { ran = pthread_self(); }), 1u);
}

TEST_P(GangTest, WorkersAreMadeWhenNeededAndAtMostTheMaximum) {
  auto workers = gang(3);
  workers->run(2, [](u32) {});
  EXPECT_EQ(workers->created_workers(), 2u);
  EXPECT_EQ(workers->run(100, [](u32) {}), 3u);
  EXPECT_EQ(workers->created_workers(), 3u);
}

// stop() also ends workers that the last tasks did not need. Tasks after stop() start new workers.
TEST_P(GangTest, StopsAndStartsAgainUnderLoad) {
  auto workers = gang(6);
  for (u32 round = 0; round < 40; ++round) {
    std::atomic<u32> sum{0};
    workers->run(6, [&](u32 number) { sum += number; });
    for (u32 task = 0; task < round % 4; ++task) workers->run(2, [&](u32 number) { sum += number; });
    workers->stop();
    EXPECT_EQ(workers->created_workers(), 0u);
    EXPECT_EQ(sum, 15u + round % 4);
  }
  workers->stop();  // nothing to stop
}

TEST_P(GangTest, GoesOnWithTheThreadsThereAre) {
  auto workers = gang(4);
  workers->fail_creation_of(3);
  std::atomic<u32> calls{0};
  EXPECT_EQ(workers->run(4, [&](u32) { ++calls; }), 2u);
  EXPECT_EQ(calls, 2u);
  EXPECT_EQ(workers->run(4, [&](u32) { ++calls; }), 2u);  // the gang does not try again to create workers
  workers->stop();
  workers->fail_creation_of(1);
  EXPECT_EQ(workers->run(4, [&](u32) { ++calls; }), 1u);
  EXPECT_EQ(calls, 5u);
}

TEST_P(GangTest, AsManyAsTheWorkIsWorth) {
  auto workers = gang(4);
  EXPECT_EQ(workers->workers_for(0, 100), 2u);
  EXPECT_EQ(workers->workers_for(250, 100), 3u);
  EXPECT_EQ(workers->workers_for(100000, 100), 4u);
  EXPECT_EQ(gang(1)->workers_for(100000, 100), 1u);
}

INSTANTIATE_TEST_SUITE_P(Dispatchers, GangTest, testing::Values("semaphore", "monitor", "broadcast"),
                         [](const auto& info) { return std::string(info.param); });

TEST(GangProtocol, UnknownNameIsNone) { EXPECT_EQ(gc::make_gang_protocol("bell"), nullptr); }

// The protocol `broadcast` wakes all workers for each event, and `semaphore` wakes only as many as the task needs.
TEST(GangProtocol, WakeUpsPerTask) {
  constexpr u32 tasks = 200, workers = 8;
  u64 wake_ups[2];
  const char* names[] = {"semaphore", "broadcast"};
  for (u32 i = 0; i < 2; ++i) {
    gc::WorkerGang gang("Test", workers, gc::make_gang_protocol(names[i]));
    gang.run(workers, [](u32) {});
    u64 before = gang.wake_ups();
    for (u32 task = 0; task < tasks; ++task) gang.run(workers, [](u32) {});
    wake_ups[i] = gang.wake_ups() - before;
  }
  EXPECT_LE(wake_ups[0], u64{tasks} * (workers + 1) * 2);  // a permit may be taken by a worker that was not asleep
  EXPECT_GT(wake_ups[1], wake_ups[0]);
}

}  // namespace
}  // namespace keyhole::test
