// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests contents of stack slots, and values that live across calls (jit/graph/lower/stack_slots.h).
#include "jit/graph/lower/stack_slots.h"
#include "jit/graph/pipeline.h"
#include "tests/jit/graph/graph_fixture.h"

namespace keyhole::graph {
namespace {

class StackSlotsTest : public testing::GraphTest {
 protected:
  // Makes a method, executes it once, which resolves its calls, and returns its optimised graph.
  static std::unique_ptr<Graph> graph_of(const char* descriptor, std::string_view assembly,
                                         std::vector<Slot> arguments) {
    Method* method = make(descriptor, assembly);
    interpret(method, arguments);
    auto graph = build(method);
    optimise(*graph);
    return graph;
  }
  static const Block* loop_of(const Graph& graph) {
    for (const Block* block : graph.blocks) {
      if (block->is_loop_header) return block;
    }
    return nullptr;
  }
  static constexpr const char* counting = R"(
      .locals 4
      iconst_0
      istore_2
    again:
      iload_2
      iload_0
      if_icmpge done
      iinc 2 1
      iload_2
      invokestatic java/lang/Math.abs (I)I
      istore_3
      iinc 1 1
      goto again
    done:
      iload_1
      ireturn
  )";
};

TEST_F(StackSlotsTest, ArgumentsAreInTheirSlots) {
  auto graph = graph_of("(II)I", "iload_1\ninvokestatic java/lang/Math.abs (I)I\niload_0\niadd\nireturn\n", {1, 2});
  StackSlots slots(*graph);
  const FrameContents& entry = slots.at_begin(graph->blocks[0]);
  const Node* call = find(*graph, Op::call);
  ASSERT_NE(call, nullptr);
  EXPECT_EQ(entry.slots[0], call->state->locals[0]);
  EXPECT_FALSE(entry.has_header);
  EXPECT_FALSE(slots.writes_header_at_entry()) << "one path, one call";
}

TEST_F(StackSlotsTest, AfterACallSlotsHoldTheFrameStatesValues) {
  auto graph = graph_of("(II)I", "iload_1\ninvokestatic java/lang/Math.abs (I)I\niload_0\niadd\nireturn\n", {1, 2});
  StackSlots slots(*graph);
  const Node* call = find(*graph, Op::call);
  FrameContents contents = slots.at_begin(graph->blocks[0]);
  StackSlots::pass(contents, call);
  EXPECT_TRUE(contents.has_header);
  EXPECT_EQ(contents.slots[0], call->inputs[0]->op == Op::parameter ? call->state->locals[0] : nullptr);
  EXPECT_EQ(contents.slots[1], nullptr) << "dead: nobody keeps it";
  EXPECT_EQ(contents.slots[operands_distance(*call->state)], nullptr) << "the callee's local now";
  ASSERT_EQ(slots.survivors(call).size(), 1u);
  EXPECT_EQ(slots.survivors(call)[0], call->state->locals[0]);
}

TEST_F(StackSlotsTest, InALoopInvariantSlotsStayAndAStoredPhiIsKnown) {
  auto graph = graph_of("(II)I", counting, {3, 2});
  StackSlots slots(*graph);
  const FrameContents& header = slots.at_begin(loop_of(*graph));
  ASSERT_NE(header.slots[0], nullptr);
  EXPECT_EQ(header.slots[0]->op, Op::parameter) << "the bound";
  EXPECT_EQ(header.slots[1], nullptr) << "incremented after the call: its slot has the old value";
  EXPECT_TRUE(slots.writes_header_at_entry()) << "the path into the loop has no call";
  EXPECT_TRUE(header.has_header);
}

TEST_F(StackSlotsTest, ALoopCounterThatIsStoredAtTheCallIsInItsSlotAtTheHeader) {
  auto graph = graph_of("(II)I", counting, {3, 2});
  StackSlots slots(*graph);
  const Block* loop = loop_of(*graph);
  const Node* call = find(*graph, Op::call);
  FrameContents contents = slots.at_begin(loop);
  StackSlots::pass(contents, call);
  EXPECT_EQ(contents.slots[2], call->state->locals[2]) << "incremented before the call";
  EXPECT_EQ(contents.slots[2]->op, Op::iadd);
}

TEST_F(StackSlotsTest, MirrorsAreRematerialized) {
  auto graph = graph_of("(I)I", R"(
      iload_0
      putstatic self.si I
      iload_0
      invokestatic java/lang/Math.abs (I)I
      putstatic self.si I
      iload_0
      ireturn
  )",
                        {3});
  StackSlots slots(*graph);
  EXPECT_EQ(slots.refused(), nullptr);
  bool is_rematerialized = false;
  for (const Node* value : slots.survivors(find(*graph, Op::call)))
    is_rematerialized |= StackSlots::is_rematerialized(value);
  EXPECT_TRUE(is_rematerialized) << print(*graph);
}

}  // namespace
}  // namespace keyhole::graph
