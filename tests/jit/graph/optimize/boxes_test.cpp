// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Boxes are allocated once, at the point where the object is needed; before that, deoptimization materializes them.
#include "tests/jit/graph/boxing_fixture.h"

namespace keyhole {
namespace {

using graph::Op;

class BoxesTest : public testing::BoxingTest<testing::GraphTest> {
 protected:
  static std::unique_ptr<graph::Graph> optimised(Method* method, std::span<const Slot> arguments) {
    interpret(method, arguments);
    return BoxingTest::optimised(method);
  }
  static u32 count(const graph::Graph& graph, Op op) {
    u32 found = 0;
    for (const graph::Block* block : graph.blocks) {
      for (const graph::Node* node : block->nodes) found += node->op == op ? 1 : 0;
    }
    return found;
  }
  static std::vector<Slot> numbers(i32 a, i32 b) { return {slot_of(a), slot_of(b)}; }
};

TEST_F(BoxesTest, AReadOfABoxIsItsNumber) {
  Method* method = make_boxing("(I)I", "iload_0\nbox\nunbox\nireturn\n");
  std::vector<Slot> arguments{slot_of(i32{5000})};
  auto graph = optimised(method, arguments);
  EXPECT_EQ(count(*graph, Op::box) + count(*graph, Op::virtual_box) + count(*graph, Op::load_field), 0u)
      << graph::print(*graph);
  EXPECT_EQ(execute(*graph, arguments).result, 5000u);
}

TEST_F(BoxesTest, OnlyThePathThatNeedsItAllocatesIt) {
  Method* method = make_boxing("(II)Ljava/lang/Object;", R"(
      .locals 3
      iload_0
      box
      astore_2
      bipush 100
      iload_1
      idiv
      ifeq needs
      aconst_null
      areturn
    needs:
      aload_2
      areturn
  )");
  auto graph = optimised(method, numbers(5000, 200));
  ASSERT_EQ(count(*graph, Op::box), 1u) << graph::print(*graph);
  EXPECT_EQ(count(*graph, Op::virtual_box), 1u);
  EXPECT_EQ(find(*graph, Op::box)->block, find(*graph, Op::return_)->block->dominator->successors[0]);
  graph::Node* guard = find(*graph, Op::guard);
  EXPECT_EQ(guard->state->locals[2], find(*graph, Op::virtual_box)) << graph::print(*graph);
}

TEST_F(BoxesTest, AnEarlierWriteIsNotRepeated) {
  Method* method = make_boxing("(II)Ljava/lang/Object;", R"(
      .locals 3
      iload_0
      box
      astore_2
      iload_1
      ifeq needs
      aconst_null
      areturn
    needs:
      getstatic self.si I
      iconst_1
      iadd
      putstatic self.si I
      aload_2
      areturn
  )");
  interpret(method, numbers(5000, 0));
  auto graph = optimised(method, numbers(5000, 0));
  EXPECT_EQ(count(*graph, Op::virtual_box), 0u) << "no frame state is left to deoptimize with\n"
                                                << graph::print(*graph);
}

TEST_F(BoxesTest, ALoopAllocatesNoSecondObject) {
  Method* method = make_boxing("([Ljava/lang/Object;I)I", R"(
      .locals 4
      iload_1
      box
      astore_2
      iconst_0
      istore_3
    loop:
      aload_0
      iload_3
      aload_2
      aastore
      iinc 3 1
      iload_3
      iconst_2
      if_icmplt loop
      aload_0
      iconst_0
      aaload
      aload_0
      iconst_1
      aaload
      if_acmpne differ
      iconst_1
      ireturn
    differ:
      iconst_0
      ireturn
  )");
  Method* make_array = make("(I)[Ljava/lang/Object;", "iload_0\nanewarray java/lang/Object\nareturn\n");
  std::vector<Slot> length{slot_of(i32{2})};
  std::vector<Slot> arguments{interpret(make_array, length).result, slot_of(i32{5000})};
  auto graph = optimised(method, arguments);
  const graph::Block* block = find(*graph, Op::box)->block;
  EXPECT_LT(block->id, find(*graph, Op::store_element)->block->id) << graph::print(*graph);
  EXPECT_EQ(count(*graph, Op::box), 1u);
  EXPECT_EQ(execute(*graph, arguments).result, 1u);
}

// Two uses of the box need an object: the call on one of the paths, and the comparison after the merge. The call and
// the comparison must get the same object.
TEST_F(BoxesTest, WherePathsMergeThereIsOneObject) {
  Method* method = make_boxing("(II)I", R"(
      .locals 4
      iload_0
      box
      dup
      astore_2
      astore_3
      iload_1
      ifne other
      aload_2
      invokestatic java/util/Objects.requireNonNull (Ljava/lang/Object;)Ljava/lang/Object;
      astore_3
    other:
      aload_2
      aload_3
      if_acmpne differ
      iconst_1
      ireturn
    differ:
      iconst_0
      ireturn
  )");
  for (i32 number : {5, 5000}) {
    for (i32 way : {0, 1}) {
      auto graph = optimised(method, numbers(number, way));
      expect_same_from_each_exit(*graph, numbers(number, way), interpret(method, numbers(number, way)));
    }
  }
}

// For a small number, valueOf returns the same box each time; for a large number, it returns a new box each time.
TEST_F(BoxesTest, ComparedWithOthersABoxIsTheResultOfValueOf) {
  Method* method = make_boxing("(II)I", R"(
      .locals 4
      iload_0
      box
      astore_2
      iload_1
      box
      astore_3
      aload_2
      aload_3
      if_acmpne differ
      iconst_1
      ireturn
    differ:
      iconst_0
      ireturn
  )");
  for (i32 number : {-129, -128, 0, 127, 128, 5000}) {
    for (i32 other : {number, 1}) {
      auto graph = optimised(method, numbers(number, other));
      expect_same_from_each_exit(*graph, numbers(number, other), interpret(method, numbers(number, other)));
    }
  }
}

}  // namespace
}  // namespace keyhole
