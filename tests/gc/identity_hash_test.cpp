// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests identity hashes under each way of moving objects: copying, and sliding, with and without room to grow.
#include <unordered_set>

#include "tests/gc/heap_fixture.h"

namespace keyhole::test {
namespace {

u32 hash_of(Object* object) {
  layout::Word word = object->header_word();
  if (u32 known = layout::hash_at(object, word)) return known;
  static u32 fresh = 0;
  object->header().store(layout::hashed(word, ++fresh));
  return layout::hash_at(object, object->header_word());
}

class IdentityHashTest : public HeapTest, public testing::WithParamInterface<const char*> {
 protected:
  static constexpr gc::Request sliding{heap::Cause::SystemGC, /*clear_soft=*/false, /*compact=*/true};

  IdentityHashTest() { flags::GCPlan = GetParam(); }

  // Makes a list of nodes, newest first, each with a hash, until the heap is full or has `most` nodes. hashes[i] is the
  // hash of the node with id i.
  u64 fill(u64 most) {
    u64 count = 0;
    roots.assign(1, nullptr);
    while (count < most) {
      Object* made = node(count);
      if (made == nullptr) break;
      if (roots[0] != nullptr) barrier::store(made, node_left, roots[0]);
      roots[0] = made;
      hashes.push_back(hash_of(made));
      ++count;
    }
    return count;
  }
  u64 check() {
    u64 count = 0;
    for (Object* each = roots[0]; each != nullptr; each = each->get_reference(node_left), ++count) {
      u64 id = each->get<u64>(node_id);
      if (hash_of(each) != hashes[id])
        ADD_FAILURE() << "node " << id << " has hash " << hash_of(each) << ", had " << hashes[id];
    }
    return count;
  }
  // Removes all but each `step`th node from the list.
  void thin(u64 step) {
    for (Object* each = roots[0]; each != nullptr; each = each->get_reference(node_left)) {
      Object* next = each;
      for (u64 i = 0; i < step && next != nullptr; ++i) next = next->get_reference(node_left);
      barrier::store(each, node_left, next);
    }
  }

  std::vector<u32> hashes;
};

TEST_P(IdentityHashTest, AHeapFullOfHashedObjectsLosesNothing) {
  start(4_MiB);
  u64 count = fill(UINT64_MAX);
  ASSERT_GT(count, 50'000u);
  EXPECT_EQ(check(), count);
  collect(sliding);  // the heap has no gap, so no node moves or grows
  EXPECT_EQ(check(), count);
  // The oldest nodes die, which leaves a gap at the bottom of the heap. All other nodes need room
  // for a hash, and the gap is too small for that.
  for (Object* each = roots[0]; each != nullptr; each = each->get_reference(node_left)) {
    if (each->get<u64>(node_id) == 1000) barrier::store(each, node_left, nullptr);
  }
  collect(sliding);
  EXPECT_EQ(check(), count - 1000);
  collect(sliding);
  EXPECT_EQ(check(), count - 1000);
  thin(3);
  for (int i = 0; i < 3; ++i) {
    collect(i == 1 ? sliding : gc::Request{heap::Cause::AllocationFailure});
    check();
  }
  EXPECT_EQ(verify(), "");
}

// Tests arrays of every length around the lengths at which a hash just fits into the padding.
TEST_P(IdentityHashTest, ArraysOfEveryLengthKeepTheirs) {
  start(16_MiB);
  for (i32 length = 0; length < 40; ++length) {
    for (Klass* klass :
         {static_cast<Klass*>(&k.bytes), static_cast<Klass*>(&k.references), static_cast<Klass*>(&k.longs)}) {
      heap::allocate_array(thread, &k.bytes, 11);  // this array dies, so that everything after it moves
      roots.push_back(heap::allocate_array(thread, klass, length));
      hashes.push_back(hash_of(roots.back()));
    }
    roots.push_back(heap::allocate_instance(thread, &k.leaf));
    hashes.push_back(hash_of(roots.back()));
  }
  u64 before = 0;
  for (Object* each : roots) before += object_bytes(each);
  for (int i = 0; i < 6; ++i) {
    collect(i % 2 == 0 ? sliding : gc::Request{heap::Cause::AllocationFailure});
    u64 now = 0;
    for (usize each = 0; each < roots.size(); ++each) {
      EXPECT_EQ(hash_of(roots[each]), hashes[each]) << each;
      now += object_bytes(roots[each]);
    }
    // Arrays that have moved once keep their size. In their first move, half of the byte arrays and all arrays that end
    // at a multiple of 8 grow by 8 bytes.
    if (i > 0) EXPECT_EQ(now, before);
    else if (layout::hash_is_in_word) EXPECT_EQ(now, before);
    else EXPECT_GT(now, before);
    before = now;
  }
}

TEST_P(IdentityHashTest, HumongousObjectsHaveRoomForTheirs) {
  start(8_MiB);
  u64 region = gc::space.regions.region_bytes();
  i32 exact = static_cast<i32>(region - layout::array_base_offset(0));  // an array of this length fills its regions
  Object* below = heap::allocate_array(thread, &k.bytes, exact);
  roots = {below, heap::allocate_array(thread, &k.bytes, exact)};
  roots[1]->elements<u8>()[exact - 1] = 77;
  hashes = {hash_of(roots[0]), hash_of(roots[1])};
  roots.push_back(heap::allocate_array(thread, &k.bytes, exact));
  hashes.push_back(hash_of(roots[2]));
  roots[2]->elements<u8>()[exact - 1] = 78;
  auto slide_all = [&] { gc::run_collection({heap::Cause::AllocationFailure, /*clear_soft=*/true, /*compact=*/true}); };
  safepoint::run(thread, "test", slide_all);
  for (usize i = 0; i < roots.size(); ++i) EXPECT_EQ(hash_of(roots[i]), hashes[i]) << i;
  EXPECT_EQ(roots[1]->elements<u8>()[exact - 1], 77);
  EXPECT_EQ(roots[2]->elements<u8>()[exact - 1], 78);
  EXPECT_EQ(verify(), "");
}

// Two objects that lie at the same address, one after the other, have different hashes.
TEST_P(IdentityHashTest, MemoryThatIsUsedAgainGivesOtherHashes) {
  start(4_MiB);
  std::unordered_set<u32> seen;
  u32 made = 0;
  for (int round = 0; round < 30; ++round) {
    for (int i = 0; i < 500; ++i, ++made) seen.insert(hash_of(node(0)));
    collect();
  }
  EXPECT_GT(seen.size(), made - made / 100);
}

INSTANTIATE_TEST_SUITE_P(Plans, IdentityHashTest, testing::Values("evacuating", "generational"),
                         [](const auto& plan) { return std::string(plan.param); });

}  // namespace
}  // namespace keyhole::test
