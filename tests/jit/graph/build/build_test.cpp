// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests building of graphs: their text, and their execution beside the interpreter.
#include "jit/graph/build/build.h"

#include <map>
#include <random>

#include "jit/graph/pipeline.h"
#include "tests/jit/graph/graph_fixture.h"
#include "vm/verify/frame_map.h"

namespace keyhole {
namespace {

using testing::GraphTest;
using testing::Outcome;

class GraphBuildTest : public GraphTest {
 protected:
  static std::string refusal(const char* assembly) {
    graph::Built built = graph::build(make("(I)I", assembly));
    EXPECT_EQ(built.graph, nullptr);
    return built.refusal;
  }
};

// --- as text ---------------------------------------------------------------------------------------------------------

TEST_F(GraphBuildTest, ALoopMergesWhatItWritesAndPollsAtItsEnd) {
  auto graph = build(make("(I)I", R"(
      .locals 2
      iconst_0
      istore_1
    loop:
      iload_0
      ifle done
      iload_1
      iload_0
      iadd
      istore_1
      iinc 0 -1
      goto loop
    done:
      iload_1
      ireturn
  )"));
  EXPECT_EQ(graph::print(*graph), R"(b0:
  n0 int = parameter 0
  jump b1
b1: b0
  n2 int = constant 0
  jump b2
b2 (loop): b1 b4
  n4 int = phi n0 n12
  n5 int = phi n2 n10
  n6 int = constant 0
  n7 int = compare_int less_or_equal n4 n6
  branch n7 b3 b4
b3: b2
  return_ n5
b4: b2
  n10 int = iadd n5 n4
  n11 int = constant -1
  n12 int = iadd n4 n11
  poll @13 [n12 n10 | ]
  jump b2
)");
}

TEST_F(GraphBuildTest, ChecksAreGuardsWithTheFrameStateBeforeTheInstruction) {
  auto graph = build(make("([JI)J", R"(
      .locals 3
      lconst_1
      aload_0
      iload_1
      laload
      ladd
      lreturn
  )"));
  EXPECT_EQ(graph::print(*graph), R"(b0:
  n0 reference = parameter 0
  n1 int = parameter 1
  jump b1
b1: b0
  n3 long = constant 1
  n4 reference = constant null
  n5 int = compare_reference not_equal n0 n4
  guard null n5 @3 [- - - | - n3 n0 n1]
  n7 int = array_length n0
  n8 int = compare_int below n1 n7
  guard range n8 @3 [- - - | - n3 n0 n1]
  n10 long = load_element J n0 n1
  n11 long = ladd n3 n10
  return_ n11
)");
}

TEST_F(GraphBuildTest, AnInstructionThatWasNotExecutedIsAnUncommonTrap) {
  auto graph = build(make("(I)I", R"(
      .locals 1
      iload_0
      ifeq rare
      iload_0
      ireturn
    rare:
      getstatic self.si I
      ireturn
  )"));
  EXPECT_NE(graph::print(*graph).find("  uncommon_trap unresolved @6 [- | ]\n"), std::string::npos)
      << graph::print(*graph);
}

TEST_F(GraphBuildTest, UnstructuredCodeIsRefused) {
  EXPECT_EQ(refusal("jsr sub\niload_0\nireturn\nsub:\nastore_1\nret 1\n"), "subroutines");
  EXPECT_EQ(refusal(R"(
      iload_0
      ifeq second
    first:
      iinc 0 1
    second:
      iinc 0 -1
      iload_0
      ifgt first
      iload_0
      ireturn
  )"),
            "a loop with two entries");
  EXPECT_EQ(refusal(R"(
      iload_0
      ifeq free
      aconst_null
      monitorenter
    free:
      iload_0
      ireturn
  )"),
            "different locks where paths meet");
}

// --- against the interpreter -----------------------------------------------------------------------------------------

TEST_F(GraphBuildTest, VectorsDoWhatTheInterpreterDoes) {
  u32 built = 0, returned = 0, all = 0;
  for_each_vector([&](const testing::Vector& vector, Method* method, std::span<const Slot> arguments) {
    ++all;
    Outcome expected = interpret(method, arguments);
    graph::Built made = graph::build(method);
    if (made.graph == nullptr) {
      EXPECT_EQ(made.refusal, "subroutines") << vector.instruction;
      return;
    }
    ++built;
    ASSERT_EQ(graph::verify(*made.graph), "") << vector.instruction << "\n" << graph::print(*made.graph);
    if (!can_execute(*made.graph)) return;
    EXPECT_EQ(execute(*made.graph, arguments), expected) << vector.instruction << "\n" << graph::print(*made.graph);
    if (last_.exit == nullptr) ++returned;
    expect_same_from_each_exit(*made.graph, arguments, expected);
  });
  EXPECT_GE(built, all - 5);
  EXPECT_GE(returned, built * 3 / 4) << "the others leave";
}

TEST_F(GraphBuildTest, ArithmeticOnEdgesOfItsRange) {
  for_each_arithmetic([&](Method* method, std::span<const std::vector<Slot>> edges) {
    auto graph = build(method);
    for (const std::vector<Slot>& arguments : edges)
      EXPECT_EQ(execute(*graph, arguments), interpret(method, arguments)) << method->external_name();
  });
}

// Nested loops, arrays, fields, a switch, calls, allocation and a lock. The graph is executed once for each deopt
// point, and deoptimizes there.
TEST_F(GraphBuildTest, AProgramDeoptimizesAnywhereAndEndsTheSame) {
  Method* method = make("(II)J", R"(
      .locals 8
      iload_0
      newarray int
      astore_2
      new self
      dup
      invokespecial self.<init> ()V
      astore_3
      aload_3
      aload_3
      putfield self.next Lself;
      iconst_0
      istore 4
    outer:
      iload 4
      iload_0
      if_icmpge done
      iconst_0
      istore 5
    inner:
      iload 5
      iload 4
      if_icmpgt next
      aload_2
      iload 5
      dup2
      iaload
      iload_1
      iadd
      iastore
      iinc 5 1
      goto inner
    next:
      aload_3
      dup
      astore 6
      monitorenter
    locked:
      aload_3
      dup
      getfield self.d D
      aload_2
      iload 4
      iaload
      i2d
      dadd
      putfield self.d D
      iload 4
      iconst_3
      irem
      tableswitch 0 zero one default other
    zero:
      aload_3
      iload 4
      putfield self.i I
      goto unlock
    one:
      getstatic self.si I
      iload 4
      iadd
      putstatic self.si I
    other:
      iinc 1 7
    unlock:
      aload 6
      monitorexit
    unlocked:
      iinc 4 1
      goto outer
    handler:
      aload 6
      monitorexit
      athrow
    done:
      aload_3
      getfield self.next Lself;
      getfield self.d D
      d2l
      iload_1
      iconst_1
      invokestatic java/lang/Math.max (II)I
      i2l
      lxor
      aload_3
      getfield self.i I
      i2l
      ladd
      lreturn
      .catch any locked unlocked handler
  )");
  std::mt19937 random(1);
  for (u32 i = 0; i < 20; ++i) {
    std::vector<Slot> arguments{slot_of(static_cast<i32>(random() % 6)), slot_of(static_cast<i32>(random()))};
    if (i == 19) arguments[0] = slot_of(-1);
    Outcome expected = interpret(method, arguments);
    auto graph = build(method);
    EXPECT_EQ(execute(*graph, arguments), expected) << graph::print(*graph);
    if (i > 5 && i < 19) EXPECT_EQ(last_.exit, nullptr) << graph::print(*graph);
    expect_same_from_each_exit(*graph, arguments, expected);
  }
}

TEST_F(GraphBuildTest, LinkedCallSitesGetTheirAppendix) {
  InstanceKlass* klass = testing::define(testing::build_dynamic("GraphTestDynamic"));
  Method* method = klass->find_declared_method(Symbol::intern("length"), Symbol::intern("(IJ)I"));
  std::vector<Slot> arguments{slot_of(i32{12}), 0, slot_of(i64{345})};
  Outcome expected = interpret(method, arguments);
  EXPECT_EQ(expected.result, 10u);
  auto graph = build(method);
  EXPECT_EQ(execute(*graph, arguments), expected);
  EXPECT_EQ(last_.exit, nullptr) << graph::print(*graph);
}

// --- handlers --------------------------------------------------------------------------------------------------------

TEST_F(GraphBuildTest, ExceptionsOfCallsAndAthrowAreCaughtInTheTablesOrder) {
  Method* thrower = make("(I)I", R"(
      iload_0
      ifeq illegal
      iload_0
      iconst_1
      if_icmpeq state
      iload_0
      ireturn
    illegal:
      new java/lang/NumberFormatException
      dup
      invokespecial java/lang/NumberFormatException.<init> ()V
      athrow
    state:
      new java/lang/IllegalStateException
      dup
      invokespecial java/lang/IllegalStateException.<init> ()V
      athrow
  )");
  std::string text = testing::replaced(R"(
      .locals 4
      iconst_5
      istore_1
    from:
      iload_0
      invokestatic THROWER.run (I)I
      istore_1
      iinc 1 10
      iload_1
      bipush 20
      if_icmplt to
      new java/lang/IllegalStateException
      dup
      invokespecial java/lang/IllegalStateException.<init> ()V
      athrow
    to:
      iload_1
      ireturn
    first:
      pop
      iload_1
      bipush 100
      iadd
      ireturn
    second:
      astore_2
      iload_1
      bipush 40
      if_icmpgt again
      iload_1
      sipush 1000
      iadd
      ireturn
    again:
      aload_2
      athrow
      .catch java/lang/IllegalArgumentException from to first
      .catch java/lang/NumberFormatException from to second
      .catch java/lang/RuntimeException from to second
  )",
                                       "THROWER", std::string(thrower->holder->name->text()));
  Method* method = make("(I)I", text);
  for (i32 value : {0, 1, 2, 15, 40, 0}) interpret(method, std::vector<Slot>{slot_of(value)});
  for (i32 value : {0, 1, 2, 15, 40}) {
    std::vector<Slot> arguments{slot_of(value)};
    Outcome expected = interpret(method, arguments);
    auto graph = build(method);
    EXPECT_EQ(execute(*graph, arguments), expected) << value << "\n" << graph::print(*graph);
    EXPECT_EQ(last_.exit == nullptr, expected.exception.empty()) << graph::print(*graph);
    expect_same_from_each_exit(*graph, arguments, expected);
    graph::optimise(*graph);
    EXPECT_EQ(graph::verify(*graph), "");
    EXPECT_EQ(execute(*graph, arguments), expected) << value << "\n" << graph::print(*graph);
  }
}

// Two calls in a block; only the second one has a handler.
TEST_F(GraphBuildTest, ACallBeforeTheOneWithAHandlerThrowsPastIt) {
  Method* thrower = make("(I)I", R"(
      iconst_1
      iload_0
      idiv
      ireturn
  )");
  std::string text = testing::replaced(R"(
      .locals 2
      iload_0
      invokestatic THROWER.run (I)I
      pop
    from:
      iload_1
      invokestatic THROWER.run (I)I
    to:
      ireturn
    handler:
      pop
      bipush 7
      ireturn
      .catch java/lang/ArithmeticException from to handler
  )",
                                       "THROWER", std::string(thrower->holder->name->text()));
  Method* method = make("(II)I", text);
  auto arguments_of = [](i32 first, i32 second) { return std::vector<Slot>{slot_of(first), slot_of(second)}; };
  for (i32 second : {0, 1}) interpret(method, arguments_of(1, second));
  for (bool optimised : {false, true}) {
    auto graph = build(method);
    if (optimised) graph::optimise(*graph);
    for (i32 first : {0, 1}) {
      for (i32 second : {0, 1}) {
        std::vector<Slot> arguments = arguments_of(first, second);
        Outcome expected = interpret(method, arguments);
        EXPECT_EQ(expected.exception.empty(), first != 0);
        EXPECT_EQ(execute(*graph, arguments), expected) << graph::print(*graph);
      }
    }
  }
}

TEST_F(GraphBuildTest, ArraysOfSeveralDimensionsAreAllocatedByAFallback) {
  Method* method = make("(II)I", R"(
      .locals 3
    from:
      iload_0
      iload_1
      multianewarray [[J 2
    to:
      dup
      arraylength
      swap
      iconst_0
      aaload
      arraylength
      iadd
      ireturn
    handler:
      pop
      iconst_m1
      ireturn
      .catch java/lang/NegativeArraySizeException from to handler
  )");
  interpret(method, std::vector<Slot>{slot_of(-1), slot_of(1)});
  for (i32 first : {3, 0, -1}) {
    std::vector<Slot> arguments{slot_of(first), slot_of(4)};
    Outcome expected = interpret(method, arguments);
    auto graph = build(method);
    EXPECT_EQ(execute(*graph, arguments), expected) << graph::print(*graph);
    EXPECT_EQ(last_.exit == nullptr, first != 0) << graph::print(*graph);
  }
}

// --- all methods of the classes that the VM has loaded at its start --------------------------------------------------

struct LiveReferences {
  const graph::FrameState* state;
  std::string missing;
};
void note_missing(u32 slot, void* context) {
  auto* found = static_cast<LiveReferences*>(context);
  usize locals = found->state->locals.size();
  const graph::Node* value = slot < locals ? found->state->locals[slot] : found->state->operands[slot - locals];
  if (value == nullptr || value->type != graph::Type::Reference) found->missing += fmt::format(" {}", slot);
}

TEST_F(GraphBuildTest, FrameStatesHaveTheLocalsThatFrameMapsCallLive) {
  u32 built = 0, states = 0;
  std::map<std::string, u32> refused;
  for_each_started_method([&](Method* method) {
    graph::Built made = graph::build(method);
    if (made.graph == nullptr) {
      ++refused[made.refusal];
      return;
    }
    ++built;
    ASSERT_EQ(graph::verify(*made.graph), "") << method->external_name() << "\n" << graph::print(*made.graph);
    for (const graph::Block* block : made.graph->blocks) {
      for (const graph::Node* node : block->nodes) {
        if (node->state == nullptr) continue;
        ++states;
        LiveReferences found{node->state, {}};
        for_each_live_reference(method, node->state->bci, false, note_missing, &found);
        ASSERT_EQ(found.missing, "") << method->external_name() << " at " << node->state->bci << "\n"
                                     << graph::print(*made.graph);
      }
    }
  });
  EXPECT_GT(built, 2000u);
  EXPECT_GT(states, 5000u);
  for (const auto& [why, count] : refused) {
    EXPECT_TRUE(why == "synchronized" || why == "too large" || count < 20) << why << ": " << count;
  }
}

}  // namespace
}  // namespace keyhole
