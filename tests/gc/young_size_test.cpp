// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the bounds of eden's size.
#include "gc/heap/young_size.h"

#include <gtest/gtest.h>

#include "runtime/base/flags.h"

namespace keyhole::gc {
namespace {

class YoungSizeTest : public testing::Test {
 protected:
  ~YoungSizeTest() override {
    flags::NewSize = flags::MaxNewSize = 0;
    flags::NewRatio = 0;
    flags::MaxGCPauseMillis = 200;
  }
  u32 eden(u32 used, u32 maximum, u64 region_bytes, f64 survival, u32 young = 0, u32 reserved = 0) const {
    return size.eden_regions({used, maximum, region_bytes, survival, young, reserved, 0, maximum});
  }
  // Returns the size of eden in a heap of 1,000 regions of a megabyte.
  u32 eden_with_goal(u32 used, u32 goal, f64 survival = 0, u32 young = 0) const {
    return size.eden_regions({used, 1000, 1_MiB, survival, young, 0, goal, 1000});
  }
  YoungSize size;
};

TEST_F(YoungSizeTest, WantsSixtyFourMegabytesOrTwiceWhatIsInUse) {
  EXPECT_EQ(eden(0, 1000, 1_MiB, 0), 64u);
  EXPECT_EQ(eden(100, 1000, 1_MiB, 0), 200u);
}

TEST_F(YoungSizeTest, IsNoLargerThanCollectionsMakeIt) {
  EXPECT_EQ(size.eden_regions({.used = 100, .maximum = 1000, .region_bytes = 1_MiB, .goal = 500, .eden_goal = 24}),
            24u);
  flags::NewSize = 50_MiB;  // stronger
  EXPECT_EQ(size.eden_regions({.used = 100, .maximum = 1000, .region_bytes = 1_MiB, .goal = 500, .eden_goal = 24}),
            50u);
}

TEST_F(YoungSizeTest, TakesAtMostSixtyPercentOfTheHeap) {
  EXPECT_EQ(eden(350, 1000, 1_MiB, 0), 600u);
  EXPECT_EQ(eden(0, 64, 256_KiB, 0), 38u);
}

TEST_F(YoungSizeTest, TakesWhatTheGoalLeavesBesideOldObjectsAndCopies) {
  EXPECT_EQ(eden_with_goal(0, 1000), 600u);
  EXPECT_EQ(eden_with_goal(10, 500), 300u);
  EXPECT_EQ(eden_with_goal(10, 500, 0, 8), 292u);  // eden and the 8 survivor regions together get 60 % of the goal
  EXPECT_EQ(eden_with_goal(50, 500, 1), 223u);     // (500 - 50 used - 4 spare) / 2, a half for copies
  EXPECT_EQ(eden_with_goal(200, 500, 0.5), 400u);  // twice the used regions, so more than the goal
  EXPECT_EQ(eden_with_goal(20, 10), 64u);
}

TEST_F(YoungSizeTest, ANewRatioFixesTheYoungGeneration) {
  flags::NewRatio = 3;
  EXPECT_EQ(eden_with_goal(0, 1000), 250u);
  EXPECT_EQ(eden_with_goal(100, 200, 0, 20), 230u);
  flags::MaxNewSize = 100_MiB;  // stronger
  EXPECT_EQ(eden_with_goal(0, 1000), 100u);
}

TEST_F(YoungSizeTest, FlagsReplaceThePercentages) {
  flags::NewSize = flags::MaxNewSize = 20_MiB;
  EXPECT_EQ(eden(0, 1000, 1_MiB, 0), 20u);
  EXPECT_EQ(eden(300, 1000, 1_MiB, 0), 20u);
  EXPECT_EQ(eden(300, 1000, 1_MiB, 0, 5), 15u);  // survivors included
  EXPECT_EQ(eden(300, 1000, 1_MiB, 0, 30), 1u);
}

TEST_F(YoungSizeTest, LeavesRoomForTheCopiesOfEdenAndOfSurvivors) {
  EXPECT_EQ(eden(846, 1000, 1_MiB, 0.5), 100u);     // (154 free - 4 spare) / 1.5, because half of eden is copied
  EXPECT_EQ(eden(846, 1000, 1_MiB, 0.5, 60), 80u);  // 30 more regions for copies of the 60 young ones
  EXPECT_EQ(eden(846, 1000, 1_MiB, 0.5, 60, 60), 40u);
}

TEST_F(YoungSizeTest, IsAllThatIsFreeWhenCopyingIsNotWorthItAnyMore) {
  EXPECT_EQ(eden(940, 1000, 1_MiB, 1), 60u);    // room for copies would make eden 28 regions, below 5 % of the heap
  EXPECT_EQ(eden(939, 1000, 1_MiB, 0.5), 38u);  // below 5 % of the heap, but above half of the free regions
  EXPECT_EQ(eden(880, 1000, 1_MiB, 1), 58u);    // above 5 % of the heap, so there is room for copies
  EXPECT_EQ(eden(1000, 1000, 1_MiB, 1), 1u);    // eden always has a region
}

TEST_F(YoungSizeTest, LongPausesMakeItSmaller) {
  flags::MaxGCPauseMillis = 10;
  size.add_pause(100_MiB, 50'000'000);  // a pause takes half a millisecond for each megabyte
  EXPECT_EQ(eden(50, 200, 1_MiB, 0), 20u);
  size.add_pause(1024, 1'000'000'000);  // this pause does not count, because its sample is too small
  EXPECT_EQ(eden(50, 200, 1_MiB, 0), 20u);
  EXPECT_EQ(eden(50, 2000, 1_MiB, 0), 100u);  // eden gets at least 5 % of the heap, even if pauses are long
}

}  // namespace
}  // namespace keyhole::gc
