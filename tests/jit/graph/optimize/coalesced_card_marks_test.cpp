// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests loops that store references: the loops whose card marks move before the loop, and a check that all stores are
// covered.
#include <fmt/format.h>

#include "gc/barrier.h"
#include "gc/heap/heap.h"
#include "tests/jit/graph/graph_fixture.h"
#include "tests/jit/graph/new_objects.h"
#include "vm/link/linker.h"

namespace keyhole {
namespace {

using graph::Op;
using testing::vm_thread;

class CoalescedCardMarksTest : public testing::NewObjectsTest<testing::GraphTest> {
 protected:
  // Makes a method with a loop. The counter (local 2) advances by `step`, until the branch instruction `leaves` is
  // taken, which compares the counter with the limit (local 3). `body` may store the object in local 1 into the array
  // in local 0.
  static Method* storing(const char* leaves, i32 step, std::string_view body) {
    return make("([Ljava/lang/Object;Ljava/lang/Object;II)I", fmt::format(R"(
      .locals 5
      iload_2
      istore 4
  next:
      iload_2
      iload_3
      {} done
      {}
      iinc 2 {}
      goto next
  done:
      iload_2
      ireturn
  )",
                                                                          leaves, body, step));
  }
  static std::string store_at(i32 distance) {
    return fmt::format("aload_0\niload_2\nsipush {}\niadd\naload_1\naastore", distance);
  }
  // Executes the method, and returns its optimised graph.
  static std::unique_ptr<graph::Graph> optimised_after_a_run(Method* method) {
    interpret(method, arguments_for(array_of(10), 2, 4));
    return optimised(method);
  }
  static Slot array_of(i32 length) {
    Klass* object_class = find_loaded_class(Symbol::intern("java/lang/Object"), boot_loader());
    return slot_of(heap::allocate_array(vm_thread(), array_klass_of(vm_thread(), object_class), length));
  }
  static std::vector<Slot> arguments_for(Slot array, i32 first, i32 limit) {
    return {array, slot_of(vm_thread()->thread_object), slot_of(first), slot_of(limit)};
  }
  static u8* card_of(Object* array, i32 index) {
    return barrier::card_of(array->address<char>(Object::element_offset(2, static_cast<u32>(index))));
  }
  // Executes the graph, and compares it with the interpreter. Then the card of every stored reference must be dirty.
  static void expect_marks(const graph::Graph& graph, i32 length, i32 first, i32 limit) {
    Method* method = graph.method();
    Slot expected_array = array_of(length), array = array_of(length);
    testing::Outcome expected = interpret(method, arguments_for(expected_array, first, limit));
    Object* object = object_of(array);
    for (i32 i = 0; i < length; ++i) *card_of(object, i) = barrier::clean_card;
    EXPECT_EQ(execute(graph, arguments_for(array, first, limit)), expected);
    for (i32 i = 0; i < length; ++i) {
      u32 offset = Object::element_offset(2, static_cast<u32>(i));
      Object* stored = object->get_reference(offset);
      EXPECT_EQ(stored, object_of(expected_array)->get_reference(offset)) << i;
      if (stored != nullptr) EXPECT_EQ(*card_of(object, i), barrier::dirty_card) << i << " of " << length;
    }
  }
  static u32 marked_stores(const graph::Graph& graph) {
    u32 found = 0;
    for (const graph::Block* block : graph.blocks)
      found += static_cast<u32>(std::ranges::count(block->nodes, true, &graph::Node::card_is_marked));
    return found;
  }
};

TEST_F(CoalescedCardMarksTest, NeighboursAreMarkedAtOnce) {
  ASSERT_EQ(barrier::kind, barrier::Kind::CardMark);
  struct Case {
    const char* leaves;
    i32 step, distance;
  };
  for (auto [leaves, step, distance] : {Case{"if_icmpge", 1, 0},
                                        {"if_icmpge", 1, 300},
                                        {"if_icmpge", 1, -1},
                                        {"if_icmple", -1, 0},
                                        {"if_icmple", -1, 300},
                                        {"if_icmple", -1, -1}}) {
    auto graph = optimised_after_a_run(storing(leaves, step, store_at(distance)));
    EXPECT_EQ(marked_stores(*graph), 1u) << graph::print(*graph);
    EXPECT_EQ(count(*graph, Op::mark_elements), 1u);
    bool goes_up = step == 1;
    expect_marks(*graph, 4000, goes_up ? 5 : 3500, goes_up ? 3500 : 5);
    constexpr i32 least = std::numeric_limits<i32>::min(), most = std::numeric_limits<i32>::max();
    constexpr i32 edges[] = {least, least + 1, -4, -1, 0, 1, 3, 9, 10, 11, most};
    for (i32 first : edges) {
      for (i32 limit : edges) {
        for (i32 length : {0, 1, 10}) expect_marks(*graph, length, first, limit);
      }
    }
  }
}

TEST_F(CoalescedCardMarksTest, AnotherCounterMayBeTheIndex) {
  auto graph = optimised_after_a_run(storing("if_icmpge", 1, "aload_0\niload 4\naload_1\naastore\niinc 4 -1"));
  EXPECT_EQ(marked_stores(*graph), 1u) << graph::print(*graph);
  expect_marks(*graph, 4000, 1990, 3900);
  expect_marks(*graph, 4000, 3, 3900);
}

TEST_F(CoalescedCardMarksTest, SomeOfTheElementsAreStored) {
  auto graph =
      optimised_after_a_run(storing("if_icmpge", 1, "iload_2\niconst_3\niand\nifne over\n" + store_at(0) + "\nover:"));
  EXPECT_EQ(marked_stores(*graph), 1u) << graph::print(*graph);
  expect_marks(*graph, 4000, 5, 3900);
}

TEST_F(CoalescedCardMarksTest, OthersMarkWhereTheyStore) {
  for (auto [leaves, step, body] :
       {std::tuple{"if_icmpge", 1, store_at(-2)},
        {"if_icmpge", 2, store_at(0)},
        {"if_icmpgt", 1, store_at(0)},
        {"if_icmpge", 1, std::string("aload_0\niconst_5\naload_1\naastore")},
        {"if_icmpge", 1, store_at(0) + "\ninvokestatic java/lang/Thread.yield ()V"},
        {"if_icmpge", 1, std::string("aload_1\nmonitorenter\n" + store_at(0) + "\naload_1\nmonitorexit")},
        {"if_icmpge", 1, std::string("aload_0\niload 4\naload_1\naastore\niload 4\niload_3\niadd\nistore 4")}}) {
    auto graph = optimised_after_a_run(storing(leaves, step, body));
    EXPECT_EQ(marked_stores(*graph), 0u) << graph::print(*graph);
    EXPECT_EQ(count(*graph, Op::mark_elements), 0u);
    expect_marks(*graph, 4000, 6, 3900);
  }
}

}  // namespace
}  // namespace keyhole
