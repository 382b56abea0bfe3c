// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the contract of every collecting plan of gc/plans.def: reachable objects survive with their contents and
// references, memory of garbage is freed, roots are updated, and a full heap does not end the VM.
#include <random>

#include "gc/plan.h"
#include "tests/gc/heap_fixture.h"

namespace keyhole::test {
namespace {

struct Row {
  const char* plan;
};
std::vector<Row> plans(bool collecting) {
  std::vector<Row> rows;
#define GC_PLAN(name, collects, ...) \
  if (collects || !collecting) rows.push_back({#name});
#include "gc/plans.def"
#undef GC_PLAN
  return rows;
}

class PlansTest : public HeapTest, public testing::WithParamInterface<Row> {
 protected:
  PlansTest() { flags::GCPlan = GetParam().plan; }

  // Roots hold lists. A node's id contains the number of its list and its place in the list, so the test notices a lost
  // or misplaced node.
  static constexpr u64 lists = 16;
  static u64 id_of(u64 list, u64 place) { return list << 32 | place; }
  bool push(u64 list) {
    Object* head = node(id_of(list, lengths_[list]));
    if (head == nullptr) return false;
    barrier::store(head, node_left, roots[list]);
    barrier::store(head, node_right, roots[(list + 1) % lists]);  // the head of another list, young or old
    roots[list] = head;
    ++lengths_[list];
    return true;
  }
  void drop(u64 list) {
    roots[list] = nullptr;
    lengths_[list] = 0;
  }
  void begin(u64 maximum_bytes) {
    start(maximum_bytes);
    roots.assign(lists, nullptr);
    lengths_.assign(lists, 0);
  }
  void expect_lists() {
    for (u64 list = 0; list < lists; ++list) {
      u64 place = lengths_[list];
      for (Object* each = roots[list]; each != nullptr; each = each->get_reference(node_left)) {
        ASSERT_NE(place, 0u) << "list " << list << " is too long";
        ASSERT_EQ(each->get<u64>(node_id), id_of(list, --place));
        Object* across = each->get_reference(node_right);
        if (across != nullptr) ASSERT_EQ(across->get<u64>(node_id) >> 32, (list + 1) % lists);
      }
      ASSERT_EQ(place, 0u) << "list " << list << " is too short";
    }
  }

 private:
  std::vector<u64> lengths_;
};

TEST_P(PlansTest, SaysWhatItPromises) {
  begin(8_MiB);
  EXPECT_TRUE(gc::plan().properties().collects);
  EXPECT_STRNE(gc::plan().properties().log_name, "");
}

TEST_P(PlansTest, MuchMoreIsAllocatedThanTheHeapHolds) {
  begin(8_MiB);
  std::mt19937 random(7);
  u64 collections = heap::collection_count();
  for (u64 i = 0; i < 4'000'000; ++i) {
    u64 choice = random() % 1000;
    if (choice == 0) drop(random() % lists);
    if (choice < 20) ASSERT_TRUE(push(random() % lists)) << "after " << i << " objects";
    else ASSERT_NE(node(i), nullptr) << "after " << i << " objects";
    if (i % 500'000 == 0) expect_lists();
  }
  EXPECT_GT(heap::collection_count(), collections + 3);
  expect_lists();
  EXPECT_EQ(verify(), "");
}

TEST_P(PlansTest, EachKindOfCollectionKeepsWhatLives) {
  begin(16_MiB);
  for (u64 round = 0; round < 24; ++round) {
    for (u64 i = 0; i < 3000; ++i) ASSERT_TRUE(push(i % lists));
    if (round % 5 == 4) drop(round % lists);
    switch (round % 3) {
      case 0: collect(); break;
      case 1: collect({heap::Cause::SystemGC}); break;
      default: collect({heap::Cause::AllocationFailure, /*clear_soft=*/true, /*compact=*/true}); break;
    }
    expect_lists();
    ASSERT_EQ(verify(), "") << "round " << round;
  }
}

TEST_P(PlansTest, AFullHeapIsNotTheEnd) {
  begin(4_MiB);
  u64 first = 0;
  while (push(first % lists)) ++first;
  EXPECT_GT(first * node_bytes, 2_MiB);
  expect_lists();
  for (u64 list = 0; list < lists; ++list) drop(list);
  for (u64 i = 0; i < first / 2; ++i) ASSERT_TRUE(push(i % lists)) << i << " of " << first;
  expect_lists();
  EXPECT_EQ(verify(), "");
}

TEST_P(PlansTest, LargeObjectsLiveAndDie) {
  begin(16_MiB);
  i32 length = static_cast<i32>(gc::space.regions.region_bytes());  // a run of regions each
  for (u64 i = 0; i < 200; ++i) {
    Object* large = heap::allocate_array(thread, &k.bytes, length);
    ASSERT_NE(large, nullptr) << i;
    large->elements<u8>()[length - 1] = static_cast<u8>(i);
    roots[i % 2] = large;
    if (i > 0) ASSERT_EQ(roots[(i - 1) % 2]->elements<u8>()[length - 1], static_cast<u8>(i - 1));
  }
  EXPECT_EQ(verify(), "");
}

TEST_P(PlansTest, RootsAreTold) {
  begin(8_MiB);
  roots[0] = node(1);
  weak_roots = {roots[0], node(2)};
  Object* cleared = reference(k.weak, weak_roots[1]);
  roots[1] = cleared;
  collect({heap::Cause::SystemGC});
  EXPECT_EQ(weak_roots[0], roots[0]);
  EXPECT_EQ(weak_roots[1], nullptr);
  EXPECT_EQ(roots[1]->get_reference(reference_referent_offset), nullptr);
  EXPECT_EQ(roots[0]->get<u64>(node_id), 1u);
}

// Tests that a reference store in C++ marks exactly what the plan's barrier demands. tests/jit/listings.py tests stores
// in generated code, and tests/jit/snippets tests stores in the snippets' bitcode.
class BarrierTest : public HeapTest, public testing::WithParamInterface<Row> {
 protected:
  BarrierTest() { flags::GCPlan = GetParam().plan; }
};
TEST_P(BarrierTest, StoresMarkCardsForThosePlansThatAskForIt) {
  start(8_MiB);
  bool marks = gc::plan().properties().barrier == barrier::Kind::CardMark;
  if (!gc::plan().properties().collects) EXPECT_FALSE(marks);
  if (gc::plan().old_generation() != nullptr) EXPECT_TRUE(marks);
  roots = {node(1)};
  Object* array = heap::allocate_array(thread, &k.references, 4);
  for (int store = 0; store < 6; ++store) {
    Object* holder = store < 4 ? roots[0] : array;
    void* slot = store < 4 ? holder->address<void>(node_left) : holder->address<void>(Object::element_offset(2, 1));
    u8* card = barrier::card_of(slot);
    *card = barrier::clean_card;
    switch (store) {
      case 0: barrier::store(holder, node_left, array); break;
      case 1: barrier::store_ordered(holder, node_left, array, std::memory_order_seq_cst); break;
      case 2: barrier::exchange(holder, node_left, nullptr); break;
      case 3: barrier::compare_exchange(holder, node_left, nullptr, array); break;
      case 4: barrier::store_element(holder, 1, roots[0]); break;
      default: barrier::copy_elements(holder, 0, holder, 1, 3); break;
    }
    EXPECT_EQ(*card, marks ? barrier::dirty_card : barrier::clean_card) << GetParam().plan << ", store " << store;
  }
}

INSTANTIATE_TEST_SUITE_P(Plans, BarrierTest, testing::ValuesIn(plans(/*collecting=*/false)),
                         [](const auto& test) { return std::string(test.param.plan); });
INSTANTIATE_TEST_SUITE_P(Plans, PlansTest, testing::ValuesIn(plans(/*collecting=*/true)),
                         [](const auto& test) { return std::string(test.param.plan); });

}  // namespace
}  // namespace keyhole::test
