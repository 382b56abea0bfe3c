// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests random methods: the interpreter, the graph and the optimised graph give the same result, whichever deopt point
// is taken.
#include "jit/graph/pipeline.h"
#include "tests/jit/graph/random_loops.h"
#include "tests/jit/graph/random_method.h"

namespace keyhole {
namespace {

using testing::first_method;
using testing::Outcome;
using testing::random_methods;
using testing::RandomLoops;
using testing::RandomMethod;
using testing::RandomProgram;
using testing::RandomRuns;

class RandomGraphTest : public testing::GraphTest {};

TEST_F(RandomGraphTest, GraphsDoWhatTheInterpreterDoes) {
  u32 returned = 0, executed = 0;
  for (u32 seed = first_method(), end = seed + random_methods(300); seed < end; ++seed) {
    std::string text = RandomMethod(seed, /*has_objects=*/true).text();
    Method* method = make("(IIJ)J", text);
    ASSERT_NE(method, nullptr) << text;
    RandomRuns runs(seed, method);
    for (u32 run = 0; run < 3; ++run) {
      std::vector<Slot> arguments = runs.arguments();
      runs.reset_field();
      Outcome expected = interpret(method, arguments);
      auto graph = build(method);
      for (bool optimised : {false, true}) {
        if (optimised) graph::optimise(*graph);
        ASSERT_EQ(graph::verify(*graph), "") << text << graph::print(*graph);
        runs.reset_field();
        ASSERT_EQ(execute(*graph, arguments), expected) << text << graph::print(*graph);
        ++executed;
        if (last_.exit == nullptr) ++returned;
        u64 exits = last_.deopts_passed;
        for (u32 i = 0; i < 10 && exits != 0; ++i) {
          runs.reset_field();
          ASSERT_EQ(execute(*graph, arguments, runs.below(exits)), expected) << text << graph::print(*graph);
        }
      }
    }
  }
  EXPECT_GT(returned, executed / 3) << "the others leave: a divisor, an index, a path not taken before";
}

// Calls are inlined according to the profiles of the first runs; later runs have other arguments.
TEST_F(RandomGraphTest, GraphsWithInlinedCallsDoWhatTheInterpreterDoes) {
  u32 returned = 0, executed = 0, inlined = 0, left_inside = 0, with_virtual = 0;
  for (u32 seed = first_method(), end = seed + random_methods(200); seed < end; ++seed) {
    Method* method = RandomProgram(seed, /*has_own=*/seed % 2 != 0).define();
    RandomRuns runs(seed, method);
    for (u32 run = 0; run < 6; ++run) {
      std::vector<Slot> arguments = runs.arguments();
      runs.reset_field();
      Outcome expected;
      {
        testing::ProfilingScope profiling;
        expected = interpret(method, arguments);
      }
      if (run % 2 == 0) continue;
      graph::Built made = graph::build(method, {.inlines = true, .look_at = {}, .has_failed = {}});
      ASSERT_NE(made.graph, nullptr) << made.refusal;
      for (const graph::InliningDecision& decision : made.decisions) inlined += decision.is_inlined ? 1 : 0;
      for (bool optimised : {false, true}) {
        if (optimised) graph::optimise(*made.graph);
        if (optimised && find(*made.graph, graph::Op::virtual_object) != nullptr) ++with_virtual;
        ASSERT_EQ(graph::verify(*made.graph), "") << seed << graph::print(*made.graph);
        if (!can_execute(*made.graph)) continue;
        runs.reset_field();
        ASSERT_EQ(execute(*made.graph, arguments), expected) << seed << "\n" << graph::print(*made.graph);
        ++executed;
        if (last_.exit == nullptr) ++returned;
        u64 exits = last_.deopts_passed;
        for (u32 i = 0; i < 10 && exits != 0; ++i) {
          runs.reset_field();
          ASSERT_EQ(execute(*made.graph, arguments, runs.below(exits)), expected) << seed << "\n"
                                                                                  << graph::print(made.decisions);
          if (last_.exit != nullptr && !last_.callers.empty()) ++left_inside;
        }
      }
    }
  }
  EXPECT_GT(executed, 400u);
  EXPECT_GT(returned, executed / 4);
  EXPECT_GT(inlined, 1000u);
  EXPECT_GT(with_virtual, executed / 20);
  EXPECT_GT(left_inside, executed) << "at exits of inlined methods";
}

// For an even seed, the graph uses the profile of the first run; for an odd seed, there is no profile.
TEST_F(RandomGraphTest, GraphsOfLoopsThatCountFarDoWhatTheInterpreterDoes) {
  u32 executed = 0, counted = 0, counted_with_virtual = 0, left = 0;
  for (u32 seed = first_method(), end = seed + random_methods(100); seed < end; ++seed) {
    Method* method = RandomLoops(seed).define();
    RandomRuns runs(seed, method);
    for (u32 run = 0; run < 2; ++run) {
      std::vector<Slot> arguments = runs.arguments();
      runs.reset_field();
      Outcome expected;
      {
        std::optional<testing::ProfilingScope> profiling;
        if (seed % 2 == 0) profiling.emplace();
        expected = interpret(method, arguments);
      }
      graph::Built made = graph::build(method, {.inlines = true, .look_at = {}, .has_failed = {}});
      ASSERT_NE(made.graph, nullptr) << made.refusal;
      graph::optimise(*made.graph);
      ASSERT_EQ(graph::verify(*made.graph), "") << seed << graph::print(*made.graph);
      if (made.graph->has_counted_loops) {
        ++counted;
        if (find(*made.graph, graph::Op::virtual_object) != nullptr) ++counted_with_virtual;
      }
      if (!can_execute(*made.graph)) continue;
      runs.reset_field();
      ASSERT_EQ(execute(*made.graph, arguments), expected) << seed << graph::print(*made.graph);
      ++executed;
      u64 exits = last_.deopts_passed;
      const std::vector<u64> polls = last_.polls_passed;
      // Deoptimizes at any deopt point, at one of the last ones (which follow a loop), or at a poll.
      for (u32 i = 0; i < 8 && exits != 0; ++i) {
        runs.reset_field();
        u64 exit = i % 4 == 0       ? runs.below(exits)
                   : i % 4 == 1     ? exits - 1 - runs.below(std::min<u64>(exits, 8))
                   : !polls.empty() ? polls[runs.below(polls.size())]
                                    : 0;
        ASSERT_EQ(execute(*made.graph, arguments, exit), expected) << seed << graph::print(*made.graph);
        if (last_.exit != nullptr) ++left;
      }
    }
  }
  EXPECT_GT(executed, 100u);
  EXPECT_GT(counted, executed / 4);
  EXPECT_GT(counted_with_virtual, executed / 10);
  EXPECT_GT(left, executed);
  if (testing::is_volume()) fmt::print("{} {} {} {}\n", executed, counted, counted_with_virtual, left);
}

}  // namespace
}  // namespace keyhole
