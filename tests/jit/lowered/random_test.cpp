// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Of random methods the interpreter and the machine code of their graphs give the same result, also when a guard fails.
// KEYHOLE_RANDOM_METHODS=3000 takes some two minutes.
#include "tests/jit/graph/random_method.h"
#include "tests/jit/lowered/lowered_fixture.h"

namespace keyhole {
namespace {

using testing::first_method;
using testing::Outcome;
using testing::random_methods;
using testing::RandomMethod;
using testing::RandomProgram;
using testing::RandomRuns;

class RandomLoweredTest : public testing::LoweredTest {
 protected:
  static inline u32 called_ = 0, returned_ = 0;
  static void expect(const graph::Graph& graph, RandomRuns& runs, std::span<const Slot> arguments,
                     const Outcome& expected) {
    uptr code = compile(graph);
    ASSERT_NE(code, 0u) << refusal_;
    runs.reset_field();
    ASSERT_EQ(call(code, graph.method(), arguments), expected) << graph::print(graph);
    ++called_;
    if (!has_left_) ++returned_;
  }
};

TEST_F(RandomLoweredTest, CodeDoesWhatTheInterpreterDoes) {
  for (u32 seed = first_method(), end = seed + random_methods(60); seed < end; ++seed) {
    Method* method = make("(IIJ)J", RandomMethod(seed).text());
    ASSERT_NE(method, nullptr);
    RandomRuns runs(seed, method);
    std::vector<Slot> arguments = runs.arguments();
    runs.reset_field();
    Outcome expected = interpret(method, arguments);
    auto graph = build(method);
    expect(*graph, runs, arguments, expected);
    graph::optimise(*graph);
    expect(*graph, runs, arguments, expected);
    if (HasFatalFailure()) return;
    usize guards = guards_of(*graph).size();
    for (u32 i = 0; i < 2 && guards != 0; ++i) {
      auto leaving = build(method);
      graph::optimise(*leaving);
      make_fail(*leaving, runs.below(guards));
      expect(*leaving, runs, arguments, expected);
      if (HasFatalFailure()) return;
    }
  }
  EXPECT_GT(returned_, called_ / 4) << "the others leave";
}

// With calls inlined and calls that stay: guards, locks and exits in inlined frames, collections in callees, returns
// into frames that must be left.
TEST_F(RandomLoweredTest, CodeWithInlinedCallsDoesWhatTheInterpreterDoes) {
  called_ = returned_ = 0;
  u32 views = 0;
  for (u32 seed = first_method(), end = seed + random_methods(60) / 4; seed < end; ++seed) {
    Method* method = RandomProgram(seed).define();
    RandomRuns runs(seed, method);
    for (u32 run = 0; run < 3; ++run) {
      std::vector<Slot> arguments = runs.arguments();
      runs.reset_field();
      Outcome expected;
      {
        testing::ProfilingScope profiling;
        expected = interpret(method, arguments);
      }
      for (bool inlines : {false, true}) {
        graph::Built made = graph::build(method, {.inlines = inlines, .look_at = {}, .has_failed = {}});
        ASSERT_NE(made.graph, nullptr) << made.refusal;
        graph::optimise(*made.graph);
        expect(*made.graph, runs, arguments, expected);
        views += views_in_use_;
        if (HasFatalFailure()) return;
        calls_before_leaving_ = runs.below(4);   // one of its calls returns into it with status 2
        expect(*made.graph, runs, arguments, expected);
        calls_before_leaving_ = ~u64{0};
        if (HasFatalFailure()) return;
        usize guards = guards_of(*made.graph).size();
        if (guards == 0) continue;
        make_fail(*made.graph, runs.below(guards));
        expect(*made.graph, runs, arguments, expected);
        if (HasFatalFailure()) return;
      }
    }
  }
  EXPECT_GT(returned_, called_ / 12) << "the others leave, half of them by a guard that fails";
  EXPECT_GT(views, called_) << "sites in inlined frames";
}

}  // namespace
}  // namespace keyhole
