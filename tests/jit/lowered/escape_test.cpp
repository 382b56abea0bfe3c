// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests machine code with scalar-replaced objects: deoptimization materializes them, while collections move other
// objects.
#include "runtime/base/flags.h"
#include "tests/jit/graph/new_objects.h"
#include "tests/jit/lowered/lowered_fixture.h"

namespace keyhole {
namespace {

using graph::Op;
using testing::Outcome;

class LoweredEscapeTest : public testing::NewObjectsTest<testing::LoweredTest> {
 protected:
  // Runs a method's compiled code once as it is, and once for each guard, with a failure of this guard. Each run must
  // have the outcome of the interpreter.
  static void expect_same(const char* descriptor, std::string_view text) {
    Method* method = make_new(descriptor, text);
    for (std::vector<Slot> arguments : arguments_for_all())
      interpret(method, arguments);  // all instructions are resolved
    for (std::vector<Slot> arguments : arguments_for_all()) {
      Outcome expected = interpret(method, arguments);
      auto graph = optimised(method);
      EXPECT_GE(count(*graph, Op::virtual_object), 1u) << graph::print(*graph);
      EXPECT_EQ(count(*graph, Op::new_instance) + count(*graph, Op::new_array), 0u) << graph::print(*graph);
      EXPECT_EQ(call(compile(*graph), method, arguments), expected) << graph::print(*graph);
      u32 left = 0;
      for (usize guard = 0; guard < guards_of(*graph).size(); ++guard) {
        auto failing = optimised(method);
        make_fail(*failing, guard);
        EXPECT_EQ(call(compile(*failing), method, arguments), expected) << "guard " << guard << "\n"
                                                                        << graph::print(*failing);
        left += has_left_ ? 1 : 0;
      }
      EXPECT_GE(left, 1u);
    }
  }
};

TEST_F(LoweredEscapeTest, FieldsOfAllTypes) { expect_same("(II)J", fields_of_all_types); }
TEST_F(LoweredEscapeTest, ObjectsThatNameEachOther) { expect_same("(II)I", cycle); }
TEST_F(LoweredEscapeTest, FieldsThatArePhis) { expect_same("(II)I", merge); }
TEST_F(LoweredEscapeTest, FieldsThatALoopStoresTo) { expect_same("(II)I", loop); }
TEST_F(LoweredEscapeTest, OneInEachIteration) { expect_same("(II)I", one_in_each_iteration); }
TEST_F(LoweredEscapeTest, SmallArrays) { expect_same("(II)I", arrays); }
TEST_F(LoweredEscapeTest, MonitorsThatAreHeld) { expect_same("(II)I", locked); }
TEST_F(LoweredEscapeTest, MonitorsInAnotherOne) { expect_same("(II)I", locked_inside); }
TEST_F(LoweredEscapeTest, ABoxInAField) { expect_same("(II)I", box_in_array); }

// The callees cause collections. Each callee returns into a frame that is then deoptimized.
TEST_F(LoweredEscapeTest, WhatIsAliveInCallsIsMadeBehindThem) {
  Method* method = make_new("(II)I", across_calls);
  for (std::vector<Slot> arguments : arguments_for_all()) interpret(method, arguments);
  auto graph = optimised(method);
  EXPECT_EQ(count(*graph, Op::virtual_object), 1u) << graph::print(*graph);
  u64 calls = count(*graph, Op::call);
  ASSERT_GE(calls, 2u) << graph::print(*graph);
  uptr code = compile(*graph);
  ASSERT_NE(code, 0u) << refusal_;
  for (u64 leaving = 0; leaving <= calls; ++leaving) {
    for (std::vector<Slot> arguments : arguments_for_all()) {
      Outcome expected = interpret(method, arguments);
      calls_before_leaving_ = leaving;
      EXPECT_EQ(call(code, method, arguments), expected) << "left at call " << leaving << graph::print(*graph);
      calls_before_leaving_ = ~u64{0};
    }
  }
}

// E6 of escape_analysis.cpp: the interpreter's handler needs the array among the operands, so all objects of the frame
// state are materialized.
TEST_F(LoweredEscapeTest, AStepThatRaisesGetsItsArray) {
  Method* method = make_new("(II)I", R"(
      .locals 3
      iconst_1
      newarray int
      astore_2
    from:
      bipush 100
      iload_1
      idiv
      pop
      iconst_2
      newarray char
      iconst_2
      caload
    to:
      ireturn
    handler:
      pop
      aload_2
      iconst_0
      iaload
      ireturn
      .catch java/lang/ArithmeticException from to handler
  )");
  // Executes the handler, so that the graph contains it.
  interpret(method, std::vector<Slot>{slot_of(i32{1}), slot_of(i32{0})});
  std::vector<Slot> arguments{slot_of(i32{1}), slot_of(i32{5})};
  Outcome expected = interpret(method, arguments);
  ASSERT_NE(expected.exception, "");
  std::unique_ptr<graph::Graph> graph = graph::build(method, {.inlines = false}).graph;
  graph::optimise(*graph);
  EXPECT_EQ(count(*graph, Op::virtual_object), 0u) << graph::print(*graph);
  EXPECT_EQ(count(*graph, Op::new_array), 2u) << graph::print(*graph);
  EXPECT_EQ(call(compile(*graph), method, arguments), expected) << graph::print(*graph);
}

// R3 of rematerialization.cpp: the handler does not run, because an array that it needs cannot be allocated.
TEST_F(LoweredEscapeTest, WithoutMemoryTheActivationsEnd) {
  Method* method = make_new("(II)I", R"(
      .locals 3
      iconst_2
      newarray int
      astore_2
    from:
      bipush 100
      iload_1
      idiv
    to:
      ireturn
    handler:
      pop
      aload_2
      iconst_0
      iaload
      ireturn
      .catch any from to handler
  )");
  std::vector<Slot> fine{slot_of(i32{1}), slot_of(i32{5})}, fails{slot_of(i32{1}), slot_of(i32{0})};
  for (auto& arguments : {fine, fails}) interpret(method, arguments);
  auto graph = optimised(method);
  uptr code = compile(*graph);
  ASSERT_EQ(count(*graph, Op::virtual_object), 1u) << graph::print(*graph);
  EXPECT_EQ(call(code, method, fails), (Outcome{0, {}})) << "the handler reads the array";
  has_no_memory_ = true;
  EXPECT_EQ(call(code, method, fails), (Outcome{0, "java/lang/OutOfMemoryError"}));
  has_no_memory_ = false;
}

}  // namespace
}  // namespace keyhole
