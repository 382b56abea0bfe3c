// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests soft, weak, final and phantom references in the order of java.lang.ref. Each test runs under the
// copying and under the sliding policy.
#include "gc/references.h"

#include "runtime/threads/thread_state.h"
#include "tests/gc/heap_fixture.h"

namespace keyhole::test {
namespace {

class ReferencesTest : public HeapTest, public testing::WithParamInterface<bool> {
 protected:
  void collect(bool clear_soft = false) { HeapTest::collect({heap::Cause::AllocationFailure, clear_soft, GetParam()}); }
  // Returns the pending list as klass pointers, newest first, and empties it.
  std::vector<Klass*> pending() {
    std::vector<Klass*> klasses;
    for (Object* at = gc::take_pending_references(thread); at != nullptr;
         at = at->get_reference(reference_discovered_offset)) {
      klasses.push_back(at->klass());
    }
    return klasses;
  }
};

TEST_P(ReferencesTest, LiveReferentIsUpdated) {
  start(16_MiB);
  roots = {node(1)};
  for (Klass* klass : {&k.soft, &k.weak, &k.final, &k.phantom}) {
    Object* object = reference(*klass, roots[0]);
    roots.push_back(object);
  }
  collect();
  for (u32 i = 1; i <= 4; ++i) EXPECT_EQ(gc::referent(roots[i]), roots[0]);
  EXPECT_FALSE(gc::has_pending_references());
}

TEST_P(ReferencesTest, WeakIsClearedAndPending) {
  start(16_MiB);
  roots.push_back(reference(k.weak, node(1)));
  collect();
  EXPECT_EQ(gc::referent(roots[0]), nullptr);
  EXPECT_TRUE(gc::has_pending_references());
  Object* head = gc::take_pending_references(thread);
  EXPECT_EQ(head, roots[0]);
  EXPECT_EQ(head->get_reference(reference_discovered_offset), nullptr);
  EXPECT_FALSE(gc::has_pending_references());
}

TEST_P(ReferencesTest, PendingListKeepsReferencesAlive) {
  start(16_MiB);
  for (int i = 0; i < 3; ++i) roots.push_back(reference(k.weak, node(1)));
  collect();
  roots.clear();
  collect();
  collect();
  EXPECT_EQ(pending().size(), 3u);
}

TEST_P(ReferencesTest, UnreachableReferenceIsNotPending) {
  start(16_MiB);
  reference(k.weak, node(1));
  collect();
  EXPECT_FALSE(gc::has_pending_references());
}

TEST_P(ReferencesTest, WeakReferentReachableThroughAnotherWeakIsCleared) {
  start(16_MiB);
  // In the chain root -> weak -> node -> weak2 -> node2, no strong reference leads to `node`. So the reference object
  // `weak2` itself is unreachable.
  roots.push_back(node(1));
  Object* inner = reference(k.weak, node(2));
  barrier::store(roots[0], node_left, inner);
  Object* outer = reference(k.weak, roots[0]);
  roots[0] = outer;
  collect();
  EXPECT_EQ(pending().size(), 1u);
}

TEST_P(ReferencesTest, SoftIsKeptUntilUnusedOrForced) {
  start(16_MiB);
  Object* mirror = heap::allocate(thread, &k.mirror, mirror_static + 8);
  mirror->set<u32>(mirror_bytes_offset, mirror_static + 8);
  k.soft.mirror = mirror;
  soft_reference_klass = &k.soft;
  soft_reference_clock_offset = mirror_static;
  soft_reference_timestamp_offset = reference_timestamp;
  mirror->set<i64>(mirror_static, 1'000'000);
  roots.push_back(reference(k.soft, node(1)));
  // The reference was not used for 15 s. It may stay for 16 s: 1 s for each free megabyte.
  roots[0]->set<i64>(reference_timestamp, 1'000'000 - 15'000);
  collect();
  EXPECT_NE(gc::referent(roots[0]), nullptr);
  EXPECT_NE(k.soft.mirror->get<i64>(mirror_static), 1'000'000);  // the collection has advanced the clock
  k.soft.mirror->set<i64>(mirror_static, 1'000'000);
  roots[0]->set<i64>(reference_timestamp, 1'000'000 - 17'000);
  collect();
  EXPECT_EQ(gc::referent(roots[0]), nullptr);
  EXPECT_EQ(pending().size(), 1u);

  roots[0] = reference(k.soft, node(1));
  k.soft.mirror->set<i64>(mirror_static, 1'000'000);
  roots[0]->set<i64>(reference_timestamp, 1'000'000);
  collect(/*clear_soft=*/true);
  EXPECT_EQ(gc::referent(roots[0]), nullptr);
}

TEST_P(ReferencesTest, FinalKeepsItsReferentAndHappensOnce) {
  start(16_MiB);
  Object* object = node(1);
  HandleScope scope(thread);
  Handle kept = scope.make(object);
  Object* inner = node(2);
  barrier::store(kept.get(), node_left, inner);
  roots.push_back(reference(k.final, kept.get()));
  kept.set(nullptr);
  collect();
  ASSERT_NE(gc::referent(roots[0]), nullptr);
  EXPECT_EQ(gc::referent(roots[0])->get_reference(node_left)->get<u64>(node_id), 2u);
  EXPECT_EQ(roots[0]->get_reference(reference_next_offset), roots[0]);
  EXPECT_EQ(pending().size(), 1u);
  collect();
  EXPECT_TRUE(pending().empty());
  EXPECT_NE(gc::referent(roots[0]), nullptr);  // strong from now on
}

TEST_P(ReferencesTest, FinalizableObjectsThatReachEachOtherAreFinalizedTogether) {
  start(16_MiB);
  roots.push_back(node(1));
  Object* second = node(2);
  barrier::store(roots[0], node_left, second);
  roots.push_back(reference(k.final, roots[0]->get_reference(node_left)));
  roots.push_back(reference(k.final, roots[0]));
  roots[0] = nullptr;
  collect();
  EXPECT_EQ(pending().size(), 2u);
}

TEST_P(ReferencesTest, WeakIsClearedBeforeFinalizationAndPhantomAfter) {
  start(16_MiB);
  Object* object = node(1);
  roots = {object};
  roots.push_back(reference(k.weak, roots[0]));
  roots.push_back(reference(k.final, roots[0]));
  roots.push_back(reference(k.phantom, roots[0]));
  roots[0] = nullptr;
  collect();
  EXPECT_EQ(gc::referent(roots[1]), nullptr);
  EXPECT_NE(gc::referent(roots[2]), nullptr);
  EXPECT_EQ(gc::referent(roots[3]), gc::referent(roots[2]));  // the finalizer may still resurrect the referent
  EXPECT_EQ(pending(), (std::vector<Klass*>{&k.final, &k.weak}));
  gc::clear_referent(roots[2]);
  collect();
  EXPECT_EQ(gc::referent(roots[3]), nullptr);
  EXPECT_EQ(pending(), (std::vector<Klass*>{&k.phantom}));
}

TEST_P(ReferencesTest, ReferencesBehindAFinalizableObjectStayWhole) {
  start(16_MiB);
  // final -> node -> weak -> other: the finalizer may still use the weak reference.
  roots.push_back(node(1));
  Object* weak = reference(k.weak, node(2));
  barrier::store(roots[0], node_left, weak);
  Object* final = reference(k.final, roots[0]);
  roots[0] = final;
  collect();
  Object* inner = gc::referent(roots[0])->get_reference(node_left);
  ASSERT_NE(gc::referent(inner), nullptr);
  EXPECT_EQ(gc::referent(inner)->get<u64>(node_id), 2u);
}

TEST_P(ReferencesTest, HumongousReferentIsClearedAndFreed) {
  start(16_MiB);
  Object* array = heap::allocate_array(thread, &k.bytes, 4000000);
  roots.push_back(reference(k.weak, array));
  u64 used = heap::used_bytes();
  collect();
  EXPECT_EQ(gc::referent(roots[0]), nullptr);
  EXPECT_LT(heap::used_bytes(), used - 3900000);
}

TEST_P(ReferencesTest, RefersToAndClear) {
  start(16_MiB);
  roots = {node(1)};
  roots.push_back(reference(k.phantom, roots[0]));
  EXPECT_TRUE(gc::refers_to(roots[1], roots[0]));
  gc::clear_referent(roots[1]);
  EXPECT_TRUE(gc::refers_to(roots[1], nullptr));
  collect();
  EXPECT_FALSE(gc::has_pending_references());
}

TEST_P(ReferencesTest, WaiterWakesUpWhenSomethingIsPending) {
  start(16_MiB);
  static std::atomic<int> stage;
  stage = 0;
  JavaThread* waiter = threads::start(
      0, true, true, [](JavaThread*, void*) {}, nullptr,
      [](JavaThread* self) {
        stage = 1;
        gc::wait_for_pending_references(self);
        stage = gc::has_pending_references() ? 2 : 3;
      });
  ASSERT_NE(waiter, nullptr);
  while (stage.load() == 0) safepoint::poll(thread);
  roots.push_back(reference(k.weak, node(1)));
  EXPECT_EQ(stage.load(), 1);
  collect();
  {
    BlockedScope blocked(thread);
    while (stage.load() == 1) sched_yield();
  }
  EXPECT_EQ(stage.load(), 2);
}

INSTANTIATE_TEST_SUITE_P(Policies, ReferencesTest, testing::Values(false, true),
                         [](const testing::TestParamInfo<bool>& info) { return info.param ? "Sliding" : "Copying"; });

}  // namespace
}  // namespace keyhole::test
