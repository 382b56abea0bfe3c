// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// What loops ask before they begin: which guards move, which stay, and that the method does the same, from each exit.
#include "gc/barrier.h"
#include "gc/heap.h"
#include "jit/graph/phases.h"
#include "tests/jit/graph/graph_fixture.h"
#include "vm/link/linker.h"

namespace keyhole {
namespace {

using graph::Op;
using testing::vm_thread;

class HoistTest : public testing::GraphTest {
 protected:
  // i from `first`, while it is `condition` the limit, by `step`: the sum of array[i + offset].
  static Method* sum(const char* condition, i32 step, i32 offset) {
    std::string text = fmt::format(R"(
      .locals 5
      iload_1
      istore_3
      iconst_0
      istore 4
      goto test
  body:
      iload 4
      aload_0
      iload_3
      bipush {}
      iadd
      iaload
      iadd
      istore 4
      iinc 3 {}
  test:
      iload_3
      iload_2
      {} body
      iload 4
      ireturn
  )",
                                   offset, step, condition);
    return make("([III)I", text);
  }
  static std::unique_ptr<graph::Graph> optimised(Method* method, bool has_failed = false) {
    graph::BuildOptions options;
    options.inlines = true;
    options.has_failed = [has_failed](const Method*, u32, graph::Reason reason) {
      return has_failed && reason == graph::Reason::Hoisted;
    };
    graph::Built built = graph::build(method, options);
    EXPECT_EQ(built.refusal, "");
    EXPECT_EQ(graph::verify(*built.graph), "") << graph::print(*built.graph);
    graph::optimise(*built.graph);
    EXPECT_EQ(graph::verify(*built.graph), "") << graph::print(*built.graph);
    return std::move(built.graph);
  }
  static u32 guards_with(const graph::Graph& graph, graph::Reason reason) {
    u32 found = 0;
    for (const graph::Block* block : graph.blocks) {
      for (const graph::Node* node : block->nodes) found += node->op == Op::guard && node->reason == reason ? 1 : 0;
    }
    return found;
  }
  static Slot array_of(i32 length) {
    Object* array = heap::allocate_array(vm_thread(), primitive_array_klass(BasicType::Int), length);
    for (i32 i = 0; i < length; ++i) array->set<i32>(Object::element_offset(2, static_cast<u32>(i)), 7 * i + 1);
    return slot_of(array);
  }
};

TEST_F(HoistTest, IndicesThatCountAreComparedOnce) {
  struct Case {
    const char* condition;
    i32 step, offset;
  };
  for (auto [condition, step, offset] : {Case{"if_icmplt", 1, 0},
                                         {"if_icmple", 1, 0},
                                         {"if_icmplt", 1, 3},
                                         {"if_icmplt", 1, -3},
                                         {"if_icmpgt", -1, 0},
                                         {"if_icmpge", -1, 0},
                                         {"if_icmpge", -1, 2},
                                         {"if_icmpgt", -1, -2}}) {
    Method* method = sum(condition, step, offset);
    std::vector<Slot> warm{array_of(10), slot_of(i32{5}), slot_of(i32{5})};
    interpret(method, warm);
    auto graph = optimised(method);
    EXPECT_EQ(guards_with(*graph, graph::Reason::Range), 0u) << graph::print(*graph);
    EXPECT_EQ(guards_with(*graph, graph::Reason::Null), 0u) << graph::print(*graph);
    EXPECT_GT(guards_with(*graph, graph::Reason::Hoisted), 1u);
    EXPECT_EQ(find(*graph, Op::loop_entry), nullptr);
    constexpr i32 edges[] = {std::numeric_limits<i32>::min(), -4, -3, -1, 0, 1, 3, 4, 9, 10, 11,
                             std::numeric_limits<i32>::max()};
    for (i32 first : edges) {
      for (i32 limit : edges) {
        for (i32 length : {0, 1, 10}) {
          std::vector<Slot> arguments{array_of(length), slot_of(first), slot_of(limit)};
          EXPECT_EQ(execute(*graph, arguments), interpret(method, arguments))
              << condition << " " << first << " " << limit << " of " << length;
        }
      }
    }
    std::vector<Slot> arguments{0, slot_of(i32{1}), slot_of(i32{3})};
    EXPECT_EQ(execute(*graph, arguments), interpret(method, arguments));
  }
}

TEST_F(HoistTest, WhatHasFailedStaysInTheLoop) {
  Method* method = sum("if_icmplt", 1, 0);
  std::vector<Slot> arguments{array_of(10), slot_of(i32{2}), slot_of(i32{8})};
  interpret(method, arguments);
  auto graph = optimised(method, /*has_failed=*/true);
  EXPECT_EQ(guards_with(*graph, graph::Reason::Hoisted), 0u);
  EXPECT_EQ(guards_with(*graph, graph::Reason::Range), 1u);
  expect_same_from_each_exit(*graph, arguments, interpret(method, arguments));
}

// A row of an array of arrays; and what is stored in the loop stays there.
TEST_F(HoistTest, LoadsMoveUnlessTheLoopWritesThem) {
  for (bool writes : {false, true}) {
    Method* method =
        make("([[II)I", fmt::format(R"(
      .locals 4
      iconst_0
      istore_2
      iconst_0
      istore_3
  next:
      iload_3
      aload_0
      iload_1
      aaload
      iload_2
      iaload
      iadd
      istore_3
      {}
      iinc 2 1
      iload_2
      iconst_5
      if_icmplt next
      iload_3
      ireturn
  )",
                                    writes ? "aload_0\niload_1\naload_0\niconst_0\naaload\naastore" : "nop"));
    Klass* rows_class = array_klass_of(vm_thread(), primitive_array_klass(BasicType::Int));
    Object* rows = heap::allocate_array(vm_thread(), rows_class, 2);
    barrier::store_element(rows, 0, object_of(array_of(5)));
    barrier::store_element(rows, 1, object_of(array_of(6)));
    std::vector<Slot> arguments{slot_of(rows), slot_of(i32{1})};
    interpret(method, arguments);
    auto graph = optimised(method);
    bool is_in_loop = false;
    for (const graph::Block* block : graph->blocks) {
      for (const graph::Node* node : block->nodes) {
        bool is_row = node->op == Op::load_element && node->type == graph::Type::Reference;
        is_in_loop |=
            is_row && std::ranges::any_of(block->predecessors, [&](auto* from) { return from->id >= block->id; });
      }
    }
    EXPECT_EQ(is_in_loop, writes) << graph::print(*graph);
    expect_same_from_each_exit(*graph, arguments, interpret(method, arguments));
    arguments[1] = slot_of(i32{2});
    EXPECT_EQ(execute(*graph, arguments), interpret(method, arguments));
  }
}

}  // namespace
}  // namespace keyhole
