// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the heap near its limits: growth while everything is live, the overhead limit, memory that is touched in
// advance and memory that is returned.
#include <sys/mman.h>

#include "gc/heap/overhead_limit.h"
#include "gc/plan.h"
#include "runtime/base/page.h"
#include "runtime/threads/thread_state.h"
#include "tests/gc/generational_fixture.h"

namespace keyhole::test {
namespace {

class HeapLimitsTest : public GenerationalTest {
 protected:
  ~HeapLimitsTest() override {
    flags::AlwaysPreTouch = false;
    flags::MinHeapFreeRatio = 40;
    flags::MaxHeapFreeRatio = 70;
    flags::UseGCOverheadLimit = true;
    flags::GCTimeLimit = 98;
    flags::GCHeapFreeLimit = 2;
  }
  // Returns how many bytes of the heap have physical memory.
  static u64 resident_bytes() {
    std::vector<unsigned char> pages(heap::maximum_bytes() / page_bytes);
    EXPECT_EQ(mincore(reinterpret_cast<void*>(gc::space.regions.base()), heap::maximum_bytes(), pages.data()), 0);
    u64 count = 0;
    for (unsigned char page : pages) count += page & 1;
    return count * page_bytes;
  }
  bool prepend(u64 id) {
    Object* object = node(id);
    if (object == nullptr) return false;
    barrier::store(object, node_left, roots[0]);
    roots[0] = object;
    return true;
  }
  void fill_heap() {
    roots = {nullptr};
    u64 id = 0;
    while (prepend(id)) ++id;
  }
};

TEST_P(HeapLimitsTest, AHeapThatGrowsIsCollectedYoungUntilItIsNearlyFull) {
  flags::VerifyBeforeGC = flags::VerifyAfterGC = false;
  flags::InitiatingHeapOccupancyPercent = 100;
  start(64_MiB);
  u64 collections = heap::collection_count(), full = gc::full_collections();
  roots = {nullptr};
  u64 id = 0;
  while (heap::used_bytes() < 50_MiB) ASSERT_TRUE(prepend(id++));
  EXPECT_GE(heap::collection_count() - collections, 2u);
  EXPECT_EQ(gc::full_collections(), full);
  while (prepend(id)) ++id;
  EXPECT_LE(gc::full_collections() - full, 8u);
  for (Object* object = roots[0]; object != nullptr; object = object->get_reference(node_left))
    ASSERT_EQ(object->get<u64>(node_id), --id);
  EXPECT_EQ(id, 0u);
}

TEST_P(HeapLimitsTest, SurvivorsBeyondTheirShareAreOldAtOnce) {
  start_with_threshold(64_MiB, 15);
  roots = {nullptr};
  for (u64 id = 0; id < 100'000; ++id) prepend(id);  // more than 3 MB of nodes, all in the first eden
  young();
  u64 survivors = 0, old = 0;
  for (Object* object = roots[0]; object != nullptr; object = object->get_reference(node_left))
    ++(generation_of(object) == Generation::Old ? old : survivors);
  EXPECT_EQ(survivors + old, 100'000u);
  EXPECT_GT(survivors, 10'000u);
  EXPECT_LT(survivors, 100'000u / 4);
}

TEST_P(HeapLimitsTest, AnAllocationFailsWhenCollectionsGainNothing) {
  flags::VerifyBeforeGC = flags::VerifyAfterGC = false;
  flags::GCTimeLimit = 0;  // 0 %: each collection exceeds the limit, however fast the machine is
  flags::GCHeapFreeLimit = 10;
  start(16_MiB);
  u64 before = gc::full_collections();
  fill_heap();
  heap::failure_message(thread);
  for (u32 i = 0; i < 10'000; ++i)
    roots[0] = roots[0]->get_reference(node_left);  // frees so little that allocations succeed only slowly
  u64 allocated = 0;
  while (node(0) != nullptr) ASSERT_LT(++allocated, 10'000'000u);
  EXPECT_STREQ(heap::failure_message(thread), "GC overhead limit exceeded");
  EXPECT_STREQ(heap::failure_message(thread), "Java heap space");  // reported once
  EXPECT_GE(gc::full_collections() - before, gc::OverheadLimit::collections_in_a_row);
  EXPECT_LE(gc::full_collections() - before, 4 * gc::OverheadLimit::collections_in_a_row);
  EXPECT_NE(node(0), nullptr);  // the heap was not exhausted
  roots = {nullptr};
  for (u32 i = 0; i < 1'000'000; ++i) ASSERT_NE(node(0), nullptr);
}

TEST_P(HeapLimitsTest, TheInitialHeapIsTouchedOnRequest) {
  start(128_MiB, 32_MiB);
  EXPECT_LT(resident_bytes(), 4_MiB);
  gc::tlab::retire(thread);
  gc::space.shut_down();
  flags::AlwaysPreTouch = true;
  start(128_MiB, 32_MiB);
  EXPECT_GE(resident_bytes(), 32_MiB);
  EXPECT_LT(resident_bytes(), 36_MiB);
  for (u32 i = 0; i < 1'000'000; ++i) node(0);
  full();
  EXPECT_GE(resident_bytes(), 32_MiB);
}

// The service thread returns memory between pauses.
TEST_P(HeapLimitsTest, MemoryGoesBackToTheKernelBetweenPauses) {
  flags::UseGCServiceThread = true;
  flags::VerifyBeforeGC = flags::VerifyAfterGC = false;
  start(256_MiB, 8_MiB);
  roots = {nullptr};
  for (u64 round = 0; round < 2; ++round) {  // the thread exists already
    for (u64 id = 0; id < 2'000'000; ++id) prepend(id);
    EXPECT_GT(resident_bytes(), 60_MiB);
    roots = {nullptr};
    heap::collect(thread, heap::Cause::SystemGC);
    while (gc::plan().has_concurrent_work()) {
      BlockedScope blocked(thread);
      hardware::yield();
    }
    EXPECT_LE(resident_bytes(), 9_MiB);
  }
  // Mutators take regions while the service thread returns memory.
  flags::VerifyBeforeGC = true;
  for (u64 round = 0; round < 20; ++round) {
    for (u64 id = 0; id < 200'000; ++id) prepend(id);
    if (round % 3 == 0) roots = {nullptr};
    heap::collect(thread, heap::Cause::SystemGC);
  }
  EXPECT_EQ(verify(), "");
}

TEST_P(HeapLimitsTest, OnlyFreeRegionsGiveTheirMemoryBack) {
  start(16_MiB);
  gc::RegionTable& regions = gc::space.regions;
  u64 piece = regions.region_bytes() / 4;
  auto use = [&](u32 count) {  // takes the lowest regions, fills them with ones, and frees them
    std::vector<gc::Region*> taken;
    for (u32 i = 0; i < count; ++i) {
      taken.push_back(regions.take_to_space());
      EXPECT_EQ(taken.back()->index(), i);
      memset(taken.back()->bottom(), 1, regions.region_bytes());
      taken.back()->set_top(taken.back()->end());
    }
    for (gc::Region* region : taken) {
      region->transition_to_full();
      region->transition_to_from_space();
      regions.release(region);
    }
  };
  regions.set_round_robin(false);
  use(4);
  EXPECT_FALSE(regions.choose_to_uncommit(4));
  EXPECT_EQ(regions.uncommit_some(piece), 0u);
  ASSERT_TRUE(regions.choose_to_uncommit(1));
  gc::Region* last = regions.at(3);
  EXPECT_EQ(regions.uncommit_some(piece), piece);
  EXPECT_EQ(last->bottom()[0], 0);
  EXPECT_EQ(last->bottom()[piece], 1);
  EXPECT_TRUE(last->dirty());
  use(4);  // the four regions are full of ones again, and free
  for (u32 i = 0; i < 4; ++i) {
    EXPECT_TRUE(last->dirty()) << "all over again: " << i;
    EXPECT_EQ(regions.uncommit_some(piece), piece);
  }
  EXPECT_FALSE(last->dirty());
  EXPECT_EQ(last->bottom()[0], 0);
  EXPECT_EQ(last->end()[-1], 0);
  gc::Region* zeroth = regions.take_to_space();
  gc::Region* taken = regions.take_to_space();  // uncommit_some had chosen region 1, which is now in use
  memset(taken->bottom(), 2, regions.region_bytes());
  EXPECT_EQ(regions.uncommit_some(2 * regions.region_bytes()), regions.region_bytes());  // region 2
  EXPECT_FALSE(regions.at(2)->dirty());
  EXPECT_EQ(regions.uncommit_some(piece), 0u);
  EXPECT_EQ(taken->bottom()[0], 2);
  EXPECT_TRUE(zeroth->dirty());
  for (gc::Region* region : {zeroth, taken}) {
    region->transition_to_full();
    region->transition_to_from_space();
    regions.release(region);
  }
}

TEST_P(HeapLimitsTest, MemoryGoesBackToTheKernelWhenLittleLives) {
  flags::VerifyBeforeGC = flags::VerifyAfterGC = false;
  start(256_MiB, 8_MiB);
  roots = {nullptr};
  for (u64 id = 0; id < 2'000'000; ++id) prepend(id);
  EXPECT_GT(resident_bytes(), 60_MiB);
  roots = {nullptr};
  full();
  EXPECT_LE(resident_bytes(), 9_MiB);  // the initial heap
  EXPECT_LE(heap::capacity_bytes(), 9_MiB);
  for (u64 id = 0; id < 1'000'000; ++id) prepend(id);
  full();
  u64 live = heap::used_bytes();
  EXPECT_LE(resident_bytes(), live * 100 / 30 + 1_MiB);  // MaxHeapFreeRatio
  flags::MinHeapFreeRatio = 10;
  flags::MaxHeapFreeRatio = 20;
  full();
  EXPECT_LE(resident_bytes(), live * 100 / 80 + 1_MiB);
  EXPECT_LE(heap::capacity_bytes(), live * 100 / 80 + 1_MiB);
}

INSTANTIATE_TEST_SUITE_P(Workers, HeapLimitsTest, testing::Values(1u, 4u),
                         [](const auto& info) { return std::to_string(info.param); });

TEST(OverheadLimit, FiveHopelessCollectionsInARowExceedIt) {
  constexpr i64 second = 1'000'000'000;
  i64 now = 0;
  gc::OverheadLimit limit;
  limit.begin(now);
  // Works for the given number of milliseconds, then collects for a second.
  auto collect = [&](i64 milliseconds, f64 free_fraction, bool everything = true) {
    now += milliseconds * 1'000'000;
    limit.add_pause(now, now + second, everything, free_fraction);
    now += second;
    return limit.take_exceeded();
  };
  for (u32 i = 0; i < 4; ++i) EXPECT_FALSE(collect(1, 0.01)) << i;
  EXPECT_TRUE(limit.is_near());
  EXPECT_TRUE(collect(1, 0.01));
  EXPECT_FALSE(limit.take_exceeded());
  for (u32 i = 0; i < 4; ++i) EXPECT_FALSE(collect(1, 0.01)) << i;
  EXPECT_FALSE(collect(1, 0.03));  // 3 % of the heap is free, so the count of hopeless collections starts again at 0
  for (u32 i = 0; i < 4; ++i) EXPECT_FALSE(collect(1, 0.01)) << i;
  EXPECT_FALSE(collect(100, 0.01));  // a tenth of the time was work, so the count starts again
  for (u32 i = 0; i < 4; ++i) EXPECT_FALSE(collect(1, 0.01)) << i;
  now += 50'000'000;
  // The pause of a young collection counts as time, but the collection cannot be hopeless. The full collection after it
  // is not hopeless either: 50 ms of work are 2.4 % of the time, more than the 2 % that GCTimeLimit leaves.
  EXPECT_FALSE(collect(0, 0.01, false));
  EXPECT_FALSE(collect(0, 0.01));
}

}  // namespace
}  // namespace keyhole::test
