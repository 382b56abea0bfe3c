// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Of random methods the interpreter, the graph and the optimised graph give the same result, also when the graph leaves
// at any of its exits.
#include "jit/graph/phases.h"
#include "tests/jit/graph/random_method.h"

namespace keyhole {
namespace {

using testing::Outcome;
using testing::RandomMethod;
using testing::RandomRuns;

class RandomGraphTest : public testing::GraphTest {};

TEST_F(RandomGraphTest, GraphsDoWhatTheInterpreterDoes) {
  u32 returned = 0, executed = 0;
  for (u32 seed = 0; seed < 300; ++seed) {
    std::string text = RandomMethod(seed).text();
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
        u64 exits = last_.exits_passed;
        for (u32 i = 0; i < 10 && exits != 0; ++i) {
          runs.reset_field();
          ASSERT_EQ(execute(*graph, arguments, runs.below(exits)), expected) << text << graph::print(*graph);
        }
      }
    }
  }
  EXPECT_GT(returned, executed / 3) << "the others leave: a divisor, an index, a path not taken before";
}

}  // namespace
}  // namespace keyhole
