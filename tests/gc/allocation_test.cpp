// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the contract of allocate: zeroed memory, headers, sizes, failures; and the queries about the heap.
#include <thread>

#include "tests/gc/heap_fixture.h"

namespace keyhole::test {
namespace {

using AllocationTest = HeapTest;

bool all_zero(const char* start, u64 bytes) {
  for (u64 i = 0; i < bytes; ++i)
    if (start[i] != 0) return false;
  return true;
}

TEST_F(AllocationTest, ObjectIsZeroedWithHeaderInstalled) {
  start(16_MiB);
  Object* object = heap::allocate_instance(thread, &k.node);
  EXPECT_EQ(object->header_word(), layout::prototype_word(k.node.id));
  EXPECT_EQ(object->klass_id(), k.node.id);
  EXPECT_TRUE(all_zero(reinterpret_cast<char*>(object) + first_field, 24));
  EXPECT_TRUE(heap::contains(object));
  Object* array = heap::allocate_array(thread, &k.longs, 3);
  EXPECT_EQ(array->length(), 3);
  EXPECT_EQ(object_bytes(array), layout::array_base_offset(3) + 24u);
}

TEST_F(AllocationTest, TlabServesTheInlinePath) {
  start(16_MiB);
  EXPECT_EQ(heap::allocate_in_tlab_nogc(thread, k.leaf.id, layout::minimum_object_bytes), nullptr);
  Object* first = heap::allocate_instance(thread, &k.leaf);
  Object* second = heap::allocate_in_tlab_nogc(thread, k.leaf.id, layout::minimum_object_bytes);
  EXPECT_EQ(reinterpret_cast<char*>(second), reinterpret_cast<char*>(first) + layout::minimum_object_bytes);
}

TEST_F(AllocationTest, StressAndNoTlabKeepTheInlinePathShut) {
  flags::GCStressInterval = 1000;
  start(16_MiB);
  heap::allocate_instance(thread, &k.leaf);
  EXPECT_EQ(thread->tlab_top, thread->tlab_end);
  flags::GCStressInterval = 0;
  flags::UseTLAB = false;
  heap::allocate_instance(thread, &k.leaf);
  EXPECT_EQ(thread->tlab_top, thread->tlab_end);
  EXPECT_EQ(verify(), "");
}

TEST_F(AllocationTest, StressIntervalCollectsAtEveryNth) {
  flags::GCStressInterval = 10;
  start(16_MiB);
  u64 before = heap::collection_count();
  for (int i = 0; i < 100; ++i) heap::allocate_instance(thread, &k.leaf);
  EXPECT_EQ(heap::collection_count() - before, 10u);
}

TEST_F(AllocationTest, ReusedMemoryIsZeroAgain) {
  start(4_MiB);
  for (int i = 0; i < 40000; ++i) {
    Object* array = heap::allocate_array(thread, &k.bytes, 1000);
    ASSERT_NE(array, nullptr);
    ASSERT_TRUE(all_zero(array->elements<char>(), 1000));
    memset(array->elements<char>(), 0x5A, 1000);
  }
  EXPECT_GT(heap::collection_count(), 5u);
}

TEST_F(AllocationTest, HumongousObjectHasRegionsOfItsOwnAndIsZeroed) {
  start(16_MiB);
  for (int i = 0; i < 30; ++i) {
    Object* array = heap::allocate_array(thread, &k.bytes, 1000000);
    ASSERT_NE(array, nullptr);
    ASSERT_EQ(gc::space.regions.region_of(array)->state(), gc::RegionState::HumongousStart);
    ASSERT_TRUE(all_zero(array->elements<char>(), 1000000));
    memset(array->elements<char>(), 0x5A, 1000000);
    ASSERT_EQ(verify(), "");
  }
}

TEST_F(AllocationTest, ExhaustionIsNullAfterSoftReferencesWereCleared) {
  start(4_MiB);
  roots.push_back(reference(k.soft, node(1)));
  std::vector<Object*>::size_type count = 0;
  while (Object* array = heap::allocate_array(thread, &k.bytes, 10000)) {
    roots.push_back(array);
    ++count;
  }
  EXPECT_GT(count * 10016, 3_MiB + 768_KiB);  // nearly all of -Xmx
  EXPECT_EQ(gc::referent(roots[0]), nullptr);
  roots.resize(1);
  EXPECT_NE(heap::allocate_array(thread, &k.bytes, 10000), nullptr);
}

TEST_F(AllocationTest, ArrayLimitIsToldFromExhaustion) {
  start(4_MiB);
  u64 before = heap::collection_count();
  EXPECT_EQ(heap::allocate_array(thread, &k.bytes, 0x7FFFFFFF), nullptr);
  EXPECT_STREQ(heap::array_failure_message(0x7FFFFFFF), "Requested array size exceeds VM limit");
  EXPECT_EQ(heap::allocate_array(thread, &k.longs, 0x7FFFFFFF - 2), nullptr);
  EXPECT_STREQ(heap::array_failure_message(0x7FFFFFFF - 2), "Java heap space");
  EXPECT_EQ(heap::collection_count(), before);
}

TEST_F(AllocationTest, NonePlanNeverCollects) {
  flags::GCPlan = "none";
  start(4_MiB);
  u64 before = heap::collection_count();
  heap::collect(thread, heap::Cause::SystemGC);
  u64 bytes = 0;
  while (heap::allocate_array(thread, &k.bytes, 10000) != nullptr) bytes += 10016;
  EXPECT_GT(bytes, 3_MiB + 768_KiB);
  EXPECT_EQ(heap::collection_count(), before);
  EXPECT_EQ(verify(), "");
}

TEST_F(AllocationTest, LockedAllocationIsTheSame) {
  flags::UseCASAllocation = false;
  start(4_MiB);
  for (int i = 0; i < 100000; ++i) ASSERT_NE(heap::allocate_instance(thread, &k.node), nullptr);
  EXPECT_EQ(verify(), "");
}

TEST_F(AllocationTest, InjectedFailuresReturnNull) {
  flags::AllocationFailureInterval = 7;
  start(4_MiB);
  int failures = 0;
  for (int i = 0; i < 70; ++i) failures += heap::allocate_instance(thread, &k.node) == nullptr;
  EXPECT_EQ(failures, 10);
}

TEST_F(AllocationTest, ExplicitCollectionCanBeDisabled) {
  flags::DisableExplicitGC = true;
  start(4_MiB);
  u64 before = heap::collection_count();
  heap::collect(thread, heap::Cause::SystemGC);
  EXPECT_EQ(heap::collection_count(), before);
}

TEST_F(AllocationTest, UsedGrowsWithAllocationAndShrinksWithCollection) {
  start(64_MiB);
  u64 before = heap::used_bytes();
  roots.push_back(heap::allocate_array(thread, &k.bytes, 100000));
  heap::allocate_array(thread, &k.bytes, 100000);
  EXPECT_GE(heap::used_bytes(), before + 200000);
  heap::collect(thread, heap::Cause::SystemGC);
  EXPECT_LT(heap::used_bytes(), before + 200000);
  EXPECT_EQ(heap::maximum_bytes(), 64_MiB);
  EXPECT_LE(heap::capacity_bytes(), heap::maximum_bytes());
}

TEST_F(AllocationTest, AllocatedBytesOfAThreadAddUp) {
  start(16_MiB);
  gc::tlab::retire(thread);
  u64 before = thread->allocated_bytes;
  for (int i = 0; i < 1000; ++i) heap::allocate_instance(thread, &k.node);
  gc::tlab::retire(thread);
  EXPECT_EQ(thread->allocated_bytes - before, 1000 * u64{node_bytes});
}

// --- TLAB sizes ------------------------------------------------------------------------------------------------------

void fill_until_collection(JavaThread* thread, Klass* klass) {
  for (u64 before = heap::collection_count(); heap::collection_count() == before;)
    heap::allocate_instance(thread, klass);
}

TEST_F(AllocationTest, FirstBuffersAreSmallAndDouble) {
  start(512_MiB);
  TlabState& state = thread->allocation->tlab;
  state = {};
  heap::allocate_instance(thread, &k.leaf);
  EXPECT_EQ(static_cast<u64>(thread->tlab_end - thread->tlab_start),
            gc::tlab::first_bytes + layout::minimum_object_bytes);
  EXPECT_EQ(state.next_bytes, 2 * gc::tlab::first_bytes);
  EXPECT_EQ(state.refills_since, 1u);
}

TEST_F(AllocationTest, AThreadAloneGetsAFiftiethOfTheBudget) {
  flags::HeapRegionSize = 1_MiB;  // large regions, so that the region's size does not limit the TLAB
  start(4_MiB);
  TlabState& state = thread->allocation->tlab;
  state = {};
  for (int i = 0; i < 3; ++i) fill_until_collection(thread, &k.node);
  u64 budget =
      u64{gc::space.sizing.trigger_regions() - gc::space.sizing.live_regions()} * gc::space.regions.region_bytes();
  EXPECT_NEAR(state.fraction_average, 1.0, 0.01);
  EXPECT_NEAR(static_cast<f64>(state.desired_bytes), static_cast<f64>(budget) / 50, 4096);
}

TEST_F(AllocationTest, GivenSizeStaysWhenResizingIsOff) {
  flags::TLABSize = 40_KiB;
  flags::ResizeTLAB = false;
  start(16_MiB);
  TlabState& state = thread->allocation->tlab;
  state = {};
  for (int i = 0; i < 2; ++i) {
    fill_until_collection(thread, &k.node);
    EXPECT_EQ(state.desired_bytes, 40_KiB);
    EXPECT_EQ(state.next_bytes, 40_KiB);
  }
  flags::TLABSize = 0;
  flags::ResizeTLAB = true;
}

TEST_F(AllocationTest, WhatDoesNotFitGoesOutsideUntilThatIsTolerated) {
  start(64_MiB);
  TlabState& state = thread->allocation->tlab;
  state = {};
  heap::allocate_instance(thread, &k.leaf);
  char* buffer = thread->tlab_start;
  u64 limit = state.refill_waste_limit_bytes;
  i32 length = static_cast<i32>(thread->tlab_end - thread->tlab_top);  // just too large
  heap::allocate_array(thread, &k.bytes, length);
  EXPECT_EQ(thread->tlab_start, buffer);
  EXPECT_EQ(state.slow_allocations_since, 1u);
  EXPECT_EQ(state.refill_waste_limit_bytes, limit + 4 * sizeof(u64));
  EXPECT_EQ(verify(), "");
}

TEST_F(AllocationTest, TooSmallTlabSizeIsRefused) {
  flags::TLABSize = 100;
  EXPECT_EQ(heap::initialize(), "TLABSize (100) must be greater than or equal to MinTLABSize (2048)");
  flags::TLABSize = 0;
}

TEST_F(AllocationTest, PiecesAreCountedByThreadAndAddedUp) {
  flags::UseTLAB = false;
  start(16_MiB);
  thread->allocation->counters = {};
  u64 before = gc::space.allocation_totals().pieces;
  for (int i = 0; i < 1000; ++i) heap::allocate_instance(thread, &k.node);
  EXPECT_EQ(thread->allocation->counters.pieces, 1000u);
  heap::collect(thread, heap::Cause::SystemGC);
  EXPECT_EQ(thread->allocation->counters.pieces, 0u);
  EXPECT_EQ(gc::space.allocation_totals().pieces - before, 1000u);
}

TEST_F(AllocationTest, ARestIsAFillerWhenARegionIsRetired) {
  flags::UseTLAB = false;
  start(16_MiB);
  // A region has room for two of these arrays, and a rest that is too small for a third.
  while (gc::space.regions.used_count() < 4) heap::allocate_array(thread, &k.bytes, 100000);
  EXPECT_EQ(verify(), "");
}

TEST_F(AllocationTest, ThreadsAllocateSideBySideWhileCollecting) {
  start(8_MiB);
  static std::atomic<int> failures, running;
  failures = 0;
  running = 3;
  for (int t = 0; t < 3; ++t) {
    JavaThread* other = threads::start(
        0, true, true, [](JavaThread*, void*) {}, nullptr,
        [](JavaThread* self) {
          {
            HandleScope scope(self);
            Handle list = scope.make(nullptr);
            for (u64 i = 0; i < 60000; ++i) {
              Object* object = heap::allocate_instance(self, &Klasses::get().node);
              if (object == nullptr) {
                ++failures;
                break;
              }
              object->set<u64>(node_id, i);
              if (i % 1000 != 0) barrier::store(object, node_left, list.get());
              list.set(object);
              if (i % 1000 == 999) {
                u64 length = 0;
                for (Object* at = list.get(); at != nullptr; at = at->get_reference(node_left)) ++length;
                if (length != 1000) ++failures;
              }
            }
          }
          --running;
        });
    ASSERT_NE(other, nullptr);
  }
  while (running.load() != 0) {
    safepoint::poll(thread);
    heap::collect(thread, heap::Cause::Stress);
  }
  EXPECT_EQ(failures.load(), 0);
}

}  // namespace
}  // namespace keyhole::test
