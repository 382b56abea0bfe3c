// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests random methods: the interpreter and the machine code of their graphs give the same result, also when a guard
// fails or the code deoptimizes without need. Each method is compiled in every form. If KEYHOLE_RANDOM_METHODS gives a
// number of methods, each is compiled in one form, which depends on its number: 10,000 methods take some minutes.
#include "runtime/threads/safepoint_protocol.h"
#include "tests/jit/graph/random_locks.h"
#include "tests/jit/graph/random_loops.h"
#include "tests/jit/graph/random_method.h"
#include "tests/jit/lowered/lowered_fixture.h"

namespace keyhole {
namespace {

using testing::first_method;
using testing::is_volume;
using testing::Outcome;
using testing::random_methods;
using testing::RandomLocks;
using testing::RandomLoops;
using testing::RandomMethod;
using testing::RandomProgram;
using testing::RandomRuns;

class RandomLoweredTest : public testing::LoweredTest {
 protected:
  // The ways in which a method is tested. `Leaves`: the code deoptimizes at any of the deopt points that it passes.
  enum class Form { Plain, Optimised, GuardFails, Leaves };
  static constexpr u32 forms = 4;
  static bool is_due(Form form, u32 seed) { return !is_volume() || seed % forms == static_cast<u32>(form); }

  // A run of a method, and its expected result.
  struct Run {
    RandomRuns& runs;
    std::vector<Slot> arguments;
    Outcome expected;
  };

  static inline u32 called_ = 0, returned_ = 0, views_ = 0, refused_ = 0;
  static void expect_call(const graph::Graph& graph, uptr code, const Run& run, u32 poll = 0) {
    run.runs.reset_field();
    ASSERT_EQ(call(code, graph.method(), run.arguments, poll), run.expected) << graph::print(graph);
    ++called_;
    if (!has_left_) ++returned_;
    views_ += views_in_use_;
  }
  static void expect(const graph::Graph& graph, const Run& run) {
    uptr code = compile(graph);
    ASSERT_NE(code, 0u) << refusal_;
    expect_call(graph, code, run);
  }
  static void expect_when_a_guard_fails(graph::Graph& graph, const Run& run) {
    usize guards = guards_of(graph).size();
    if (guards == 0) return;
    make_fail(graph, run.runs.below(guards));
    expect(graph, run);
  }
  // Compiles code that counts the deopt points that it passes, and runs it several times. Each run deoptimizes at
  // another one of these deopt points.
  static void expect_from_any_exit(const graph::Graph& graph, const Run& run) {
    constexpr u32 never = 1'000'000'000;
    flags::ExitStressInterval = never;
    uptr code = compile(graph);
    flags::ExitStressInterval = 0;
    ASSERT_NE(code, 0u) << refusal_;
    u32* passed = deopts_passed();
    if (passed == nullptr) return;
    *passed = 0;
    expect_call(graph, code, run);
    u32 exits = *passed;
    std::mt19937 random(exits);
    // Deoptimizes in turn at any deopt point, and at one of the last deopt points, which follow a loop.
    for (u32 i = 0; i < 8 && exits != 0; ++i) {
      *passed = never - (i % 2 == 0 ? 1 + static_cast<u32>(random() % exits)
                                    : exits - static_cast<u32>(random() % std::min(exits, 8u)));
      run.runs.reset_field();
      ASSERT_EQ(call(code, graph.method(), run.arguments), run.expected) << graph::print(graph);
      ASSERT_TRUE(has_left_) << graph::print(graph);
    }
  }
  // One of the code's calls returns with status_deoptimize.
  static void expect_when_left_in_a_call(const graph::Graph& graph, uptr code, const Run& run) {
    calls_before_leaving_ = run.runs.below(4);
    expect_call(graph, code, run);
    calls_before_leaving_ = ~u64{0};
  }

  static void check_method(u32 seed) {
    Method* method = make("(IIJ)J", RandomMethod(seed).text());
    ASSERT_NE(method, nullptr);
    RandomRuns runs(seed, method);
    Run run{runs, runs.arguments(), {}};
    runs.reset_field();
    run.expected = interpret(method, run.arguments);
    auto graph = build(method);
    if (is_due(Form::Plain, seed)) expect(*graph, run);
    graph::optimise(*graph);
    if (is_due(Form::Optimised, seed)) expect(*graph, run);
    if (HasFatalFailure()) return;
    if (is_due(Form::Leaves, seed)) expect_from_any_exit(*graph, run);
    for (u32 i = 0; i < 2 && is_due(Form::GuardFails, seed); ++i) {
      if (HasFatalFailure()) return;
      auto leaving = build(method);
      graph::optimise(*leaving);
      expect_when_a_guard_fails(*leaving, run);
    }
  }

  static void check_program(u32 seed, bool has_own) {
    Method* method = RandomProgram(seed, has_own).define();
    RandomRuns runs(seed, method);
    constexpr u32 runs_of_a_program = 3;
    for (u32 number = 0; number < runs_of_a_program; ++number) {
      Run run{runs, runs.arguments(), {}};
      runs.reset_field();
      {
        testing::ProfilingScope profiling;
        run.expected = interpret(method, run.arguments);
      }
      if (is_volume() && number + 1 != runs_of_a_program) continue;
      if (is_due(Form::Plain, seed)) check_optimised(method, seed, false, run);
      if (HasFatalFailure()) return;
      if (!is_volume() || !is_due(Form::Plain, seed)) check_optimised(method, seed, true, run);
      if (HasFatalFailure()) return;
    }
  }
  static void check_optimised(Method* method, u32 seed, bool inlines, const Run& run) {
    graph::Built made = graph::build(method, {.inlines = inlines, .look_at = {}, .has_failed = {}});
    // An exception may leave a locked region without unlocking, because the method lacks the handler that javac would
    // emit. Then paths with different locks meet, and the graph is refused.
    if (made.refusal == "different locks where paths meet") {
      ++refused_;
      return;
    }
    ASSERT_NE(made.graph, nullptr) << made.refusal;
    graph::optimise(*made.graph);
    if (is_due(Form::Optimised, seed) || is_due(Form::Plain, seed)) {
      uptr code = compile(*made.graph);
      ASSERT_NE(code, 0u) << refusal_;
      expect_call(*made.graph, code, run);
      if (!HasFatalFailure()) expect_when_left_in_a_call(*made.graph, code, run);
    }
    if (!HasFatalFailure() && is_due(Form::Leaves, seed)) expect_from_any_exit(*made.graph, run);
    if (!HasFatalFailure() && is_due(Form::GuardFails, seed)) expect_when_a_guard_fails(*made.graph, run);
  }

  static void check_locks(u32 seed) {
    Method* method = RandomLocks(seed).define();
    RandomRuns runs(seed, method);
    for (u32 number = 0; number < 2; ++number) {
      Run run{runs, runs.arguments(), {}};
      runs.reset_field();
      {
        testing::ProfilingScope profiling;
        run.expected = interpret(method, run.arguments);
      }
      if (is_volume() && number == 0) continue;
      graph::Built made = graph::build(method, {.inlines = true, .look_at = {}, .has_failed = {}});
      ASSERT_NE(made.graph, nullptr) << made.refusal;
      if (find(*made.graph, graph::Op::monitor_enter) == nullptr) continue;
      u32 regions = regions_in(*made.graph);
      graph::optimise(*made.graph);
      eliminated_ += made.graph->eliminated_levels;
      joined_ += regions - made.graph->eliminated_levels - regions_in(*made.graph);
      unrecorded_ += unrecorded_in(*made.graph);
      if (seed % 2 == 0) {
        expect_from_any_exit(*made.graph, run);
      } else {
        std::optional<FullLockStack> full;
        if (seed % 4 == 1 && graph::call_contended_enters(*made.graph)) full.emplace();
        with_fallbacks_ += full ? 1 : 0;
        uptr code = compile(*made.graph);
        ASSERT_NE(code, 0u) << refusal_;
        expect_call(*made.graph, code, run);
        for (calls_before_leaving_ = 0; calls_before_leaving_ < 4 && !HasFatalFailure();) {
          u64 call = calls_before_leaving_;
          expect_call(*made.graph, code, run);
          calls_before_leaving_ = call + 1;
        }
        calls_before_leaving_ = ~u64{0};
      }
      if (HasFatalFailure()) return;
    }
  }
  static u32 regions_in(const graph::Graph& graph) {
    u32 regions = 0;
    for (const graph::Block* block : graph.blocks)
      regions += static_cast<u32>(std::ranges::count(block->nodes, graph::Op::monitor_enter, &graph::Node::op));
    return regions;
  }
  static u32 unrecorded_in(const graph::Graph& graph) {
    u32 found = 0;
    for (const graph::Block* block : graph.blocks)
      found += static_cast<u32>(std::ranges::count(block->nodes, true, &graph::Node::has_no_record));
    return found;
  }
  static inline u32 eliminated_ = 0, joined_ = 0, unrecorded_ = 0, with_fallbacks_ = 0;

  static void check_loops(u32 seed) {
    Method* method = RandomLoops(seed).define();
    RandomRuns runs(seed, method);
    for (u32 number = 0; number < 2; ++number) {
      Run run{runs, runs.arguments(), {}};
      runs.reset_field();
      {
        std::optional<testing::ProfilingScope> profiling;
        if (seed % 8 < 4) profiling.emplace();
        run.expected = interpret(method, run.arguments);
      }
      if (is_volume() && number == 0) continue;
      check_optimised(method, seed, true, run);
      if (HasFatalFailure()) return;
      if (!is_due(Form::Optimised, seed)) continue;
      graph::Built made = graph::build(method, {.inlines = true, .look_at = {}, .has_failed = {}});
      graph::optimise(*made.graph);
      if (made.graph->has_counted_loops) ++counted_;
      if (find(*made.graph, graph::Op::virtual_object) != nullptr) ++with_virtual_;
      uptr code = compile(*made.graph);
      ASSERT_NE(code, 0u) << refusal_;
      expect_call(*made.graph, code, run, SafepointProtocol<HardwareWorld, JavaThread>::safepoint_bit);
      if (HasFatalFailure()) return;
    }
  }
  static inline u32 counted_ = 0, with_virtual_ = 0;
};

TEST_F(RandomLoweredTest, CodeDoesWhatTheInterpreterDoes) {
  called_ = returned_ = 0;
  for (u32 seed = first_method(), end = seed + random_methods(60); seed < end; ++seed) {
    check_method(seed);
    ASSERT_FALSE(HasFatalFailure()) << "method " << seed;
  }
  EXPECT_GT(returned_, called_ / 4) << "the others leave";
}

// Methods with inlined and other calls. Their code has guards, locks and deopt exits in inlined frames; callees cause
// collections, and return into frames that must be deoptimized.
TEST_F(RandomLoweredTest, CodeWithInlinedCallsDoesWhatTheInterpreterDoes) {
  called_ = returned_ = views_ = refused_ = 0;
  u32 programs = random_methods(60) / 4;
  for (u32 seed = first_method(), end = seed + programs; seed < end; ++seed) {
    // Each form of test gets programs with objects that mostly do not escape, and programs without such objects.
    check_program(seed, /*has_own=*/seed % 8 < 4);
    ASSERT_FALSE(HasFatalFailure()) << "program " << seed;
  }
  EXPECT_LE(refused_, programs / 20);
  EXPECT_GT(returned_, called_ / 12) << "the others leave, half of them by a guard that fails";
  EXPECT_GT(views_, called_) << "sites in inlined frames";
}

// The code deoptimizes inside a loop and at its polls, with scalar-replaced objects and eliminated locks.
TEST_F(RandomLoweredTest, CodeOfLoopsThatCountFarDoesWhatTheInterpreterDoes) {
  counted_ = with_virtual_ = 0;
  u32 methods = random_methods(60) / 4;
  for (u32 seed = first_method(), end = seed + methods; seed < end; ++seed) {
    check_loops(seed);
    ASSERT_FALSE(HasFatalFailure()) << "loops " << seed;
  }
  EXPECT_GE(counted_, methods / forms / 4);
  EXPECT_GE(with_virtual_, methods / forms / 8);
}

// Methods with regions that are eliminated and coarsened. They are deoptimized at any deopt point or in a call.
TEST_F(RandomLoweredTest, CodeOfLockedRegionsDoesWhatTheInterpreterDoes) {
  eliminated_ = joined_ = unrecorded_ = with_fallbacks_ = 0;
  u32 methods = random_methods(24);
  for (u32 seed = first_method(), end = seed + methods; seed < end; ++seed) {
    check_locks(seed);
    ASSERT_FALSE(HasFatalFailure()) << "locks " << seed;
  }
  EXPECT_GT(eliminated_, methods / 10);
  EXPECT_GT(joined_, methods / 10);
  EXPECT_GT(unrecorded_, methods / 5);
  EXPECT_GT(with_fallbacks_, methods / 20);
}

// LLVM's passes may leave a phi of references after a call although nothing uses the phi.
TEST_F(RandomLoweredTest, AReferenceThatOnlyADeadPhiMentionsMaySurviveACall) {
  if (!is_volume()) check_program(206'255, /*has_own=*/false);
}

}  // namespace
}  // namespace keyhole
