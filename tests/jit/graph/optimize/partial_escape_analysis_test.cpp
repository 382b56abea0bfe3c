// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests partial escape analysis: an object that escapes on some paths only is allocated on those paths only.
#include "tests/jit/graph/new_objects.h"

namespace keyhole {
namespace {

using graph::Op;

class PartialEscapeAnalysisTest : public testing::NewObjectsTest<testing::GraphTest> {
 protected:
  // Optimises and executes a method of two ints. When `text` begins, local 2 holds a new object, whose field i has the
  // value of the first argument. `text` lets the object escape by storing it in the static field `self.seen`, and may
  // use local 3 for an int.
  static std::unique_ptr<graph::Graph> optimised_and_executed(std::string_view text) {
    Method* method = make_new("(II)I", std::string(begin_) + std::string(text));
    std::unique_ptr<graph::Graph> graph;
    std::vector<std::vector<Slot>> all;  // arguments for every path; the last pair divides by 0
    for (auto [first, second] : {std::pair{300, 7}, std::pair{-3, 1}, std::pair{5, 3}, std::pair{6, 0}})
      all.push_back({slot_of(i32{first}), slot_of(i32{second})});
    for (std::vector<Slot> arguments : all) interpret(method, arguments);
    for (std::vector<Slot> arguments : all) {
      testing::Outcome expected = interpret(method, arguments);
      graph = optimised(method);
      expect_same_from_each_exit(*graph, arguments, expected);
    }
    return graph;
  }
  static u32 made(const graph::Graph& graph) { return count(graph, Op::new_instance); }

  static constexpr const char* begin_ = R"(
      .locals 4
      make
      astore_2
      aload_2
      iload_0
      putfield self.i I
  )";
  // In this code the object escapes after a division, which has a frame state.
  static constexpr const char* needed_ = R"(
      bipush 100
      iload_1
      idiv
      istore_3
      aload_2
      putstatic self.seen Lself;
  )";
  static std::string with_needed(std::string_view text) {
    return testing::replaced(std::string(text), "needed", needed_);
  }
};

TEST_F(PartialEscapeAnalysisTest, OnlyThePathThatNeedsItAllocatesIt) {
  auto graph = optimised_and_executed(with_needed(R"(
      iload_0
      iflt past
      needed
      iload_3
      ireturn
    past:
      aload_2
      getfield self.i I
      ireturn
  )"));
  ASSERT_EQ(made(*graph), 1u) << graph::print(*graph);
  const graph::Node* object = find(*graph, Op::new_instance);
  EXPECT_NE(object->block->dominator, nullptr);
  EXPECT_EQ(find(*graph, Op::branch)->block, object->block->dominator) << graph::print(*graph);
}

// If the exception object were not allocated before the trap, the code would have to deoptimize, and could not pass the
// exception on (escape_analysis.cpp E7).
TEST_F(PartialEscapeAnalysisTest, AThrownObjectIsAllocatedBeforeTheUncommonTrap) {
  Method* method = make_new("(II)I", std::string(begin_) + R"(
      iload_0
      bipush 77
      if_icmpne past
      aload_2
      athrow
    past:
      aload_2
      getfield self.i I
      ireturn
  )");
  interpret(method, std::vector{slot_of(i32{300}), slot_of(i32{7})});  // resolves all instructions
  auto graph = optimised(method);
  ASSERT_EQ(made(*graph), 1u) << graph::print(*graph);
  const graph::Node *object = find(*graph, Op::new_instance), *exit = find(*graph, Op::uncommon_trap);
  ASSERT_NE(exit, nullptr) << graph::print(*graph);
  EXPECT_EQ(object->block, exit->block) << graph::print(*graph);
  EXPECT_EQ(exit->state->operands.back(), object) << graph::print(*graph);
}

// The copy has the fields that were stored before the escape. Later stores go to the copy.
TEST_F(PartialEscapeAnalysisTest, LaterUsesNameTheCopy) {
  auto graph = optimised_and_executed(with_needed(R"(
      iload_0
      iflt past
      needed
      aload_2
      iload_3
      putfield self.i I
      getstatic self.seen Lself;
      getfield self.i I
      aload_2
      getfield self.i I
      iadd
      ireturn
    past:
      iload_0
      ireturn
  )"));
  ASSERT_EQ(made(*graph), 1u) << graph::print(*graph);
  EXPECT_NE(find(*graph, Op::new_instance)->block->dominator->end()->op, Op::jump) << graph::print(*graph);
}

TEST_F(PartialEscapeAnalysisTest, EachOfTwoPathsAllocatesItsOwn) {
  auto graph = optimised_and_executed(with_needed(R"(
      iload_0
      iflt past
      iload_1
      iconst_3
      if_icmpgt second
      needed
      iload_3
      ireturn
    second:
      needed
      iload_3
      iconst_1
      iadd
      ireturn
    past:
      iload_0
      ireturn
  )"));
  EXPECT_EQ(made(*graph), 2u) << graph::print(*graph);
}

// P1: the comparison after the merge would get the object on one path and its copy on the other path. So the object is
// allocated before the branch.
TEST_F(PartialEscapeAnalysisTest, WherePathsMergeTheObjectIsOne) {
  auto graph = optimised_and_executed(with_needed(R"(
      iload_0
      iflt past
      needed
    past:
      aload_2
      getstatic self.seen Lself;
      if_acmpeq same
      iload_0
      ireturn
    same:
      iload_1
      ireturn
  )"));
  ASSERT_EQ(made(*graph), 1u) << graph::print(*graph);
  EXPECT_TRUE(find(*graph, Op::new_instance)->block->dominates(find(*graph, Op::branch)->block))
      << graph::print(*graph);
}

// P1: a use in a loop would allocate another copy in each iteration. So the object is allocated before the loop.
TEST_F(PartialEscapeAnalysisTest, ALoopThatNeedsItAllocatesItBefore) {
  auto graph = optimised_and_executed(with_needed(R"(
      iconst_0
      istore_3
    again:
      aload_2
      getfield self.i I
      iload_1
      if_icmpge done
      needed
      aload_2
      dup
      getfield self.i I
      iconst_1
      iadd
      putfield self.i I
      goto again
    done:
      iload_3
      ireturn
  )"));
  ASSERT_EQ(made(*graph), 1u) << graph::print(*graph);
  for (const graph::Block* block : graph->blocks) {
    if (block->is_loop_header) {
      EXPECT_FALSE(block->dominates(find(*graph, Op::new_instance)->block)) << graph::print(*graph);
    }
  }
}

// partial_escape_analysis.cpp P3
TEST_F(PartialEscapeAnalysisTest, AnObjectThatAllPathsNeedIsAllocatedAtOnce) {
  auto graph = optimised_and_executed(with_needed(R"(
      iload_0
      iflt past
      needed
      iload_3
      ireturn
    past:
      needed
      iload_0
      ireturn
  )"));
  ASSERT_EQ(made(*graph), 1u) << graph::print(*graph);
}

// P4: no copy of the object is allocated at the use where the object escapes, because the object's monitor is entered.
TEST_F(PartialEscapeAnalysisTest, AMonitorNeedsTheObject) {
  auto graph = optimised_and_executed(with_needed(R"(
      aload_2
      monitorenter
      iload_0
      iflt past
      needed
      aload_2
      monitorexit
      iload_3
      ireturn
    past:
      aload_2
      monitorexit
      iload_0
      ireturn
  )"));
  ASSERT_EQ(made(*graph), 1u) << graph::print(*graph);
  EXPECT_TRUE(find(*graph, Op::new_instance)->block->dominates(find(*graph, Op::branch)->block))
      << graph::print(*graph);
}

// If there were no memory for the copy, the handler would catch the error, and could use the object.
TEST_F(PartialEscapeAnalysisTest, WhereExhaustionIsCaughtItIsAllocatedBefore) {
  for (bool catches_all : {false, true}) {
    std::string text = with_needed(R"(
      iload_0
      iflt past
    from:
      needed
    to:
      iload_3
      ireturn
    handler:
      pop
      aload_2
      getfield self.i I
      ireturn
    past:
      iload_0
      ireturn
      .catch CAUGHT from to handler
    )");
    auto graph = optimised_and_executed(
        testing::replaced(std::move(text), "CAUGHT", catches_all ? "any" : "java/lang/RuntimeException"));
    ASSERT_EQ(made(*graph), 1u) << graph::print(*graph);
    bool is_before = find(*graph, Op::new_instance)->block->dominates(find(*graph, Op::branch)->block);
    EXPECT_EQ(is_before, catches_all) << graph::print(*graph);
  }
}

}  // namespace
}  // namespace keyhole
