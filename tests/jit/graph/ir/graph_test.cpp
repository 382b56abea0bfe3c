// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests orders and dominators; the verifier on graphs that break a rule.
#include "jit/graph/ir/graph.h"

#include "jit/graph/ir/order.h"
#include "tests/jit/graph/graph_fixture.h"

namespace keyhole {
namespace {

using graph::Op;

TEST(GraphOrder, DominatorsOfALoopWithABranch) {
  // The edges are 0 -> 1 -> 2 -> 4 -> 1, 1 -> 3 -> 4, and 4 -> 5. No edge leads to block 6.
  std::vector<std::vector<u32>> successors{{1}, {2, 3}, {4}, {4}, {1, 5}, {}, {5}};
  EXPECT_EQ(graph::reverse_postorder(successors), (std::vector<u32>{0, 1, 2, 3, 4, 5}));
  std::vector<u32> dominators = graph::immediate_dominators({{}, {0, 4}, {1}, {1}, {2, 3}, {4}});
  EXPECT_EQ(dominators, (std::vector<u32>{0, 0, 1, 1, 1, 4}));
  EXPECT_TRUE(graph::dominates(dominators, 1, 5));
  EXPECT_FALSE(graph::dominates(dominators, 2, 4));
}

class GraphVerifyTest : public testing::GraphTest {
 protected:
  void SetUp() override {
    graph_ = build(make("(I[I)I", R"(
        .locals 2
      loop:
        iload_0
        ifle done
        iinc 0 -1
        goto loop
      done:
        aload_1
        iload_0
        iaload
        ireturn
    )"));
  }
  graph::Node* find(Op op) const { return GraphTest::find(*graph_, op); }
  void expect_fault(std::string_view part) const {
    EXPECT_NE(graph::verify(*graph_).find(part), std::string::npos) << graph::verify(*graph_);
  }

  std::unique_ptr<graph::Graph> graph_;
};

TEST_F(GraphVerifyTest, AUseBeforeItsDefinition) {
  auto& nodes = find(Op::load_element)->block->nodes;
  std::swap(nodes[0], nodes[1]);
  expect_fault("uses what is not defined before it");
}

TEST_F(GraphVerifyTest, AValueOfAnotherPath) {
  find(Op::return_)->inputs[0] = find(Op::iadd);
  expect_fault("uses what is not defined before it");
}

TEST_F(GraphVerifyTest, APhiWithAValueThatIsNotOnItsEdge) {
  graph::Node* phi = find(Op::phi);
  std::swap(phi->inputs[0], phi->inputs[1]);
  expect_fault("an input is not defined on its edge");
}

TEST_F(GraphVerifyTest, APhiWithoutAnInputForEachEdge) {
  graph::Node* phi = find(Op::phi);
  phi->inputs = phi->inputs.first(1);
  expect_fault("has not one input for each edge");
}

TEST_F(GraphVerifyTest, Types) {
  find(Op::load_element)->inputs[0] = find(Op::phi);
  expect_fault("has an input of another type");
}

TEST_F(GraphVerifyTest, AResultOfAnotherType) {
  find(Op::array_length)->type = graph::Type::Long;
  expect_fault("has another type");
}

TEST_F(GraphVerifyTest, ADeoptPointWithoutAFrameState) {
  find(Op::guard)->state = nullptr;
  expect_fault("has a state, or none");
}

TEST_F(GraphVerifyTest, AFrameStateWithAValueOfAnotherPath) {
  find(Op::guard)->state->locals[0] = find(Op::iadd);
  expect_fault("uses what is not defined before it");
}

TEST_F(GraphVerifyTest, EndsOfBlocks) {
  graph::Block* block = find(Op::iadd)->block;
  graph::Node* end = block->end();
  block->nodes.pop_back();
  expect_fault("has no end");
  block->nodes.insert(block->nodes.begin(), end);
  expect_fault("has no end");
}

TEST_F(GraphVerifyTest, Successors) {
  find(Op::branch)->block->successors.pop_back();
  expect_fault("has another number of successors");
}

TEST_F(GraphVerifyTest, ANodeInTwoPlaces) {
  graph::Node* node = find(Op::iadd);
  node->block->nodes.insert(node->block->nodes.begin(), node);
  expect_fault("is in two places");
}

}  // namespace
}  // namespace keyhole
