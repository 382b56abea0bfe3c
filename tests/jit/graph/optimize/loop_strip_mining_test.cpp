// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests counted loops: the places and the frequency of their polls, and execution with each deopt point taken.
#include <fmt/format.h>

#include "tests/jit/graph/graph_fixture.h"
#include "tests/jit/graph/new_objects.h"

namespace keyhole {
namespace {

using graph::Op;

class LoopStripMiningTest : public testing::NewObjectsTest<testing::GraphTest> {
 protected:
  // Makes a method with a loop. The counter i starts at `first` and advances by `step`, until the branch instruction
  // `leaves` is taken, which compares i with `limit`. Each iteration executes sum = sum * 31 + i, and `body`.
  static Method* sum(const char* first, const char* limit, const char* leaves, i32 step, const char* body = "nop") {
    return make("(II)I", fmt::format(R"(
      .locals 4
      {}
      istore_2
      iconst_0
      istore_3
  next:
      iload_2
      {}
      {} done
      iload_3
      bipush 31
      imul
      iload_2
      iadd
      istore_3
      {}
      iinc 2 {}
      goto next
  done:
      iload_3
      iload_2
      ixor
      ireturn
  )",
                                     first, limit, leaves, body, step));
  }
  static u32 polls_in(const graph::Graph& graph) { return count(graph, Op::poll); }
  static u32 headers_in(const graph::Graph& graph) {
    return static_cast<u32>(std::ranges::count(graph.blocks, true, &graph::Block::is_loop_header));
  }
};

TEST_F(LoopStripMiningTest, ThePollIsInTheOuterLoop) {
  struct Case {
    const char* leaves;
    i32 step, first, limit;
  };
  for (auto [leaves, step, first, limit] : {Case{"if_icmpge", 1, 0, 3500},
                                            {"if_icmpgt", 1, -5, 3000},
                                            {"if_icmpge", 3, 7, 10000},
                                            {"if_icmple", -1, 2500, -2},
                                            {"if_icmplt", -2, 5000, 1},
                                            {"if_icmpge", 1, 0, 1000},
                                            {"if_icmpgt", 1, 0, 1000},
                                            {"if_icmpge", 1000, 0, 2'000'000},
                                            {"if_icmpge", 1, 5, 5},
                                            {"if_icmpge", 1, 9, -9}}) {
    Method* method = sum("iload_0", "iload_1", leaves, step);
    std::vector<Slot> arguments{slot_of(first), slot_of(limit)};
    const testing::Outcome expected = interpret(method, arguments);
    auto graph = optimised(method);
    EXPECT_EQ(headers_in(*graph), 2u) << graph::print(*graph);
    EXPECT_EQ(polls_in(*graph), 1u);
    EXPECT_TRUE(graph->has_counted_loops);
    EXPECT_EQ(execute(*graph, arguments), expected) << leaves << " " << step;
    EXPECT_LE(last_.deopts_passed, 4u);
    expect_same_from_each_exit(*graph, arguments, expected);
  }
}

// Deoptimization sees the values that the loop has stored into the object's fields.
TEST_F(LoopStripMiningTest, AVirtualObjectIsThatOfTheHeader) {
  Method* method = make_new("(II)I", R"(
      .locals 4
      make
      astore_2
      iconst_0
      istore_3
  next:
      iload_3
      iload_1
      if_icmpge done
      aload_2
      aload_2
      getfield self.i I
      bipush 31
      imul
      iload_0
      iadd
      putfield self.i I
      iinc 3 1
      goto next
  done:
      aload_2
      getfield self.i I
      ireturn
  )");
  std::vector<Slot> arguments{slot_of(i32{7}), slot_of(i32{3500})};
  const testing::Outcome expected = interpret(method, arguments);
  auto graph = optimised(method);
  EXPECT_EQ(headers_in(*graph), 2u) << graph::print(*graph);
  EXPECT_EQ(count(*graph, Op::virtual_object), 1u);
  EXPECT_EQ(execute(*graph, arguments), expected);
  expect_same_from_each_exit(*graph, arguments, expected);
}

TEST_F(LoopStripMiningTest, AtTheEndsOfTheInts) {
  constexpr i32 most = std::numeric_limits<i32>::max(), least = std::numeric_limits<i32>::min();
  Method* up = sum("iload_0", "iload_1", "if_icmpge", 1);
  std::vector<Slot> to_the_end{slot_of(most - 2500), slot_of(most)};
  EXPECT_EQ(execute(*optimised(up), to_the_end), interpret(up, to_the_end));
  Method* down = sum("iload_0", "iload_1", "if_icmple", -1);
  std::vector<Slot> to_the_beginning{slot_of(least + 2500), slot_of(least)};
  EXPECT_EQ(execute(*optimised(down), to_the_beginning), interpret(down, to_the_beginning));
}

// In the first loop the limit is the largest int. After the largest int the counter overflows, so the loop never ends.
// The second loop counts down past the smallest int. The third loop has a smaller limit, and ends.
TEST_F(LoopStripMiningTest, AStepThatOverflowsIsNotTheLastOne) {
  EXPECT_EQ(polls_in(*optimised(sum("ldc 2147483000", "ldc 2147483647", "if_icmpgt", 1))), 1u);
  EXPECT_EQ(polls_in(*optimised(sum("ldc -2147483000", "ldc -2147483648", "if_icmplt", -1))), 1u);
  EXPECT_EQ(polls_in(*optimised(sum("ldc 2147483000", "ldc 2147483646", "if_icmpgt", 1))), 0u);
}

TEST_F(LoopStripMiningTest, AKnownSmallNumberOfIterationsNeedsNoPoll) {
  Method* method = sum("iconst_0", "sipush 900", "if_icmpge", 1);
  std::vector<Slot> arguments{0, 0};
  const testing::Outcome expected = interpret(method, arguments);
  auto graph = optimised(method);
  EXPECT_EQ(polls_in(*graph), 0u) << graph::print(*graph);
  EXPECT_EQ(headers_in(*graph), 1u);
  EXPECT_EQ(execute(*graph, arguments), expected);
  EXPECT_EQ(polls_in(*optimised(sum("iconst_0", "sipush 1200", "if_icmpge", 1))), 1u);
}

// A loop polls in each iteration if it assigns to its counter, changes its limit, or has a stride that is not constant.
TEST_F(LoopStripMiningTest, OtherLoopsPollEachTime) {
  for (const char* body : {"iload_3\nistore_2", "iinc 1 -1", "iload_2\niload_0\niadd\nistore_2"}) {
    Method* method = sum("iconst_1", "iload_1", "if_icmpge", 1, body);
    std::vector<Slot> arguments{slot_of(i32{2}), slot_of(i32{40})};
    const testing::Outcome expected = interpret(method, arguments);
    auto graph = optimised(method);
    EXPECT_EQ(headers_in(*graph), 1u) << graph::print(*graph);
    EXPECT_EQ(polls_in(*graph), 1u);
    EXPECT_EQ(execute(*graph, arguments), expected);
  }
}

}  // namespace
}  // namespace keyhole
