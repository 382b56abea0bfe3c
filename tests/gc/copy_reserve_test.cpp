// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests how much mutators may allocate between collections, under a plan that copies every live object.
#include "gc/heap/copy_reserve.h"

#include <gtest/gtest.h>

namespace keyhole::gc {
namespace {

TEST(CopyReserve, KeepsRoomForCopiesWhileLittleLives) {
  CopyReserve reserve;
  EXPECT_EQ(reserve.budget(8, 64, 256_KiB).eden, 64u - 8 - 8 - 2);
  EXPECT_GE(reserve.budget(40, 64, 256_KiB).eden, 64u - 40);  // none when much does
}

TEST(CopyReserve, PaysForCopyingByAllocation) {
  CopyReserve reserve;
  EXPECT_EQ(reserve.budget(0, 1000, 1_MiB).eden, 64u);
  EXPECT_EQ(reserve.budget(8, 1000, 1_MiB).eden, 64u);
  EXPECT_EQ(reserve.budget(100, 1000, 1_MiB).eden, 200u);
}

TEST(CopyReserve, IsJudgedByWhatLivedLastTime) {
  CopyReserve reserve;
  EXPECT_TRUE(reserve.suffices(30, 34));
  reserve.after_collection(20);
  EXPECT_TRUE(reserve.suffices(36, 28));
  EXPECT_FALSE(reserve.suffices(40, 24));
}

}  // namespace
}  // namespace keyhole::gc
