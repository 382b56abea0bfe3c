// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests simplification and value numbering: the resulting graphs, and their execution.
#include "jit/graph/pipeline.h"

#include "tests/jit/graph/graph_fixture.h"

namespace keyhole {
namespace {

using graph::Op;
using testing::Outcome;

class GraphPhasesTest : public testing::GraphTest {
 protected:
  static std::unique_ptr<graph::Graph> optimised(Method* method) {
    auto graph = build(method);
    if (graph == nullptr) return graph;
    graph::optimise(*graph);
    EXPECT_EQ(graph::verify(*graph), "") << method->external_name() << "\n" << graph::print(*graph);
    return graph;
  }
  static u32 count(const graph::Graph& graph, Op op) {
    u32 found = 0;
    for (const graph::Block* block : graph.blocks) {
      for (const graph::Node* node : block->nodes) found += node->op == op ? 1 : 0;
    }
    return found;
  }
};

TEST_F(GraphPhasesTest, VectorsDoTheSame) {
  u32 executed = 0;
  for_each_vector([&](const testing::Vector&, Method* method, std::span<const Slot> arguments) {
    graph::Built made = graph::build(method);
    if (made.graph == nullptr || !can_execute(*made.graph)) return;
    graph::optimise(*made.graph);
    ASSERT_EQ(graph::verify(*made.graph), "") << graph::print(*made.graph);
    expect_same_from_each_exit(*made.graph, arguments, interpret(method, arguments));
    ++executed;
  });
  EXPECT_GT(executed, 200u);
}

TEST_F(GraphPhasesTest, AllMethodsStayValid) {
  u64 before = 0, after = 0;
  for_each_started_method([&](Method* method) {
    graph::Built made = graph::build(method);
    if (made.graph == nullptr) return;
    for (const graph::Block* block : made.graph->blocks) before += block->nodes.size();
    graph::optimise(*made.graph);
    for (const graph::Block* block : made.graph->blocks) after += block->nodes.size();
    ASSERT_EQ(graph::verify(*made.graph), "") << method->external_name() << "\n" << graph::print(*made.graph);
  });
  EXPECT_LT(after, before * 9 / 10);
}

TEST_F(GraphPhasesTest, ChecksThatAreImpliedAreGone) {
  auto graph = optimised(make("([II)I", R"(
      .locals 2
      aload_0
      iload_1
      iaload
      aload_0
      iload_1
      iaload
      iadd
      aload_0
      arraylength
      iadd
      ireturn
  )"));
  EXPECT_EQ(graph::print(*graph), R"(b0:
  n0 reference = parameter 0
  n1 int = parameter 1
  jump b1
b1: b0
  n3 reference = constant null
  n4 int = compare_reference not_equal n0 n3
  guard null n4 @2 [n0 n1 | n0 n1]
  n6 int = array_length n0
  n7 int = compare_int below n1 n6
  guard range n7 @2 [n0 n1 | n0 n1]
  n9 int = load_element I n0 n1
  n17 int = iadd n9 n9
  n22 int = iadd n17 n6
  return_ n22
)");
}

TEST_F(GraphPhasesTest, AGuardOnOnePathSaysNothingAboutTheOther) {
  auto graph = optimised(make("([II)I", R"(
      .locals 2
      iload_1
      ifeq other
      aload_0
      arraylength
      ireturn
    other:
      aload_0
      arraylength
      ineg
      ireturn
  )"));
  EXPECT_EQ(count(*graph, Op::guard), 2u) << graph::print(*graph);
  EXPECT_EQ(count(*graph, Op::array_length), 2u);
}

TEST_F(GraphPhasesTest, UnreachableCodeIsGone) {
  Method* method = make("(I)I", R"(
      .locals 1
      iconst_3
      iconst_2
      if_icmpgt always
    loop:
      iinc 0 1
      iload_0
      ifne loop
    always:
      iload_0
      ireturn
  )");
  auto graph = optimised(method);
  EXPECT_EQ(count(*graph, Op::branch) + count(*graph, Op::phi), 0u) << graph::print(*graph);
  std::vector<Slot> arguments{slot_of(i32{7})};
  EXPECT_EQ(execute(*graph, arguments), interpret(method, arguments));
}

TEST_F(GraphPhasesTest, AGuardThatFailsIsAnUncommonTrap) {
  Method* method = make("(I)I", "iload_0\niconst_0\nidiv\nireturn\n");
  auto graph = optimised(method);
  EXPECT_EQ(count(*graph, Op::guard) + count(*graph, Op::return_), 0u) << graph::print(*graph);
  std::vector<Slot> arguments{slot_of(i32{7})};
  EXPECT_EQ(execute(*graph, arguments), interpret(method, arguments));
}

// Simplifies each operation with each constant on either side, and with the same value on both sides.
TEST_F(GraphPhasesTest, AlgebraHoldsForAllValues) {
  u32 smaller = 0;
  for (u8 opcode : {IADD, ISUB, IMUL, IDIV, IREM, ISHL, ISHR, IUSHR, IAND, IOR, IXOR}) {
    std::string mnemonic(bytecode::row(opcode).mnemonic);
    for (const char* right : {"iconst_m1", "iconst_0", "iconst_1", "iload_0", "bipush 32"}) {
      for (bool swapped : {false, true}) {
        std::string first = swapped ? right : "iload_0", second = swapped ? "iload_0" : right;
        Method* method = make("(I)I", first + "\n" + second + "\n" + mnemonic + "\nireturn\n");
        auto plain = build(method);
        auto graph = optimised(method);
        if (find(*plain, Op::idiv) == nullptr && graph->blocks[1]->nodes.size() == 1) ++smaller;
        for (i32 value : {0, 1, -1, 5, 32, std::numeric_limits<i32>::max(), std::numeric_limits<i32>::min()}) {
          std::vector<Slot> arguments{slot_of(value)};
          EXPECT_EQ(execute(*graph, arguments), interpret(method, arguments))
              << mnemonic << " " << right << " " << value;
        }
      }
    }
  }
  EXPECT_GT(smaller, 15u) << "nothing but the return is left";
}

TEST_F(GraphPhasesTest, LoopsAndLocksDoTheSame) {
  Method* method = make("(I)I", R"(
      .locals 4
      new self
      dup
      invokespecial self.<init> ()V
      astore_1
      iconst_0
      istore_2
    loop:
      iload_2
      iload_0
      if_icmpge done
      aload_1
      monitorenter
      aload_1
      aload_1
      getfield self.i I
      iload_2
      iload_2
      imul
      iadd
      iload_2
      iload_2
      imul
      iadd
      putfield self.i I
      aload_1
      monitorexit
      iinc 2 1
      goto loop
    done:
      aload_1
      getfield self.i I
      ireturn
  )");
  for (i32 times : {0, 1, 5}) {
    std::vector<Slot> arguments{slot_of(times)};
    Outcome expected = interpret(method, arguments);
    auto graph = optimised(method);
    if (times > 0) EXPECT_EQ(count(*graph, Op::imul), 1u) << graph::print(*graph);
    expect_same_from_each_exit(*graph, arguments, expected);
  }
}

}  // namespace
}  // namespace keyhole
