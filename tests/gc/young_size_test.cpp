// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The bounds of eden.
#include "gc/young_size.h"

#include <gtest/gtest.h>

#include "runtime/base/flags.h"

namespace keyhole::gc {
namespace {

class YoungSizeTest : public testing::Test {
 protected:
  ~YoungSizeTest() override {
    flags::NewSize = flags::MaxNewSize = 0;
    flags::MaxGCPauseMillis = 200;
  }
  YoungSize size;
};

TEST_F(YoungSizeTest, WantsSixtyFourMegabytesOrTwiceWhatIsInUse) {
  EXPECT_EQ(size.eden_regions(0, 1000, 1_MiB, 0), 64u);
  EXPECT_EQ(size.eden_regions(100, 1000, 1_MiB, 0), 200u);
}

TEST_F(YoungSizeTest, StaysBetweenFiveAndSixtyPercentOfTheHeap) {
  EXPECT_EQ(size.eden_regions(0, 2000, 1_MiB, 0), 100u);
  EXPECT_EQ(size.eden_regions(350, 1000, 1_MiB, 0), 600u);
  EXPECT_EQ(size.eden_regions(0, 64, 256_KiB, 0), 38u);
}

TEST_F(YoungSizeTest, FlagsReplaceThePercentages) {
  flags::NewSize = flags::MaxNewSize = 20_MiB;
  EXPECT_EQ(size.eden_regions(0, 1000, 1_MiB, 0), 20u);
  EXPECT_EQ(size.eden_regions(300, 1000, 1_MiB, 0), 20u);
}

TEST_F(YoungSizeTest, LeavesRoomForTheCopiesAndIsNeverNothing) {
  EXPECT_EQ(size.eden_regions(940, 1000, 1_MiB, 0.5), 40u);
  EXPECT_EQ(size.eden_regions(1000, 1000, 1_MiB, 1), 1u);
}

TEST_F(YoungSizeTest, LongPausesMakeItSmaller) {
  flags::MaxGCPauseMillis = 10;
  size.add_pause(100_MiB, 50'000'000);   // half a millisecond for each megabyte
  EXPECT_EQ(size.eden_regions(50, 200, 1_MiB, 0), 20u);
  size.add_pause(1024, 1'000'000'000);   // too little to tell anything
  EXPECT_EQ(size.eden_regions(50, 200, 1_MiB, 0), 20u);
  EXPECT_EQ(size.eden_regions(50, 2000, 1_MiB, 0), 100u);   // not below the least
}

}  // namespace
}  // namespace keyhole::gc
