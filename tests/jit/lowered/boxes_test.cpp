// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests machine code with boxes that it does not allocate: deoptimization materializes them.
#include "tests/jit/graph/boxing_fixture.h"
#include "tests/jit/lowered/lowered_fixture.h"

namespace keyhole {
namespace {

using graph::Op;
using testing::Outcome;

class LoweredBoxesTest : public testing::BoxingTest<testing::LoweredTest> {
 protected:
  // Runs a method's compiled code once as it is, and once for each guard, with a failure of this guard. Each run must
  // have the outcome of the interpreter. `virtual_boxes` is the expected number of boxes in frame states.
  static void expect_same(Method* method, std::vector<Slot> arguments, u32 virtual_boxes) {
    Outcome expected = interpret(method, arguments);
    auto graph = optimised(method);
    u32 found = 0;
    for (const graph::Block* block : graph->blocks) {
      for (const graph::Node* node : block->nodes) found += node->op == Op::virtual_box;
    }
    EXPECT_EQ(found, virtual_boxes) << graph::print(*graph);
    EXPECT_EQ(call(compile(*graph), method, arguments), expected) << graph::print(*graph);
    EXPECT_FALSE(has_left_) << graph::print(*graph);
    for (usize guard = 0; guard < guards_of(*graph).size(); ++guard) {
      auto failing = optimised(method);
      make_fail(*failing, guard);
      EXPECT_EQ(call(compile(*failing), method, arguments), expected) << "guard " << guard << "\n"
                                                                      << graph::print(*failing);
      EXPECT_TRUE(has_left_);
    }
  }
};

// Several slots hold one object, which is the box of the number.
constexpr const char* one_in_two_slots = R"(
      .locals 4
      iload_0
      box
      dup
      astore_2
      astore_3
      sipush 1000
      iload_1
      idiv
      aload_2
      aload_3
      if_acmpne differ
      aload_2
      unbox
      iadd
      ireturn
    differ:
      pop
      iconst_m1
      ireturn
  )";

TEST_F(LoweredBoxesTest, WhoLeavesMakesOneObject) {
  Method* method = make_boxing("(II)I", one_in_two_slots);
  for (i32 number : {-129, -128, 5, 127, 128, 5000}) {
    std::vector<Slot> arguments{slot_of(number), slot_of(i32{7})};
    EXPECT_EQ(interpret(method, arguments).result, static_cast<u32>(number + 142));
    expect_same(method, arguments, 1);
  }
}

// The callee's local and the caller's operand are the same object.
TEST_F(LoweredBoxesTest, FramesOfInlinedMethodsShareIt) {
  std::string name = "BoxesInFrames";
  testing::ClassBuilder builder(name, "java/lang/Object", 49);
  constexpr const char* box = "invokestatic java/lang/Integer.valueOf (I)Ljava/lang/Integer;";
  constexpr const char* object = "(Ljava/lang/Object;I)Ljava/lang/Object;";
  builder.method(access::Public | access::Static, "keep", object,
                 ".locals 2\nbipush 100\niload_1\nidiv\npop\naload_0\nareturn\n");
  builder.method(access::Public | access::Static, "run", "(II)I",
                 fmt::format(".locals 3\niload_0\n{}\ndup\nastore_2\niload_1\ninvokestatic {}.keep {}\naload_2\n"
                             "if_acmpne differ\niconst_1\nireturn\ndiffer:\niconst_0\nireturn\n",
                             box, name, object));
  Method* method = testing::define(builder)->find_declared_method(Symbol::intern("run"), Symbol::intern("(II)I"));
  for (i32 number : {5, 5000}) {
    std::vector<Slot> arguments{slot_of(number), slot_of(i32{7})};
    EXPECT_EQ(interpret(method, arguments).result, 1u);
    expect_same(method, arguments, 1);
    EXPECT_GE(views_in_use_, 1u);
  }
}

// Two boxes of the same large number are two objects.
TEST_F(LoweredBoxesTest, EachBoxIsAnObject) {
  Method* method = make_boxing("(II)I", R"(
      .locals 4
      iload_0
      box
      astore_2
      iload_0
      box
      astore_3
      sipush 1000
      iload_1
      idiv
      pop
      aload_2
      aload_3
      if_acmpeq same
      aload_2
      unbox
      ireturn
    same:
      aload_3
      unbox
      ineg
      ireturn
  )");
  for (i32 number : {5, 5000}) {
    std::vector<Slot> arguments{slot_of(number), slot_of(i32{7})};
    EXPECT_EQ(interpret(method, arguments).result, static_cast<u32>(number == 5 ? -5 : 5000));
    expect_same(method, arguments, 0);  // the boxes are compared with each other
  }
}

// A box is compared with an element of an array, which may be the cached box of a small number.
TEST_F(LoweredBoxesTest, ABoxOfTheCacheIsFoundElsewhere) {
  Method* fill = make_boxing("(I)[Ljava/lang/Object;",
                             "iconst_1\nanewarray java/lang/Object\ndup\niconst_0\niload_0\nbox\naastore\nareturn\n");
  Method* method = make_boxing("(I[Ljava/lang/Object;)I", R"(
      .locals 3
      iload_0
      box
      astore_2
      aload_1
      iconst_0
      aaload
      aload_2
      if_acmpeq same
      iconst_0
      ireturn
    same:
      iconst_1
      ireturn
  )");
  for (i32 number : {-129, -128, 5, 127, 128}) {
    for (i32 there : {number, 6}) {
      std::vector<Slot> filling{slot_of(there)};
      std::vector<Slot> arguments{slot_of(number), interpret(fill, filling).result};
      bool is_small = number >= -128 && number <= 127;
      EXPECT_EQ(interpret(method, arguments).result, is_small && there == number ? 1u : 0u);
      expect_same(method, arguments, 1);
    }
  }
}

}  // namespace
}  // namespace keyhole
