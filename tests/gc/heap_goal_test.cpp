// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests that the heap grows when collections take too much of the time, and only then.
#include "gc/heap/heap_goal.h"

#include <gtest/gtest.h>

#include "runtime/base/flags.h"

namespace keyhole::gc {
namespace {

class HeapGoalTest : public testing::Test {
 protected:
  HeapGoalTest() { flags::GCTimeRatio = 9; }  // pauses may take a tenth of the time
  ~HeapGoalTest() override { flags::GCTimeRatio = 24; }

  // Works for `work_milliseconds`, then collects for `pause_milliseconds`.
  void round(i64 work_milliseconds, i64 pause_milliseconds) {
    now_ += work_milliseconds * 1'000'000;
    goal_.add_pause(now_, now_ + pause_milliseconds * 1'000'000);
    now_ += pause_milliseconds * 1'000'000;
  }

  // Starts with a heap of 1000 regions of a megabyte, and works until eden has its share of the regions, 600.
  void begin() {
    goal_.begin(100, 1000, 1_MiB, now_);
    while (goal_.eden_regions() < 600) round(1, 1);
    for (u32 i = 0; i < 30; ++i) round(1, 0);  // forgotten
    goal_.restart();
  }

  i64 now_ = 5'000'000;
  HeapGoal goal_;
};

TEST_F(HeapGoalTest, StaysWhileCollectionsTakeLittleTime) {
  begin();
  for (u32 i = 0; i < 100; ++i) round(90, 5);
  EXPECT_EQ(goal_.regions(), 100u);
}

TEST_F(HeapGoalTest, GrowsToTheMaximumWhileTheyTakeMore) {
  begin();
  round(80, 20);
  EXPECT_EQ(goal_.regions(), 151u);
  round(80, 20);
  EXPECT_EQ(goal_.regions(), 227u);
  for (u32 i = 0; i < 10; ++i) round(80, 20);
  EXPECT_EQ(goal_.regions(), 1000u);
}

TEST_F(HeapGoalTest, OneLongPauseAmongManyDoesNotCountForEver) {
  begin();
  for (u32 i = 0; i < 10; ++i) round(99, 1);
  round(99, 5);
  EXPECT_EQ(goal_.regions(), 100u);
  round(99, 80);
  EXPECT_EQ(goal_.regions(), 151u);
  u32 grown = 0;
  for (u32 i = 0, before = 151; i < 20; ++i, before = goal_.regions()) {
    round(99, 1);
    grown += goal_.regions() != before ? 1 : 0;
  }
  EXPECT_LE(grown, 6u);
}

TEST_F(HeapGoalTest, EdenGrowsFirst) {
  goal_.begin(100, 1000, 1_MiB, now_);
  EXPECT_EQ(goal_.eden_regions(), 4u);
  round(95, 5);
  EXPECT_EQ(goal_.eden_regions(), 4u);
  for (u32 expected : {8u, 16u, 32u, 64u}) {
    round(70, 30);
    EXPECT_EQ(goal_.eden_regions(), expected);
    EXPECT_EQ(goal_.regions(), 100u);
  }
  round(70, 30);
  EXPECT_EQ(goal_.eden_regions(), 64u);
  EXPECT_EQ(goal_.regions(), 151u);
}

TEST_F(HeapGoalTest, BeginsAnewWhereItBegan) {
  begin();
  round(80, 20);
  goal_.restart();
  EXPECT_EQ(goal_.regions(), 100u);
}

}  // namespace
}  // namespace keyhole::gc
