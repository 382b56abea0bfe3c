// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests heap sizes from the flags: java's error texts, region sizes, the trigger.
#include "gc/heap/sizing.h"

#include <gtest/gtest.h>

#include "gc/heap/region_table.h"
#include "runtime/base/address_space.h"
#include "runtime/base/flags.h"

namespace keyhole::gc {
namespace {

class SizingTest : public testing::Test {
 protected:
  Sizing sizing;
  ~SizingTest() override { flags::MaxHeapSize = flags::InitialHeapSize = flags::HeapRegionSize = 0; }
  std::string with(u64 maximum, u64 initial, u64 region = 0) {
    flags::MaxHeapSize = maximum;
    flags::InitialHeapSize = initial;
    flags::HeapRegionSize = region;
    return sizing.initialize();
  }
};

TEST_F(SizingTest, ErrorsAreJavas) {
  EXPECT_EQ(with(1_MiB, 0), "Too small maximum heap");
  EXPECT_EQ(with(16_MiB, 32_MiB), "Initial heap size set to a larger value than the maximum heap size");
  EXPECT_EQ(with(16_MiB, 512_KiB), "Too small initial heap");
  EXPECT_EQ(with(2_MiB, 0), "");
  EXPECT_EQ(with(0, 0), "");
}

TEST_F(SizingTest, RegionSizeFollowsTheHeap) {
  with(16_MiB, 0);
  EXPECT_EQ(sizing.region_bytes(), 256_KiB);
  EXPECT_EQ(sizing.maximum_regions(), 64u);
  with(1_GiB, 0);  // AddressSanitizer leaves less address space
  EXPECT_EQ(sizing.region_bytes(), address_space::heap_reserve_bytes >= 1_GiB ? 512_KiB : 256_KiB);
  with(16_MiB, 0, 3_MiB);
  EXPECT_EQ(sizing.region_bytes(), 2_MiB);
  with(17_MiB + 1, 0);
  EXPECT_EQ(sizing.maximum_regions(), 69u);
}

TEST_F(SizingTest, ABudgetMovesTheTriggerAndTheHeapGrowsWithIt) {
  with(1_GiB, 32_MiB);
  EXPECT_EQ(sizing.trigger_regions() * sizing.region_bytes(), 32_MiB);
  sizing.after_collection(0, false, {.eden = 128, .copies = 0});
  EXPECT_EQ(sizing.trigger_regions(), 128u);
  EXPECT_EQ(sizing.capacity_regions(), 128u);
  sizing.after_collection(40, false, {.eden = 100, .copies = 7});
  EXPECT_EQ(sizing.trigger_regions(), 140u);
  EXPECT_EQ(sizing.capacity_regions(), 140u);
  EXPECT_EQ(sizing.needed_soon(40), 107u);
  sizing.after_collection(40, false, {.eden = 3000, .copies = 7});
  EXPECT_EQ(sizing.trigger_regions(), sizing.maximum_regions());
  EXPECT_EQ(sizing.needed_soon(40), sizing.maximum_regions() - 40);
}

TEST_F(SizingTest, HeapsShrinkWhenItIsKnownWhatLives) {
  with(1_GiB, 32_MiB);
  u32 eight = static_cast<u32>(8_MiB / sizing.region_bytes()),
      hundred = static_cast<u32>(100_MiB / sizing.region_bytes());
  auto double_hundred = AllocationBudget{.eden = 2 * hundred, .copies = 0};
  sizing.after_collection(eight, true, double_hundred);
  EXPECT_EQ(sizing.capacity_regions() * sizing.region_bytes(), 32_MiB);  // the initial heap
  sizing.after_collection(hundred, true, double_hundred);
  EXPECT_EQ(sizing.trigger_regions() * sizing.region_bytes(), 300_MiB);
  flags::MaxHeapFreeRatio = flags::MinHeapFreeRatio = 20;
  sizing.after_collection(hundred, true, double_hundred);
  EXPECT_EQ(sizing.trigger_regions() * sizing.region_bytes(), 125_MiB);
  flags::MaxHeapFreeRatio = flags::MinHeapFreeRatio = 80;
  sizing.after_collection(hundred, true, double_hundred);
  EXPECT_EQ(sizing.capacity_regions() * sizing.region_bytes(), 500_MiB);
  flags::MaxHeapFreeRatio = 70;
  EXPECT_EQ(with(1_GiB, 0), "MinHeapFreeRatio (80) must be less than or equal to MaxHeapFreeRatio (70)");
  flags::MinHeapFreeRatio = 40;
}

}  // namespace
}  // namespace keyhole::gc
