// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests scalar replacement of objects that do not escape, and their materialization by deoptimization.
#include "tests/jit/graph/new_objects.h"

namespace keyhole {
namespace {

using graph::Op;

class EscapeAnalysisTest : public testing::NewObjectsTest<testing::GraphTest> {
 protected:
  // Makes a method. Executes its graph once for each deopt point, and deoptimizes there. Expects `virtual_objects`
  // objects in the graph's frame states, and `made` allocations.
  static void expect_objects(const char* descriptor, std::string_view text, u32 virtual_objects, u32 made) {
    Method* method = make_new(descriptor, text);
    for (std::vector<Slot> arguments : arguments_for_all()) interpret(method, arguments);  // resolves all instructions
    for (std::vector<Slot> arguments : arguments_for_all()) {
      testing::Outcome expected = interpret(method, arguments);
      auto graph = optimised(method);
      EXPECT_EQ(count(*graph, Op::virtual_object), virtual_objects) << graph::print(*graph);
      EXPECT_EQ(count(*graph, Op::new_instance) + count(*graph, Op::new_array), made) << graph::print(*graph);
      expect_same_from_each_exit(*graph, arguments, expected);
    }
  }
};

TEST_F(EscapeAnalysisTest, FieldsAreValues) { expect_objects("(II)J", fields_of_all_types, 1, 0); }

TEST_F(EscapeAnalysisTest, WithoutAFrameStateThatNamesItNothingRemains) {
  expect_objects("(II)I", R"(
      .locals 3
      make
      astore_2
      aload_2
      iload_0
      putfield self.i I
      aload_2
      getfield self.i I
      ireturn
  )",
                 0, 0);
}

TEST_F(EscapeAnalysisTest, ObjectsMayNameEachOther) { expect_objects("(II)I", cycle, 2, 0); }

TEST_F(EscapeAnalysisTest, WherePathsMergeAFieldIsAPhi) { expect_objects("(II)I", merge, 1, 0); }

TEST_F(EscapeAnalysisTest, ALoopStoresToAField) { expect_objects("(II)I", loop, 1, 0); }

TEST_F(EscapeAnalysisTest, EachIterationHasItsOwn) { expect_objects("(II)I", one_in_each_iteration, 1, 0); }

TEST_F(EscapeAnalysisTest, ElementsOfSmallArraysAreValues) { expect_objects("(II)I", arrays, 3, 0); }

TEST_F(EscapeAnalysisTest, AVirtualBoxIsInAField) { expect_objects("(II)I", box_in_array, 1, 0); }

TEST_F(EscapeAnalysisTest, ItsMonitorIsNotEntered) {
  expect_objects("(II)I", locked, 1, 0);
  Method* method = make_new("(II)I", locked);
  for (std::vector<Slot> arguments : arguments_for_all()) interpret(method, arguments);
  EXPECT_EQ(count(*optimised(method), Op::monitor_enter) + count(*optimised(method), Op::monitor_exit), 0u);
  flags::EliminateLocks = false;
  EXPECT_EQ(count(*optimised(method), Op::monitor_enter), 1u);  // one enter stays; the nested one is eliminated
  flags::EliminateLocks = true;
}

TEST_F(EscapeAnalysisTest, InsideAnotherMonitorItIsNotEnteredEither) { expect_objects("(II)I", locked_inside, 1, 0); }

// Lock records form a stack. If another monitor is entered while the object is locked, the object needs a lock record
// below that of the other monitor, so the object escapes.
TEST_F(EscapeAnalysisTest, AnotherMonitorInsideLetsItEscape) {
  expect_objects("(II)I", R"(
      .locals 4
      make
      astore_2
      aload_2
      monitorenter
      ldc "everybody's"
      monitorenter
      bipush 100
      iload_1
      idiv
      istore_3
      ldc "everybody's"
      monitorexit
      aload_2
      monitorexit
      iload_3
      ireturn
  )",
                 0, 1);
}

// One of the calls is an inlined toString, which creates a string from an array.
TEST_F(EscapeAnalysisTest, FrameStatesOfCallsDoNotLetItEscape) {
  expect_objects("(II)I", across_calls, 1, 3);
  Method* method = make_new("(II)I", across_calls);
  for (std::vector<Slot> arguments : arguments_for_all()) interpret(method, arguments);
  auto graph = optimised(method);
  u32 of_its_class = 0, calls_with_object = 0;
  for (const graph::Block* block : graph->blocks) {
    for (const graph::Node* node : block->nodes) {
      of_its_class += node->op == Op::new_instance && node->allocation.klass_id == method->holder->id ? 1 : 0;
      calls_with_object += node->op == Op::call && node->state->objects.size() == 1 ? 1 : 0;
    }
  }
  EXPECT_EQ(of_its_class, 1u) << graph::print(*graph);
  EXPECT_GE(calls_with_object, 2u) << graph::print(*graph);
}

// The object escapes: the handler would catch an OutOfMemoryError of the call, and could then use the object
// (escape_analysis.cpp E4).
TEST_F(EscapeAnalysisTest, ACallWhoseErrorsAreCaughtLetsItEscape) {
  for (bool catches_all : {false, true}) {
    std::string text = R"(
      .locals 3
      make
      astore_2
      aload_2
      iload_0
      putfield self.i I
    from:
      invokestatic java/lang/System.nanoTime ()J
      pop2
    to:
      aload_2
      getfield self.i I
      ireturn
    handler:
      pop
      aload_2
      getfield self.i I
      ireturn
      .catch CAUGHT from to handler
  )";
    text = testing::replaced(std::move(text), "CAUGHT", catches_all ? "any" : "java/lang/RuntimeException");
    expect_objects("(II)I", text, catches_all ? 0 : 1, catches_all ? 1 : 0);
  }
}

TEST_F(EscapeAnalysisTest, AnUnknownIndexLetsTheArrayEscape) {
  expect_objects("(II)I", R"(
      iconst_3
      newarray int
      iload_0
      iconst_1
      iand
      iaload
      ireturn
  )",
                 0, 1);
}

TEST_F(EscapeAnalysisTest, AReturnedObjectIsAllocatedWithItsFields) {
  expect_objects("(II)Ljava/lang/Object;", R"(
      .locals 4
      make
      astore_2
      make
      astore_3
      aload_2
      aload_3
      putfield self.next Lself;
      iload_0
      bipush 77
      if_icmpeq gives
      aconst_null
      areturn
    gives:
      aload_2
      areturn
  )",
                 0, 2);
}

TEST_F(EscapeAnalysisTest, ObjectsThatMergeAreAllocated) {
  expect_objects("(II)I", R"(
      .locals 3
      iload_1
      ifeq other
      make
      astore_2
      goto behind
    other:
      make
      astore_2
    behind:
      aload_2
      iload_0
      putfield self.i I
      aload_2
      getfield self.i I
      ireturn
  )",
                 0, 2);
}

TEST_F(EscapeAnalysisTest, FlagsTurnItOff) {
  Method* method = make_new("(II)J", fields_of_all_types);
  std::vector<Slot> arguments = arguments_for_all()[0];
  interpret(method, arguments);
  for (bool* flag : {&flags::DoEscapeAnalysis, &flags::EliminateAllocations}) {
    *flag = false;
    EXPECT_EQ(count(*optimised(method), Op::new_instance), 1u);
    *flag = true;
  }
}

}  // namespace
}  // namespace keyhole
