// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the generational plan: which objects are young, when they become old, and that references from old objects into
// the young generation are found. Each test runs with 1, 2 and 4 workers. VerifyBeforeGC and VerifyAfterGC check the
// rules of verify.h around each collection.
#include <random>
#include <unordered_map>

#include "gc/card_table.h"
#include "tests/gc/generational_fixture.h"

namespace keyhole::test {
namespace {

TEST_P(GenerationalTest, ObjectsGrowOlderAndArePromotedAtTheThreshold) {
  start_with_threshold(32_MiB, 3);
  roots.push_back(node(1));
  for (u32 age = 1; age <= 3; ++age) {
    young();
    EXPECT_TRUE(gc::space.regions.region_of(roots[0])->is_young()) << age;
    EXPECT_EQ(age_of(roots[0]), age);
  }
  young();
  EXPECT_EQ(generation_of(roots[0]), Generation::Old);
  Object* place = roots[0];
  young();
  EXPECT_EQ(roots[0], place);  // old objects stay
  EXPECT_EQ(roots[0]->get<u64>(node_id), 1u);
}

// The collector must assume that the header of a locked object is displaced, and the age with it, so it promotes the
// object. In a layout whose headers cannot be displaced, the age decides as usual.
TEST_P(GenerationalTest, AnObjectWithADisplacedHeaderIsPromotedAtOnce) {
  start_with_threshold(32_MiB, 15);
  roots = {node(1)};
  layout::Word locked = roots[0]->header_word() & ~layout::lock_mask;
  roots[0]->header().store(locked);
  young();
  EXPECT_EQ(generation_of(roots[0]) == Generation::Old, layout::can_displace);
  EXPECT_EQ(roots[0]->header_word() & ~layout::age_mask, locked);
}

TEST_P(GenerationalTest, OldObjectsKeepYoungOnesAliveThroughTheirCards) {
  start_with_threshold(32_MiB, 0);
  roots = {node(1)};
  young();
  ASSERT_EQ(generation_of(roots[0]), Generation::Old);
  flags::MaxTenuringThreshold = flags::InitialTenuringThreshold = 15;
  plan().generations().initialize();
  Object* fresh = node(2);
  barrier::store(roots[0], node_right, fresh);
  for (u32 i = 0; i < 5; ++i) {
    young();
    Object* kept = roots[0]->get_reference(node_right);
    EXPECT_TRUE(gc::space.regions.region_of(kept)->is_young());
    EXPECT_EQ(kept->get<u64>(node_id), 2u);
    EXPECT_TRUE(gc::card_table::is_dirty(roots[0]->address<char>(node_right)));
  }
  barrier::store(roots[0], node_right, nullptr);
  u64 before = count_objects();
  young();
  EXPECT_EQ(count_objects(), before - 1);
  EXPECT_FALSE(gc::card_table::is_dirty(roots[0]->address<char>(node_right)));  // no young reference is left
}

TEST_P(GenerationalTest, ElementsOfALongOldArrayAreFoundCardByCard) {
  start_with_threshold(64_MiB, 0);
  // One ordinary and one humongous array, both old; every 97th element is set to a new object afterwards.
  i32 lengths[] = {20'000, 300'000};
  for (i32 length : lengths) roots.push_back(heap::allocate_array(thread, &k.references, length));
  young();
  for (Object* array : roots) ASSERT_EQ(generation_of(array), Generation::Old);
  for (u32 which = 0; which < 2; ++which) {
    for (i32 i = 0; i < lengths[which]; i += 97) {
      Object* fresh = node(static_cast<u64>(i));
      barrier::store_element(roots[which], i, fresh);
    }
  }
  for (u32 round = 0; round < 3; ++round) {
    young();
    for (u32 which = 0; which < 2; ++which) {
      for (i32 i = 0; i < lengths[which]; ++i) {
        Object* element = roots[which]->reference_at(i);
        ASSERT_EQ(element != nullptr, i % 97 == 0) << i;
        if (element != nullptr) ASSERT_EQ(element->get<u64>(node_id), static_cast<u64>(i));
      }
    }
  }
}

TEST_P(GenerationalTest, YoungHumongousObjectsDieInYoungCollectionsAndAreTenuredInPlace) {
  start_with_threshold(64_MiB, 2);
  roots = {heap::allocate_array(thread, &k.longs, 100'000), heap::allocate_array(thread, &k.longs, 100'000)};
  Object* stays = roots[0];
  u32 used = gc::space.regions.used_count();
  roots.pop_back();
  young();
  EXPECT_LT(gc::space.regions.used_count(), used);
  EXPECT_EQ(roots[0], stays);
  EXPECT_EQ(generation_of(stays), Generation::Survivor);
  young();
  EXPECT_EQ(generation_of(stays), Generation::Old);
  roots.clear();
  young();
  EXPECT_EQ(generation_of(stays), Generation::Old);  // only old collections free dead objects in the old generation
  full();
  EXPECT_TRUE(gc::space.regions.region_of(stays)->is_free());
}

TEST_P(GenerationalTest, AnOldReferenceMayPointToAYoungHumongousObject) {
  start_with_threshold(64_MiB, 0);
  roots = {node(1)};
  young();
  flags::MaxTenuringThreshold = flags::InitialTenuringThreshold = 15;
  plan().generations().initialize();
  Object* large = heap::allocate_array(thread, &k.references, 200'000);
  barrier::store(roots[0], node_left, large);
  Object* fresh = node(7);
  barrier::store_element(roots[0]->get_reference(node_left), 199'999, fresh);
  for (u32 i = 0; i < 4; ++i) {
    young();
    EXPECT_EQ(roots[0]->get_reference(node_left), large);
    EXPECT_EQ(large->reference_at(199'999)->get<u64>(node_id), 7u);
  }
}

TEST_P(GenerationalTest, MixedCollectionsMoveOldObjectsAndFreeTheirGarbage) {
  start_with_threshold(64_MiB, 0);
  for (u64 i = 0; i < 40'000; ++i) {
    Object* object = node(i);
    if (i % 8 == 0) roots.push_back(object);
    if (i % 8 == 4) barrier::store(roots.back(), node_left, object);  // reachable only from old objects
  }
  young();
  Object* before = roots[0];
  for (usize i = 0; i < roots.size(); i += 2) barrier::store(roots[i], node_left, nullptr);
  u64 objects = count_objects();
  mixed();
  EXPECT_NE(roots[0], before);
  EXPECT_EQ(generation_of(roots[0]), Generation::Old);
  EXPECT_EQ(count_objects(), objects - roots.size() / 2);
  for (usize i = 0; i < roots.size(); ++i) {
    ASSERT_EQ(roots[i]->get<u64>(node_id), i * 8);
    Object* left = roots[i]->get_reference(node_left);
    ASSERT_EQ(left != nullptr, i % 2 == 1);
    if (left != nullptr) ASSERT_EQ(left->get<u64>(node_id), i * 8 + 4);
  }
}

TEST_P(GenerationalTest, OldRegionsAreEvacuatedOnceTheyAreMuchOfTheHeap) {
  start_with_threshold(32_MiB, 0);
  flags::InitiatingHeapOccupancyPercent = 10;
  flags::G1HeapWastePercent = 0;
  Object* first = nullptr;
  u32 moved = 0;
  for (u32 round = 0; round < 40; ++round) {
    roots.resize(1000);
    for (u64 i = 0; i < 10'000; ++i) {  // every node is promoted, and most nodes die in the old generation
      Object* object = node(i);
      if (round > 0 ? i >= 1000 : i % 10 == 0) roots.push_back(object);
    }
    if (round == 0) roots.erase(roots.begin(), roots.begin() + 1000);
    young();
    if (first != nullptr && roots[0] != first) ++moved;
    first = roots[0];
  }
  EXPECT_GE(moved, 1u);   // old objects that stay alive have moved
  EXPECT_LT(moved, 20u);  // but not each time
  EXPECT_LT(gc::space.used_bytes(), 20_MiB);
}

TEST_P(GenerationalTest, WhatAFullCollectionLeavesIsOldAndItsYoungReferencesAreStillFound) {
  start_with_threshold(32_MiB, 15);
  for (u64 i = 0; i < 30'000; ++i) roots.push_back(node(i));
  full();
  EXPECT_EQ(generation_of(roots[0]), Generation::Old);
  for (usize i = 0; i < roots.size(); i += 10) {
    Object* fresh = node(i);
    barrier::store(roots[i], node_extra, fresh);
  }
  young();
  young();
  for (usize i = 0; i < roots.size(); i += 10) ASSERT_EQ(roots[i]->get_reference(node_extra)->get<u64>(node_id), i);
}

TEST_P(GenerationalTest, MutatorsContinueInTheLastRegionOfAFullCollectionWhenMemoryIsScarce) {
  start_with_threshold(16_MiB, 15);
  auto count_young = [] {
    u32 young = 0;
    gc::space.regions.for_each_used([&](gc::Region& region) { young += region.is_young(); });
    return young;
  };
  roots = {node(0)};
  auto prepend = [&](u64 id) {
    Object* object = node(id);
    barrier::store(object, node_left, roots[0]);
    roots[0] = object;
  };
  for (u64 id = 1; id < 50'000; ++id) prepend(id);
  full();
  EXPECT_EQ(count_young(), 0u) << "most of the heap is free";
  u64 id = 50'000;
  for (u32 enough = gc::space.regions.count() / 8; gc::space.regions.free_count() > enough; ++id) prepend(id);
  full();
  EXPECT_EQ(count_young(), 1u);
  for (Object* object = roots[0]; object != nullptr; object = object->get_reference(node_left))
    ASSERT_EQ(object->get<u64>(node_id), --id);
}

TEST_P(GenerationalTest, WithoutRoomForCopiesEverythingSurvivesASlidingCollection) {
  start_with_threshold(4_MiB, 15);
  // Nearly all of the heap is live, so to-space runs out. The objects are a list, and the root is its head.
  roots = {node(0)};
  u64 count = 1;
  for (; gc::space.regions.free_count() > 1; ++count) {
    Object* object = node(count);
    if (object == nullptr) break;
    barrier::store(object, node_left, roots[0]);
    roots[0] = object;
  }
  young();
  for (Object* object = roots[0]; object != nullptr; object = object->get_reference(node_left)) {
    ASSERT_EQ(object->get<u64>(node_id), --count);
  }
  EXPECT_EQ(count, 0u);
}

TEST_P(GenerationalTest, WeakReferencesOfOldObjectsAreClearedWithTheirYoungReferents) {
  start_with_threshold(32_MiB, 0);
  roots = {reference(k.weak, nullptr), reference(k.weak, nullptr), reference(k.soft, nullptr)};
  young();
  ASSERT_EQ(generation_of(roots[0]), Generation::Old);
  flags::MaxTenuringThreshold = flags::InitialTenuringThreshold = 15;
  plan().generations().initialize();
  Object* dies = node(1);
  barrier::store(roots[0], reference_referent_offset, dies);
  roots.push_back(node(2));
  barrier::store(roots[1], reference_referent_offset, roots[3]);
  young();
  EXPECT_EQ(gc::referent(roots[0]), nullptr);
  EXPECT_EQ(gc::referent(roots[1]), roots[3]);
  EXPECT_EQ(gc::take_pending_references(thread), roots[0]);
  young();
  EXPECT_EQ(gc::referent(roots[1]), roots[3]);
}

TEST_P(GenerationalTest, ManyReferencesAreClearedBySeveralWorkers) {
  start_with_threshold(64_MiB, 15);
  constexpr i32 count = 30'000;
  roots = {heap::allocate_array(thread, &k.references, count), heap::allocate_array(thread, &k.references, count)};
  for (i32 i = 0; i < count; ++i) {
    Object* object = node(static_cast<u64>(i));
    barrier::store_element(roots[1], i, object);
    Object* made = reference(i % 3 == 0 ? k.phantom : k.weak, roots[1]->reference_at(i));
    barrier::store_element(roots[0], i, made);
    if (i % 2 == 0) barrier::store_element(roots[1], i, nullptr);
  }
  for (u32 round = 0; round < 3; ++round) {
    round == 1 ? mixed() : young();
    for (i32 i = 0; i < count; ++i) ASSERT_EQ(gc::referent(roots[0]->reference_at(i)), roots[1]->reference_at(i)) << i;
  }
  std::vector<bool> pending(count);
  std::unordered_map<Object*, i32> index;
  for (i32 i = 0; i < count; ++i) index[roots[0]->reference_at(i)] = i;
  i32 found = 0;
  for (Object* object = gc::take_pending_references(thread); object != nullptr;
       object = object->get_reference(reference_discovered_offset)) {
    ASSERT_EQ(index.count(object), 1u);
    ASSERT_EQ(index[object] % 2, 0);
    ASSERT_FALSE(pending[static_cast<usize>(index[object])]);
    pending[static_cast<usize>(index[object])] = true;
    ++found;
  }
  EXPECT_EQ(found, count / 2);
}

// A random graph that changes between collections of all kinds, compared with a shadow of it.
TEST_P(GenerationalTest, ARandomGraphSurvivesEveryKindOfCollection) {
  start_with_threshold(32_MiB, 3);
  std::mt19937 random(GetParam() * 77 + 5);
  struct Shadow {
    u64 left = 0, right = 0;  // ids, 0 = null
  };
  constexpr u64 count = 4000;
  std::unordered_map<u64, Shadow> shadow;
  auto replace = [&](u64 id) {  // puts a new object in the place of an old one
    Object* fresh = node(id);
    Object* before = roots[id - 1];
    if (before != nullptr) {
      barrier::store(fresh, node_left, before->get_reference(node_left));
      barrier::store(fresh, node_right, before->get_reference(node_right));
    }
    roots[id - 1] = fresh;
  };
  roots.assign(count, nullptr);
  for (u64 id = 1; id <= count; ++id) replace(id);
  for (u32 round = 0; round < 24; ++round) {
    for (u32 i = 0; i < 1500; ++i) {
      u64 from = random() % count + 1, to = random() % (count + 1);
      if (random() % 4 == 0) replace(from);
      Object* target = to == 0 ? nullptr : roots[to - 1];
      bool left = random() % 2 == 0;
      barrier::store(roots[from - 1], left ? node_left : node_right, target);
      (left ? shadow[from].left : shadow[from].right) = to;
      node(0);  // garbage
    }
    switch (random() % 4) {
      case 0: mixed(); break;
      case 1:
        if (round % 6 == 0) full();
        else young();
        break;
      default: young(); break;
    }
    auto id_of = [](Object* object) { return object == nullptr ? 0 : object->get<u64>(node_id); };
    for (u64 id = 1; id <= count; ++id) {
      ASSERT_EQ(id_of(roots[id - 1]), id);
      ASSERT_EQ(id_of(roots[id - 1]->get_reference(node_left)), shadow[id].left);
      ASSERT_EQ(id_of(roots[id - 1]->get_reference(node_right)), shadow[id].right);
    }
  }
}

// The heap has a tree that is wide and deep enough for workers to share the marking, and a list whose marking they
// cannot share.
TEST_P(GenerationalTest, AMillionObjectsInATreeAndAListAreCopiedByAllWorkers) {
  start_with_threshold(256_MiB, 15);
  constexpr u64 count = 1 << 19;
  make_tree_and_list(count);
  Object* root = roots[0]->reference_at(0);
  Object* last = roots[0]->reference_at(count - 1);
  roots = {root, last};
  young();
  u64 length = 0;
  for (Object* object = roots[1]; object != nullptr; object = object->get_reference(node_left)) {
    ASSERT_EQ(object->get<u64>(node_id), count - ++length);
  }
  EXPECT_EQ(length, count);
}

INSTANTIATE_TEST_SUITE_P(Workers, GenerationalTest, testing::Values(1u, 2u, 4u),
                         [](const auto& info) { return std::to_string(info.param); });

TEST(AgeTable, ThresholdIsTheAgeAtWhichSurvivorsFillTheirShare) {
  gc::AgeTable table;
  table.bytes[1] = 100;
  table.bytes[2] = 50;
  table.bytes[3] = 50;
  EXPECT_EQ(table.tenuring_threshold(1000, 15), 15u);
  EXPECT_EQ(table.tenuring_threshold(149, 15), 2u);
  EXPECT_EQ(table.tenuring_threshold(50, 15), 1u);
  EXPECT_EQ(table.tenuring_threshold(1000, 4), 4u);
  gc::AgeTable more;
  more.bytes[15] = 7;
  table.add(more);
  EXPECT_EQ(table.total_bytes(), 207u);
}

}  // namespace
}  // namespace keyhole::test
