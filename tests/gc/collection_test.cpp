// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests collections against a shadow copy: all reachable objects must exist, be equal, and be connected as before,
// wherever they moved.
#include <algorithm>
#include <map>
#include <random>
#include <unordered_map>
#include <unordered_set>

#include "tests/gc/heap_fixture.h"

namespace keyhole::test {
namespace {

// Every test runs twice: with copying collections, and with collections that slide objects in place.
class CollectionTest : public HeapTest, public testing::WithParamInterface<bool> {
 protected:
  gc::Request request() const { return {heap::Cause::AllocationFailure, false, GetParam()}; }
  void collect() { HeapTest::collect(request()); }
};

TEST_P(CollectionTest, RootsAreUpdatedAndGarbageGoes) {
  start(16_MiB);
  collect();
  u64 before = count_objects();
  for (u64 i = 0; i < 1000; ++i) {
    Object* object = node(i);
    if (i % 10 == 0) roots.push_back(object);
  }
  collect();
  EXPECT_EQ(count_objects() - before, 100u);
  for (u64 i = 0; i < roots.size(); ++i) EXPECT_EQ(roots[i]->get<u64>(node_id), i * 10);
}

// Several threads run out of metadata memory at the same time. One collection is enough for all threads that requested
// it before it began.
TEST_P(CollectionTest, OneCollectionServesAllWhoAskedBefore) {
  start(16_MiB);
  auto threshold = heap::Cause::MetadataThreshold, clear = heap::Cause::MetadataClearSoftReferences;
  u64 before = heap::collection_count(), seen = heap::collections_for(threshold),
      seen_clear = heap::collections_for(clear);
  heap::collect_unless_done(thread, threshold, seen);
  EXPECT_EQ(heap::collection_count(), before + 1);
  heap::collect_unless_done(thread, threshold, seen);
  EXPECT_EQ(heap::collection_count(), before + 1);
  heap::collect_unless_done(thread, clear, seen_clear);  // more than was done
  EXPECT_EQ(heap::collection_count(), before + 2);
  heap::collect_unless_done(thread, clear, seen_clear);
  heap::collect_unless_done(thread, threshold, seen + 1);
  EXPECT_EQ(heap::collection_count(), before + 2);
  heap::collect_unless_done(thread, threshold, heap::collections_for(threshold));
  EXPECT_EQ(heap::collection_count(), before + 3);
}

TEST_P(CollectionTest, SharedStructureAndCyclesSurvive) {
  start(16_MiB);
  roots = {node(1)};
  roots.push_back(node(2));
  barrier::store(roots[0], node_left, roots[1]);
  barrier::store(roots[0], node_right, roots[1]);
  barrier::store(roots[1], node_extra, roots[0]);
  barrier::store(roots[1], node_left, roots[1]);
  roots.resize(1);
  collect();
  Object* first = roots[0];
  Object* second = first->get_reference(node_left);
  EXPECT_EQ(second->get<u64>(node_id), 2u);
  EXPECT_EQ(first->get_reference(node_right), second);
  EXPECT_EQ(second->get_reference(node_extra), first);
  EXPECT_EQ(second->get_reference(node_left), second);
}

TEST_P(CollectionTest, HeaderMovesAsItIs) {
  start(16_MiB);
  roots.push_back(node(1));
  layout::Word word = layout::hashed(roots[0]->header_word(), 0x12345678) | (layout::Word{5} << layout::age_shift);
  roots[0]->header().store(word);
  u32 hash = layout::hash_at(roots[0], word);
  roots.push_back(node(2));
  layout::Word locked = roots[1]->header_word() & ~layout::lock_mask;  // lightweight-locked: bits 00
  roots[1]->header().store(locked);
  collect();
  layout::Word may_change = layout::hash_state_mask | layout::age_mask;
  EXPECT_EQ(roots[0]->header_word() & ~may_change, word & ~may_change);
  EXPECT_EQ(layout::hash_at(roots[0], roots[0]->header_word()), hash);
  EXPECT_EQ(roots[1]->header_word() & ~may_change, locked & ~may_change);
}

// A source of roots may report a slot twice. Workers scan different sources at the same time, so two sources must not
// report the same slot.
TEST_P(CollectionTest, ASlotReportedTwiceIsUpdatedOnce) {
  start(16_MiB);
  node(0);
  static Object* slot;
  slot = node(7);
  gc::register_strong_roots("Twice", [](gc::RootVisitor& visitor) {
    if (slot == nullptr) return;
    visitor.visit(&slot);
    visitor.visit(&slot);
  });
  collect();
  EXPECT_EQ(slot->get<u64>(node_id), 7u);
  slot = nullptr;
}

TEST_P(CollectionTest, RootsOfAThread) {
  start(16_MiB);
  thread->thread_object = node(1);
  thread->pending_exception = node(2);
  thread->lock_stack[0] = node(3);
  thread->lock_stack_top = 1;
  Handle global = GlobalHandles::make(node(4));
  collect();
  EXPECT_EQ(thread->thread_object->get<u64>(node_id), 1u);
  EXPECT_EQ(thread->pending_exception->get<u64>(node_id), 2u);
  EXPECT_EQ(thread->lock_stack[0]->get<u64>(node_id), 3u);
  EXPECT_EQ(global->get<u64>(node_id), 4u);
  GlobalHandles::release(global);
  thread->thread_object = thread->pending_exception = nullptr;
  thread->lock_stack_top = 0;
}

TEST_P(CollectionTest, StaticsOfAMirrorAreReferences) {
  start(16_MiB);
  u32 bytes = mirror_static + 2 * 4 + 8;
  Object* mirror = heap::allocate(thread, &k.mirror, bytes);
  mirror->set<u32>(mirror_bytes_offset, bytes);
  mirror->set<Klass*>(mirror_klass_offset, &k.mirrored);
  k.mirrored.mirror = mirror;
  Object* first = node(1);
  barrier::store(k.mirrored.mirror, mirror_static, first);
  Object* second = node(2);
  barrier::store(k.mirrored.mirror, mirror_static + 4, second);
  k.mirrored.mirror->set<i64>(mirror_static + 8, -1);
  Object* own = node(3);
  barrier::store(k.mirrored.mirror, mirror_reference, own);
  // This mirror is not complete yet: it has no class.
  roots.push_back(heap::allocate(thread, &k.mirror, mirror_static));
  roots[0]->set<u32>(mirror_bytes_offset, mirror_static);
  collect();
  mirror = k.mirrored.mirror;
  EXPECT_EQ(klass_of_mirror(mirror), &k.mirrored);
  EXPECT_EQ(mirror->get_reference(mirror_static)->get<u64>(node_id), 1u);
  EXPECT_EQ(mirror->get_reference(mirror_static + 4)->get<u64>(node_id), 2u);
  EXPECT_EQ(mirror->get_reference(mirror_reference)->get<u64>(node_id), 3u);
  EXPECT_EQ(mirror->get<i64>(mirror_static + 8), -1);
}

TEST_P(CollectionTest, WeakRootsFollowOrClear) {
  start(16_MiB);
  weak_roots = {node(1)};
  roots = {node(2)};
  weak_roots.push_back(roots[0]);
  collect();
  EXPECT_EQ(weak_roots[0], nullptr);
  EXPECT_EQ(weak_roots[1], roots[0]);
}

TEST_P(CollectionTest, HumongousObjectsLiveAndDie) {
  start(32_MiB);
  for (u64 i = 0; i < 6; ++i) {
    Object* array = heap::allocate_array(thread, &k.references, 500000);
    roots.push_back(array);
    Object* object = node(i);
    barrier::store_element(roots.back(), 499999, object);
  }
  collect();
  for (u64 i = 0; i < 6; ++i) EXPECT_EQ(roots[i]->reference_at(499999)->get<u64>(node_id), i);
  u64 used = heap::used_bytes();
  for (u64 i = 0; i < 6; i += 2) roots[i] = nullptr;
  collect();
  // Workers may leave pieces of to-space unfilled, up to 64 KiB.
  EXPECT_LE(heap::used_bytes(), used - 3 * 2000000 + 64_KiB);
  for (u64 i = 1; i < 6; i += 2) EXPECT_EQ(roots[i]->reference_at(499999)->get<u64>(node_id), i);
}

// A random program on the heap, and a shadow copy of its objects: nodes by id with the ids of their three references,
// arrays of nodes, and byte arrays.
class Shadow {
 public:
  Shadow(HeapTest& test, JavaThread* thread, u32 seed) : thread_(thread), random_(seed) { static_cast<void>(test); }

  static constexpr u32 root_count = 64;

  // Allocates an object that refers to some roots, and stores it in place of another root. Returns false when the heap
  // is exhausted.
  bool step() {
    Klasses& k = Klasses::get();
    u32 target = pick(root_count);
    switch (pick(10)) {
      case 0: {  // an array that refers to some roots
        u32 length = pick(pick(20) == 0 ? 40000 : 30);
        Object* array = heap::allocate_array(thread_, &k.references, static_cast<i32>(length));
        if (array == nullptr) return false;
        u64 id = next_id_++;
        Item item{'A', {}, length};
        for (u32 i = 0; i < length && i < 8; ++i) {
          u32 source = pick(root_count);
          barrier::store_element(array, static_cast<i32>(i), roots[source]);
          item.edges.push_back(root_ids_[source]);
        }
        items_[id] = item;
        set_root(target, array, id);
        return true;
      }
      case 1: {  // bytes
        u32 length = pick(pick(20) == 0 ? 300000 : 200);
        Object* array = heap::allocate_array(thread_, &k.bytes, static_cast<i32>(length));
        if (array == nullptr) return false;
        u64 id = next_id_++;
        memset(array->elements<char>(), static_cast<int>(id), length);
        items_[id] = {'B', {}, length};
        set_root(target, array, id);
        return true;
      }
      case 2:  // drop
        set_root(target, nullptr, 0);
        return true;
      case 3: {  // relink
        Object* object = roots[target];
        if (object == nullptr || items_[root_ids_[target]].kind != 'N') return true;
        u32 field = pick(3), source = pick(root_count);
        barrier::store(object, node_left + field * 4, roots[source]);
        items_[root_ids_[target]].edges[field] = root_ids_[source];
        return true;
      }
      default: {
        Object* object = heap::allocate_instance(thread_, &k.node);
        if (object == nullptr) return false;
        u64 id = next_id_++;
        object->set<u64>(node_id, id);
        Item item{'N', {0, 0, 0}, 0};
        for (u32 field = 0; field < 3; ++field) {
          // A reference to the object that the new object replaces makes a list longer. A reference to another root may
          // keep many objects alive.
          u32 source = pick(3) == 0 ? target : pick(root_count);
          if (pick(4) == 0) continue;
          barrier::store(object, node_left + field * 4, roots[source]);
          item.edges[field] = root_ids_[source];
        }
        items_[id] = item;
        set_root(target, object, id);
        return true;
      }
    }
  }

  void check() {
    seen_.clear();
    std::vector<std::pair<Object*, u64>> queue;
    auto reach = [&](Object* object, u64 id) {
      ASSERT_EQ(object == nullptr, id == 0);
      if (id == 0) return;
      auto [found, fresh] = seen_.emplace(id, object);
      ASSERT_EQ(found->second, object) << "object " << id << " is in two places";
      if (fresh) queue.push_back({object, id});
    };
    for (u32 i = 0; i < root_count; ++i) reach(roots[i], root_ids_[i]);
    while (!queue.empty()) {
      auto [object, id] = queue.back();
      queue.pop_back();
      const Item& item = items_[id];
      if (item.kind == 'N') {
        ASSERT_EQ(object->get<u64>(node_id), id);
        for (u32 field = 0; field < 3; ++field) reach(object->get_reference(node_left + field * 4), item.edges[field]);
      } else {
        ASSERT_EQ(object->length(), static_cast<i32>(item.length));
        if (item.kind == 'A') {
          for (u32 i = 0; i < item.length; ++i)
            reach(object->reference_at(static_cast<i32>(i)), i < item.edges.size() ? item.edges[i] : 0);
        } else {
          for (u32 i = 0; i < item.length; ++i) ASSERT_EQ(object->elements<u8>()[i], static_cast<u8>(id));
        }
      }
      if (testing::Test::HasFatalFailure()) return;
    }
    std::erase_if(items_, [&](const auto& entry) { return !seen_.contains(entry.first); });
  }

  void drop_most() {
    for (u32 i = 0; i < root_count; ++i)
      if (i % 16 != 0) set_root(i, nullptr, 0);
  }
  void drop_all() {
    for (u32 i = 0; i < root_count; ++i) set_root(i, nullptr, 0);
  }
  usize live() const { return items_.size(); }

 private:
  struct Item {
    char kind;
    std::vector<u64> edges;
    u32 length;
  };
  u32 pick(u32 below) { return static_cast<u32>(random_() % (below == 0 ? 1 : below)); }
  void set_root(u32 index, Object* object, u64 id) {
    roots[index] = object;
    root_ids_[index] = id;
  }

  JavaThread* thread_;
  std::mt19937 random_;
  u64 next_id_ = 1;
  u64 root_ids_[root_count] = {};
  std::unordered_map<u64, Item> items_;
  std::unordered_map<u64, Object*> seen_;
};

TEST_P(CollectionTest, RandomGraphsStayEqualToTheirShadow) {
  for (u32 seed = 1; seed <= 4; ++seed) {
    if (thread == nullptr) start(32_MiB);
    roots.assign(Shadow::root_count, nullptr);
    Shadow shadow(*this, thread, seed);
    for (u32 i = 0; i < 20000; ++i) {
      if (!shadow.step()) shadow.drop_all();
      if (i % 1000 == 999) {
        collect();
        ASSERT_NO_FATAL_FAILURE(shadow.check());
      }
    }
  }
}

TEST_P(CollectionTest, RandomGraphsAtTheLimitOfTheHeap) {
  // Live data grows until allocation fails, so every path through a collection is taken: copying, to-space exhausted,
  // sliding.
  start(4_MiB);
  flags::VerifyBeforeGC = false;
  roots.assign(Shadow::root_count, nullptr);
  Shadow shadow(*this, thread, 99);
  u32 exhausted = 0;
  for (u32 i = 0; i < 30000; ++i) {
    if (!shadow.step()) {
      ++exhausted;
      ASSERT_NO_FATAL_FAILURE(shadow.check());
      if (exhausted % 2 == 0) shadow.drop_all();
      else shadow.drop_most();
    }
    if (i % 2000 == 0) {
      collect();
      ASSERT_NO_FATAL_FAILURE(shadow.check());
    }
  }
  ASSERT_NO_FATAL_FAILURE(shadow.check());
  EXPECT_GT(exhausted, 0u);
}

TEST_P(CollectionTest, StressCollectsAtEveryStep) {
  flags::GCStressInterval = 1;
  start(8_MiB);
  roots.assign(Shadow::root_count, nullptr);
  Shadow shadow(*this, thread, 5);
  for (u32 i = 0; i < 1500; ++i) {
    ASSERT_TRUE(shadow.step());
    if (i % 100 == 0) ASSERT_NO_FATAL_FAILURE(shadow.check());
  }
}

INSTANTIATE_TEST_SUITE_P(Policies, CollectionTest, testing::Values(false, true),
                         [](const testing::TestParamInfo<bool>& info) { return info.param ? "Sliding" : "Copying"; });

using EvacuationTest = HeapTest;

TEST_F(EvacuationTest, EveryObjectMoves) {
  start(16_MiB);
  for (u64 i = 0; i < 1000; ++i) roots.push_back(node(i));
  std::vector<Object*> old = roots;
  collect();
  for (u64 i = 0; i < old.size(); ++i) EXPECT_NE(roots[i], old[i]);
}

using ExhaustionTest = HeapTest;

TEST_F(ExhaustionTest, ToSpaceExhaustionKeepsObjectsInPlace) {
  start(4_MiB);
  // Fills nearly the whole heap, under a policy that expects most objects to die.
  for (u64 i = 0;; ++i) {
    Object* object = heap::allocate_instance(thread, &k.node);
    ASSERT_NE(object, nullptr);
    object->set<u64>(node_id, i);
    roots.push_back(object);
    if (roots.size() * node_bytes > 3_MiB + 512_KiB) break;
  }
  EXPECT_EQ(verify(), "");
  for (u64 i = 0; i < roots.size(); ++i) ASSERT_EQ(roots[i]->get<u64>(node_id), i);
}

// Workers that follow the same references meet at each object, and large objects take long to copy. When to-space has
// no room left, one worker leaves the object in place and updates its slots, while another one is still copying it.
TEST_F(ExhaustionTest, AnObjectThatStaysIsUpdatedWhileAnotherWorkerCopiesIt) {
  flags::ParallelGCThreads = 4;
  flags::HeapRegionSize = 1_MiB;
  start(32_MiB);
  flags::VerifyBeforeGC = flags::VerifyAfterGC = false;
  constexpr i32 arrays = 100, length = 50'000, step = 1000;
  for (u32 round = 0; round < 8; ++round) {
    roots.clear();
    collect();  // little is live now, so the next collection will expect that all survivors fit into to-space
    for (i32 i = 0; i < arrays; ++i) {
      roots.push_back(heap::allocate_array(thread, &k.references, length));
      ASSERT_NE(roots.back(), nullptr);
      for (i32 j = 0; j < length; j += step)
        barrier::store_element(roots[i], j, roots[std::max(0, i - 1 - j / step % 4)]);
    }
    roots = {roots.back()};
    collect();
    Object* array = roots[0];
    for (i32 i = arrays - 1; i > 0; --i) {
      for (i32 j = 4 * step; j < length; j += step)
        ASSERT_EQ(array->reference_at(j), array->reference_at(j - 4 * step));
      array = array->reference_at(0);
    }
    ASSERT_EQ(array->reference_at(0), array);
  }
  flags::ParallelGCThreads = 0;
}

TEST_F(ExhaustionTest, SlidingDefragmentsForAHumongousObject) {
  start(8_MiB);
  // Every second small humongous array dies: half of the heap is free, but only in single pieces.
  for (;;) {
    Object* array = heap::allocate_array(thread, &k.bytes, 200000);
    if (array == nullptr) break;
    memset(array->elements<char>(), static_cast<int>(roots.size()), 200000);
    roots.push_back(array);
  }
  ASSERT_GT(roots.size(), 28u);
  for (usize i = 0; i < roots.size(); i += 2) roots[i] = nullptr;
  Object* large = heap::allocate_array(thread, &k.bytes, 3000000);
  ASSERT_NE(large, nullptr);
  for (usize i = 1; i < roots.size(); i += 2) {
    for (int j = 0; j < 200000; j += 999) ASSERT_EQ(roots[i]->elements<u8>()[j], static_cast<u8>(i));
  }
  EXPECT_EQ(verify(), "");
}

TEST_F(ExhaustionTest, SmallHeapHoldsNearlyItsSize) {
  start(16_MiB);
  flags::VerifyBeforeGC = flags::VerifyAfterGC = false;
  u64 bytes = 0;
  while (Object* array = heap::allocate_array(thread, &k.bytes, 2000)) {
    roots.push_back(array);
    bytes += 2016;
  }
  EXPECT_GT(bytes, 15_MiB + 512_KiB);
}

TEST_F(ExhaustionTest, RecoversAfterExhaustion) {
  start(4_MiB);
  for (int round = 0; round < 5; ++round) {
    while (Object* object = heap::allocate_instance(thread, &k.node)) roots.push_back(object);
    ASSERT_GT(roots.size(), 100000u);
    roots.clear();
    ASSERT_NE(heap::allocate_array(thread, &k.bytes, 2000000), nullptr);
  }
}

}  // namespace
}  // namespace keyhole::test
