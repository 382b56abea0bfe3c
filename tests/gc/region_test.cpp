// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the region diagram: legal transitions work, illegal ones are fatal and name their caller.
#include "gc/heap/region.h"

#include <gtest/gtest.h>

namespace keyhole::gc {
namespace {

class RegionTest : public testing::Test {
 protected:
  static constexpr usize region_bytes = 1024;
  alignas(64) char memory[4 * region_bytes];  // the memory of `region` and of three regions after it
  Region region;
  RegionTest() { region.initialize(7, memory, region_bytes); }
};
using RegionDeathTest = RegionTest;

TEST_F(RegionTest, MutatorRegionIsRetiredCollectedAndFreed) {
  EXPECT_TRUE(region.is_free());
  EXPECT_FALSE(region.dirty());
  region.transition_to_shared();
  u64 taken = 0, cas_failures = 0;
  EXPECT_EQ(region.span().allocate(8, 64, taken, cas_failures), reinterpret_cast<uptr>(memory));
  EXPECT_EQ(taken, 64u);
  region.transition_to_full();
  region.transition_to_from_space();
  region.transition_to_free();
  EXPECT_TRUE(region.dirty());
  EXPECT_EQ(region.used_bytes(), 0u);
}

TEST_F(RegionTest, UnusedRegionStaysClean) {
  region.transition_to_to_space();
  region.transition_to_full();
  region.transition_to_from_space();
  region.transition_to_free();
  EXPECT_FALSE(region.dirty());
}

TEST_F(RegionTest, LastToSpaceGoesBackToMutators) {
  region.transition_to_to_space();
  region.transition_to_shared();
  EXPECT_EQ(region.state(), RegionState::Shared);
}

TEST_F(RegionTest, FromSpaceThatKeepsObjectsIsFullAgain) {
  region.transition_to_shared();
  region.transition_to_full();
  region.transition_to_from_space();
  region.set_keeps_objects();
  region.transition_to_full();
  region.transition_to_from_space();
  EXPECT_FALSE(region.keeps_objects());
}

TEST_F(RegionTest, HumongousTopIsTheObjectsEnd) {
  region.transition_to_humongous_start(memory + 3 * region_bytes);
  EXPECT_EQ(region.top(), region.end());
  region.transition_to_free();
  region.transition_to_humongous_start(memory + 512);
  EXPECT_EQ(region.used_bytes(), 512u);
}

TEST_F(RegionTest, SpanGivesWhatIsLeftButNotLessThanTheMinimum) {
  region.transition_to_shared();
  u64 taken = 0, cas_failures = 0;
  EXPECT_NE(region.span().allocate(1000, 1000, taken, cas_failures), 0u);
  EXPECT_EQ(region.span().allocate(32, 64, taken, cas_failures), 0u);
  EXPECT_NE(region.span().allocate(8, 64, taken, cas_failures), 0u);
  EXPECT_EQ(taken, 24u);
}

TEST_F(RegionDeathTest, FreeRegionCannotBeRetired) {
  EXPECT_DEATH(region.transition_to_full(), "region 7 .*no way from Free to Full \\(asked by .*region_test");
}
TEST_F(RegionDeathTest, FromSpaceIsNotOfferedToMutators) {
  region.transition_to_shared();
  region.transition_to_full();
  region.transition_to_from_space();
  EXPECT_DEATH(region.transition_to_shared(), "no way from FromSpace to Shared");
}
TEST_F(RegionDeathTest, HumongousIsNotEvacuated) {
  region.transition_to_humongous_start(memory + 8);
  EXPECT_DEATH(region.transition_to_from_space(), "no way from HumongousStart to FromSpace");
}
TEST_F(RegionDeathTest, SharedIsNotFreedWithoutBeingCollected) {
  region.transition_to_shared();
  EXPECT_DEATH(region.transition_to_free(), "no way from Shared to Free");
}

}  // namespace
}  // namespace keyhole::gc
