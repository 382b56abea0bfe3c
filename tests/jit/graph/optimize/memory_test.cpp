// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests redundant loads and conditions: loads of what was stored or loaded before, and conditions that a guard or a
// branch has decided.
#include "jit/graph/optimize/memory.h"

#include "gc/heap/heap.h"
#include "jit/graph/pipeline.h"
#include "tests/jit/graph/graph_fixture.h"
#include "vm/link/loading/array_klasses.h"

namespace keyhole {
namespace {

using graph::Op;
using testing::Outcome;

class OptimisedGraphTest : public testing::GraphTest {
 protected:
  // Returns the graph after the phases. Before that, executes it once for each deopt point, deoptimizes there, and
  // compares the outcome with the interpreter's.
  static std::unique_ptr<graph::Graph> optimised(const char* descriptor, std::string_view assembly,
                                                 std::vector<Slot> arguments) {
    Method* method = make(descriptor, assembly);
    Outcome expected = interpret(method, arguments);
    auto graph = build(method);
    graph::optimise(*graph);
    EXPECT_EQ(graph::verify(*graph), "") << graph::print(*graph);
    expect_same_from_each_exit(*graph, arguments, expected);
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

// --- the heap --------------------------------------------------------------------------------------------------------

class GraphMemoryTest : public OptimisedGraphTest {
 protected:
  // Returns the number of loads in a method's optimised graph. The method puts two new objects into locals 1 and 2, and
  // then executes `assembly`. Local 0 has the int argument.
  static u32 loads(std::string_view assembly, i32 argument = 7) {
    std::string start = ".locals 4\n";
    for (const char* local : {"astore_1\n", "astore_2\n"}) {
      start += std::string("new self\ndup\ninvokespecial self.<init> ()V\n") + local;
    }
    std::string text = start + std::string(assembly);
    auto graph = optimised("(I)I", text, {slot_of(argument)});
    return count(*graph, Op::load_field) + count(*graph, Op::load_element);
  }
};

TEST_F(GraphMemoryTest, ALoadFindsWhatWasStored) {
  EXPECT_EQ(loads("aload_1\niload_0\nputfield self.i I\naload_1\ngetfield self.i I\nireturn\n"), 0u);
}

TEST_F(GraphMemoryTest, ANarrowFieldKeepsPartOfTheValue) {
  for (i32 value : {1, 127, 128, 300, -1, -129}) {
    EXPECT_EQ(loads("aload_1\niload_0\nputfield self.b B\naload_1\ngetfield self.b B\nireturn\n", value), 0u);
  }
}

TEST_F(GraphMemoryTest, ASecondLoadFindsTheSame) {
  EXPECT_EQ(loads("aload_1\ngetfield self.i I\naload_1\ngetfield self.i I\niadd\nireturn\n"), 1u);
}

TEST_F(GraphMemoryTest, AStoreToTheFieldOfAnyObjectIsBetween) {
  EXPECT_EQ(loads(R"(
      aload_1
      getfield self.i I
      aload_2
      iload_0
      putfield self.i I
      aload_1
      getfield self.i I
      iadd
      ireturn
  )"),
            2u);
}

TEST_F(GraphMemoryTest, AStoreToAnotherFieldIsNot) {
  EXPECT_EQ(loads(R"(
      aload_1
      getfield self.i I
      aload_1
      iload_0
      putfield self.b B
      aload_1
      getfield self.i I
      iadd
      ireturn
  )"),
            1u);
}

TEST_F(GraphMemoryTest, ACallMayWriteEverything) {
  EXPECT_EQ(loads(R"(
      aload_1
      iload_0
      putfield self.i I
      iload_0
      iconst_3
      invokestatic java/lang/Math.max (II)I
      aload_1
      getfield self.i I
      iadd
      ireturn
  )"),
            1u);
}

TEST_F(GraphMemoryTest, AfterAStoreOnOnePathTheFieldIsReadAgain) {
  for (i32 value : {0, 1}) {
    EXPECT_EQ(loads(R"(
        aload_1
        getfield self.i I
        iload_0
        ifeq meet
        aload_1
        iload_0
        putfield self.i I
      meet:
        aload_1
        getfield self.i I
        iadd
        ireturn
    )",
                    value),
              value == 0 ? 1u : 2u)
        << "what has not been executed is an exit";
  }
}

TEST_F(GraphMemoryTest, ALoopReadsAgainWhatItWrites) {
  for (const char* written : {"b B", "i I"}) {
    std::string text = testing::replaced(R"(
        aload_1
        getfield self.i I
        istore_3
      loop:
        iload_0
        ifle done
        aload_1
        getfield self.i I
        iload_3
        iadd
        istore_3
        aload_2
        iload_3
        putfield self.WRITTEN
        iinc 0 -1
        goto loop
      done:
        iload_3
        ireturn
    )",
                                         "WRITTEN", written);
    EXPECT_EQ(loads(text, 5), written[0] == 'i' ? 2u : 1u);
  }
}

TEST_F(GraphMemoryTest, AMonitorLetsOthersWrite) {
  EXPECT_EQ(loads(R"(
      aload_1
      getfield self.i I
      aload_2
      monitorenter
      aload_1
      getfield self.i I
      iadd
      aload_2
      monitorexit
      ireturn
  )"),
            2u);
}

TEST_F(GraphMemoryTest, ElementsOfAnyArrayOfTheTypeAreAlike) {
  constexpr const char* text = R"(
      .locals 3
      iconst_5
      newarray int
      astore_1
      iconst_5
      newarray OTHER
      astore_2
      aload_1
      iload_0
      iload_0
      iastore
      aload_2
      iload_0
      VALUE
      aload_1
      iload_0
      iaload
      ireturn
  )";
  auto with = [&](const char* other, const char* value) {
    std::string replaced = testing::replaced(testing::replaced(text, "OTHER", other), "VALUE", value);
    return count(*optimised("(I)I", replaced, {slot_of(i32{3})}), Op::load_element);
  };
  EXPECT_EQ(with("int", "iconst_1\niastore"), 1u);
  EXPECT_EQ(with("long", "lconst_1\nlastore"), 0u);
}

// --- conditions ------------------------------------------------------------------------------------------------------

class GraphConditionsTest : public OptimisedGraphTest {};

TEST_F(GraphConditionsTest, ABranchDecidesTheSameTheNegatedAndTheExchangedComparison) {
  for (const char* second : {"iload_0\niload_1\nif_icmplt other", "iload_0\niload_1\nif_icmpge other",
                             "iload_1\niload_0\nif_icmpgt other", "iload_1\niload_0\nif_icmple other"}) {
    std::string text = fmt::format(R"(
        iload_0
        iload_1
        if_icmplt less
        {}
        iconst_1
        ireturn
      less:
        {}
        iconst_2
        ireturn
      other:
        iconst_3
        ireturn
    )",
                                   second, second);
    for (i32 value : {1, 2, 3}) {
      auto graph = optimised("(II)I", text, {slot_of(value), slot_of(i32{2})});
      EXPECT_EQ(count(*graph, Op::branch), 1u) << second << "\n" << graph::print(*graph);
    }
  }
}

TEST_F(GraphConditionsTest, OtherComparisonsStay) {
  auto graph = optimised("(II)I", R"(
      iload_0
      iload_1
      if_icmplt less
      iload_0
      iload_1
      if_icmpgt less
      iconst_1
      ireturn
    less:
      iconst_2
      ireturn
  )",
                         {slot_of(i32{1}), slot_of(i32{1})});
  EXPECT_EQ(count(*graph, Op::branch), 2u);
}

TEST_F(GraphConditionsTest, AnInstanceIsCastAndIsNotNull) {
  Object* string = heap::allocate_array(testing::vm_thread(), klass_of_id(boolean_array_klass_id), 3);
  for (Slot argument : {slot_of(string), Slot{0}}) {
    auto graph = optimised("(Ljava/lang/Object;)I", R"(
        aload_0
        instanceof [Z
        ifeq other
        aload_0
        checkcast [Z
        arraylength
        ireturn
      other:
        iconst_m1
        ireturn
    )",
                           {argument});
    EXPECT_EQ(count(*graph, Op::guard), 0u) << graph::print(*graph);
    EXPECT_EQ(count(*graph, Op::is_castable), 0u) << graph::print(*graph);
  }
}

TEST_F(GraphConditionsTest, LengthsAreNotNegative) {
  auto graph = optimised("([I)[I", "aload_0\narraylength\nnewarray int\nareturn\n", {0});
  EXPECT_EQ(count(*graph, Op::guard), 1u) << graph::print(*graph);
}

}  // namespace
}  // namespace keyhole
