// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A heap under the generational plan, with the number of workers as the test's parameter.
#pragma once

#include "gc/plans/generational.h"
#include "tests/gc/heap_fixture.h"

namespace keyhole::test {

using gc::Generation;

class GenerationalTest : public HeapTest, public testing::WithParamInterface<u32> {
 protected:
  GenerationalTest() {
    flags::GCPlan = "generational";
    flags::ParallelGCThreads = GetParam();
    flags::UseDynamicNumberOfGCThreads = false;
  }
  ~GenerationalTest() override {
    flags::ParallelGCThreads = 0;
    flags::UseDynamicNumberOfGCThreads = true;
    flags::MaxTenuringThreshold = 15;
    flags::InitialTenuringThreshold = 7;
    flags::GCStressFullInterval = 8;
    flags::InitiatingHeapOccupancyPercent = 45;
    flags::MaxGCPauseMillis = 200;
    flags::G1HeapWastePercent = 5;
    flags::G1MixedGCCountTarget = 8;
  }
  static gc::GenerationalPlan& plan() { return static_cast<gc::GenerationalPlan&>(gc::plan()); }
  void start_with_threshold(u64 bytes, i64 threshold) {
    flags::MaxTenuringThreshold = flags::InitialTenuringThreshold = threshold;
    start(bytes);
  }
  void young() { collect({heap::Cause::AllocationFailure}); }
  // Collects all old regions at once, after a marking that makes all of them candidates.
  void mixed() {
    flags::GCStressFullInterval = 1;
    collect({heap::Cause::Stress});
  }
  // Leaves an array of `count` nodes in roots[0]. The references `right` and `extra` make the nodes a binary tree from
  // the first node, and `left` makes them a list from the last node.
  void make_tree_and_list(u64 count) {
    roots = {heap::allocate_array(thread, &k.references, count)};
    for (u64 i = 0; i < count; ++i) {
      Object* object = node(i);
      if (i > 0) barrier::store(object, node_left, roots[0]->reference_at(static_cast<i32>(i - 1)));
      if (i > 0)
        barrier::store(roots[0]->reference_at(static_cast<i32>((i - 1) / 2)), i % 2 == 1 ? node_right : node_extra,
                       object);
      barrier::store_element(roots[0], static_cast<i32>(i), object);
    }
  }
  void full() { collect({heap::Cause::SystemGC}); }

  static Generation generation_of(Object* object) { return gc::space.regions.region_of(object)->generation(); }
  static u32 age_of(Object* object) {
    return static_cast<u32>((object->header_word() & layout::age_mask) >> layout::age_shift);
  }
};

}  // namespace keyhole::test
