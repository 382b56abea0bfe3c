// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests garbage-first collection: regions that marking frees at once, regions that become candidates, and mixed
// collections that find every reference into candidates.
#include <map>
#include <random>

#include "gc/card_table.h"
#include "tests/gc/generational_fixture.h"

namespace keyhole::test {
namespace {

class OldMarkingTest : public GenerationalTest {
 protected:
  // Lets marking start after the next young collection, and after each later young collection that promotes objects.
  void start_marking() { flags::InitiatingHeapOccupancyPercent = 0; }
  static const gc::OldCandidates& candidates() { return plan().old_generation()->candidates; }
  static u32 region_index(Object* object) { return gc::space.regions.index_of(object); }
};

TEST_P(OldMarkingTest, DeadHumongousObjectsAndEmptyRegionsAreFreedByMarkingAlone) {
  start_with_threshold(64_MiB, 0);
  roots = {heap::allocate_array(thread, &k.longs, 300'000), heap::allocate_array(thread, &k.references, 300'000)};
  for (u64 i = 0; i < 60'000; ++i) roots.push_back(node(i));
  young();
  Object* longs = roots[0];
  Object* references = roots[1];
  ASSERT_EQ(generation_of(longs), Generation::Old);
  ASSERT_EQ(generation_of(references), Generation::Old);
  u32 before = gc::space.regions.used_count();
  roots.erase(roots.begin());
  roots.resize(1);  // all nodes and one of the arrays are dead now
  start_marking();
  young();
  EXPECT_EQ(roots[0], references);
  EXPECT_TRUE(gc::space.regions.region_of(longs)->is_free());
  EXPECT_FALSE(gc::space.regions.region_of(references)->is_free());
  EXPECT_LT(gc::space.regions.used_count(), before - 10);
  EXPECT_EQ(verify(), "");
}

TEST_P(OldMarkingTest, WhatDiedInARegionIsFillerAfterwards) {
  start_with_threshold(64_MiB, 0);
  for (u64 i = 0; i < 60'000; ++i) {
    Object* object = node(i);
    if (i % 3 == 0) roots.push_back(object);
    else barrier::store(roots.back(), i % 3 == 1 ? node_left : node_right, object);
  }
  young();
  std::vector<Object*> places = roots;
  u64 objects = count_objects();
  for (Object* object : roots) barrier::store(object, node_right, nullptr);
  start_marking();
  young();
  EXPECT_EQ(count_objects(), objects - roots.size());
  EXPECT_EQ(roots, places);  // marking moves nothing
  for (usize i = 0; i < roots.size(); ++i) {
    ASSERT_EQ(roots[i]->get<u64>(node_id), i * 3);
    ASSERT_EQ(roots[i]->get_reference(node_left)->get<u64>(node_id), i * 3 + 1);
  }
}

TEST_P(OldMarkingTest, TheEmptiestRegionsAreEvacuatedFirstAndTheirNeighboursReferencesFollow) {
  start_with_threshold(64_MiB, 0);
  flags::MaxGCPauseMillis = 1;
  flags::G1HeapWastePercent = 0;  // so that all regions are candidates in each header layout
  constexpr u64 count = 200'000;
  roots = {heap::allocate_array(thread, &k.references, count)};
  std::vector<Object*> objects;
  for (u64 i = 0; i < count; ++i) {
    Object* object = node(i);
    barrier::store_element(roots[0], static_cast<i32>(i), object);
  }
  young();
  // Each node refers to a distant node. The array drops a tenth of the nodes in its first half and nine tenths of those
  // in its second half. The dropped nodes die.
  auto at = [&](u64 i) { return roots[0]->reference_at(static_cast<i32>(i)); };
  auto stays = [](u64 i) { return i < count / 2 ? i % 10 != 3 : i % 10 == 3; };
  for (u64 i = 0; i < count; ++i) {
    u64 other = (i * 7919 + 13) % count;
    if (stays(i) && stays(other)) barrier::store(at(i), node_left, at(other));
  }
  std::vector<Object*> before(count);
  for (u64 i = 0; i < count; ++i) {
    if (stays(i)) before[i] = at(i);
    else barrier::store_element(roots[0], static_cast<i32>(i), nullptr);
  }
  start_marking();
  young();
  flags::InitiatingHeapOccupancyPercent = 100;
  ASSERT_FALSE(candidates().empty());
  std::map<u32, std::vector<u64>> live;  // {index of a region: the nodes in it that marking found}
  for (u64 i = 0; i < count; ++i) {
    if (stays(i)) live[region_index(before[i])].push_back(i);
  }
  auto has_moved = [&](const std::vector<u64>& nodes) { return at(nodes[0]) != before[nodes[0]]; };
  u32 used = gc::space.regions.used_count(), collections = 0;
  usize fullest = 0;  // of what has moved
  // Adds a very slow pause to the statistics, so that each collection takes only the minimum share of the candidates.
  const_cast<gc::OldCandidates&>(candidates()).add_pause(1_MiB, 1'000'000'000);
  for (; !candidates().empty() && collections < 50; ++collections) {
    young();
    usize emptiest_now = count, fullest_now = fullest;
    for (auto entry = live.begin(); entry != live.end();) {
      if (has_moved(entry->second)) {
        emptiest_now = std::min(emptiest_now, entry->second.size());
        fullest_now = std::max(fullest_now, entry->second.size());
        entry = live.erase(entry);
      } else {
        ++entry;
      }
    }
    EXPECT_GE(emptiest_now, fullest) << "collection " << collections;
    fullest = fullest_now;
  }
  EXPECT_GE(collections, 5u);
  EXPECT_LE(collections, 10u);  // G1MixedGCCountTarget
  EXPECT_LT(gc::space.regions.used_count(), used);
  u64 full_moved = 0, empty_moved = 0;
  for (u64 i = 0; i < count; ++i) {
    if (!stays(i)) continue;
    ASSERT_EQ(at(i)->get<u64>(node_id), i);
    (i < count / 2 ? full_moved : empty_moved) += at(i) != before[i];
    u64 other = (i * 7919 + 13) % count;
    ASSERT_EQ(at(i)->get_reference(node_left), stays(other) ? at(other) : nullptr) << i;
  }
  // The workers divide the array into pieces, so some regions hold nodes of both halves.
  u64 capacity = gc::space.regions.region_bytes() / k.node.instance_bytes;
  EXPECT_LE(fullest * 100, capacity * static_cast<u64>(flags::G1MixedGCLiveThresholdPercent));
  EXPECT_GT(empty_moved, count / 2 / 10 * 8 / 10);
  // The first half of the array has nine times as many live nodes as the second. A live node of the first half moves
  // less than half as often as a live node of the second half.
  EXPECT_LT(full_moved, 9 * empty_moved / 2);
}

TEST_P(OldMarkingTest, ReferencesStoredBetweenMarkingAndEvacuationAreFound) {
  start_with_threshold(64_MiB, 0);
  for (u64 i = 0; i < 50'000; ++i) roots.push_back(node(i));
  young();
  std::vector<Object*> kept;
  for (usize i = 0; i < roots.size(); i += 5) kept.push_back(roots[i]);
  roots = kept;
  mixed();  // everything is a candidate now
  ASSERT_FALSE(candidates().empty());
  std::mt19937 random(GetParam());
  flags::MaxGCPauseMillis = 1;
  std::vector<usize> refers(roots.size());
  for (u32 round = 0; round < 20 && !candidates().empty(); ++round) {
    for (usize i = 0; i < roots.size(); i += 3) {
      refers[i] = random() % roots.size();
      barrier::store(roots[i], node_left, roots[refers[i]]);
      Object* young_holder = node(i);  // a second reference, from a young object that is promoted
      barrier::store(young_holder, node_right, roots[refers[i]]);
      barrier::store(roots[i], node_extra, young_holder);
    }
    young();
    for (usize i = 0; i < roots.size(); i += 3) {
      ASSERT_EQ(roots[i]->get_reference(node_left), roots[refers[i]]);
      ASSERT_EQ(roots[i]->get_reference(node_extra)->get_reference(node_right), roots[refers[i]]);
    }
  }
  EXPECT_TRUE(candidates().empty());
}

TEST_P(OldMarkingTest, OldReferencesAreClearedByMarkingInTheOrderOfTheirStrength) {
  start_with_threshold(64_MiB, 0);
  roots = {node(1), node(2), node(3), node(4)};
  roots.push_back(reference(k.weak, roots[0]));
  roots.push_back(reference(k.weak, roots[1]));
  roots.push_back(reference(k.final, roots[2]));
  roots.push_back(reference(k.phantom, roots[2]));
  roots.push_back(reference(k.phantom, roots[3]));
  weak_roots = {roots[0], roots[1]};
  young();
  for (Object* object : roots) ASSERT_EQ(generation_of(object), Generation::Old);
  Object* finalizable = roots[2];
  roots[0] = roots[2] = roots[3] = nullptr;
  start_marking();
  young();
  EXPECT_EQ(gc::referent(roots[4]), nullptr);
  EXPECT_EQ(gc::referent(roots[5]), roots[1]);
  EXPECT_EQ(gc::referent(roots[6]), finalizable);  // the object stays alive for its finalizer
  EXPECT_EQ(gc::referent(roots[7]), finalizable);  // still set, because the finalizer has not run
  EXPECT_EQ(gc::referent(roots[8]), nullptr);
  EXPECT_EQ(weak_roots[0], nullptr);
  EXPECT_EQ(weak_roots[1], roots[1]);
  u32 pending = 0;
  for (Object* object = gc::take_pending_references(thread); object != nullptr;
       object = object->get_reference(reference_discovered_offset))
    ++pending;
  EXPECT_EQ(pending, 3u);
}

TEST_P(OldMarkingTest, AMillionObjectsAreMarkedByAllWorkers) {
  start_with_threshold(256_MiB, 0);
  constexpr u64 count = 1 << 19;
  make_tree_and_list(count);
  young();
  Object* tree = roots[0]->reference_at(0);
  Object* list = roots[0]->reference_at(count - 1);
  roots = {tree, list};
  u64 before = count_objects();
  start_marking();
  young();
  EXPECT_EQ(count_objects(), before - 1);  // the array
  u64 length = 0;
  for (Object* object = roots[1]; object != nullptr; object = object->get_reference(node_left)) ++length;
  EXPECT_EQ(length, count);
}

INSTANTIATE_TEST_SUITE_P(Workers, OldMarkingTest, testing::Values(1u, 2u, 4u),
                         [](const auto& info) { return std::to_string(info.param); });

class OldCandidatesTest : public GenerationalTest {
 protected:
  // Makes a candidate region for each entry of the list. The entry is the percentage of live bytes in the region.
  std::vector<gc::OldCandidates::Candidate> regions_alive(std::initializer_list<u32> percents) {
    start(64_MiB);
    std::vector<gc::OldCandidates::Candidate> old;
    u32 index = 10;
    for (u32 percent : percents) {
      gc::Region* region = gc::space.regions.at(index++);
      old.push_back({region, region->bytes() / 100 * percent});
    }
    return old;
  }
  static std::vector<u32> indices(const std::vector<gc::Region*>& regions) {
    std::vector<u32> result;
    for (gc::Region* region : regions) result.push_back(region->index() - 10);
    return result;
  }

  gc::OldCandidates candidates;
};

TEST_P(OldCandidatesTest, TheEmptiestComeFirstAndFullOnesNever) {
  flags::G1HeapWastePercent = 0;
  flags::G1MixedGCCountTarget = 2;
  candidates.choose(regions_alive({50, 90, 10, 84, 30, 86}), false);
  EXPECT_EQ(candidates.remaining().size(), 4u);
  EXPECT_EQ(indices(candidates.take({100, 0})), (std::vector<u32>{2, 4}));  // no time left: takes only the minimum
  EXPECT_EQ(indices(candidates.take({0, 1e12})), (std::vector<u32>{}));     // no room for copies: takes nothing
  EXPECT_EQ(indices(candidates.take({100, 1e12})), (std::vector<u32>{0, 3}));
  EXPECT_TRUE(candidates.empty());
}

TEST_P(OldCandidatesTest, TimeThatIsLeftIsUsed) {
  flags::G1HeapWastePercent = 0;
  candidates.choose(regions_alive({10, 20, 30, 40}), false);
  f64 three = 0;
  for (usize i = 1; i < 4; ++i) three += candidates.predicted_nanoseconds(candidates.remaining()[i]);
  EXPECT_EQ(indices(candidates.take({100, three + 1})), (std::vector<u32>{0, 1, 2}));
}

TEST_P(OldCandidatesTest, LittleGarbageIsNotWorthACollection) {
  flags::G1HeapWastePercent = 5;  // of 256 regions: 12.8
  auto old = regions_alive({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 50});
  candidates.choose(old, false);
  EXPECT_TRUE(candidates.empty());
  candidates.choose(old, true);  // stress takes all
  EXPECT_EQ(candidates.remaining().size(), 12u);
}

INSTANTIATE_TEST_SUITE_P(Workers, OldCandidatesTest, testing::Values(1u),
                         [](const auto& info) { return std::to_string(info.param); });

}  // namespace
}  // namespace keyhole::test
