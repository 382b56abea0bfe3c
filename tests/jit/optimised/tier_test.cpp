// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests that a task becomes installed code, and the later states of that code.
#include "jit/optimised/tier.h"

#include "jit/code/method_codes.h"
#include "tests/jit/optimised/optimised_fixture.h"

namespace keyhole {
namespace {

using testing::OptimisedTest;
using Baseline = interpreter::Compiler::Outcome;

constexpr const char* descriptor = "(II)I";
constexpr const char* multiply_and_add = "iload_0\n iload_1\n imul\n iload_1\n iadd\n ireturn";

TEST_F(OptimisedTest, CodeIsInstalledAndCalled) {
  Method* method = compiled(descriptor, multiply_and_add);
  const CompiledCode* baseline = newest(method);
  ASSERT_EQ(optimise(method), Outcome::Installed);
  const CompiledCode* code = newest(method);
  EXPECT_EQ(code->level, 4);
  EXPECT_EQ(previous_of(code), baseline);
  EXPECT_FALSE(baseline->is_retired());
  EXPECT_EQ(reinterpret_cast<uptr>(method->entry_from_code.load()), code->entry);
  EXPECT_EQ(static_cast<i32>(call(method, {6, 7})), 49);
}

TEST_F(OptimisedTest, CodeComputesAsJavaDoes) {
  Method* method = compiled(descriptor, "iload_0\n iload_1\n idiv\n ireturn");
  ASSERT_EQ(optimise(method), Outcome::Installed);
  EXPECT_EQ(static_cast<i32>(call(method, {0x8000'0000, 0xFFFF'FFFF})), INT32_MIN);
  EXPECT_EQ(static_cast<i32>(call(method, {21, 3})), 7);
}

// Interpreter, baseline code and optimised code each call a method in each of these three tiers.
TEST_F(OptimisedTest, CodeCallsAndIsCalled) {
  Method* leaf = make(descriptor, multiply_and_add);
  flags::Inline = false;
  const char* calls = "iload_0\n iload_1\n invokestatic Loose.run (II)I\n iload_0\n iadd\n ireturn";
  for (i32 tier = 0; tier < 3; ++tier) {
    Method* middle = make(descriptor, calls, leaf);
    Method* outer = compiled(descriptor, calls, middle);
    ASSERT_EQ(optimise(outer), Outcome::Installed);
    EXPECT_GT(newest(outer)->sites.count, 0u);
    EXPECT_EQ(static_cast<i32>(call(outer, {5, 6})), 46);  // `middle` is interpreted
    EXPECT_EQ(interpreter::compiler()->compile(thread_, middle, false), Baseline::Installed);
    EXPECT_EQ(static_cast<i32>(call(outer, {5, 6})), 46);
    ASSERT_EQ(optimise(middle), Outcome::Installed);
    EXPECT_EQ(static_cast<i32>(call(outer, {5, 6})), 46);
    if (tier == 0) EXPECT_EQ(interpreter::compiler()->compile(thread_, leaf, false), Baseline::Installed);
    if (tier == 1) ASSERT_EQ(optimise(leaf), Outcome::Installed);
  }
  flags::Inline = true;
}

TEST_F(OptimisedTest, CodeOfBaselineGoesBehindIt) {
  Method* method = compiled(descriptor, multiply_and_add);
  ASSERT_EQ(optimise(method), Outcome::Installed);
  const CompiledCode *code = newest(method), *old = previous_of(code);
  EXPECT_EQ(interpreter::compiler()->recompile(thread_, method), Baseline::Installed);
  EXPECT_EQ(newest(method), code);
  EXPECT_NE(previous_of(code), old);
  EXPECT_EQ(previous_of(code)->level, 1);
  EXPECT_TRUE(old->is_retired());
  EXPECT_EQ(reinterpret_cast<uptr>(method->entry_from_code.load()), code->entry);
  EXPECT_EQ(newest_of_baseline(method->body.load()), previous_of(code));
}

TEST_F(OptimisedTest, AnotherVersionReplacesTheFirst) {
  Method* method = compiled(descriptor, multiply_and_add);
  ASSERT_EQ(optimise(method), Outcome::Installed);
  const CompiledCode* first = newest(method);
  ASSERT_EQ(optimise(method), Outcome::Installed);
  EXPECT_EQ(first->retired.load(), Retired::Replaced);
  EXPECT_EQ(newest_in_use(method->body.load()), newest(method));
  EXPECT_NE(newest(method), first);
  EXPECT_EQ(static_cast<i32>(call(method, {2, 3})), 9);
}

TEST_F(OptimisedTest, RetiredCodeGivesWayToBaseline) {
  Method* method = compiled(descriptor, multiply_and_add);
  ASSERT_EQ(optimise(method), Outcome::Installed);
  {
    MutexLock guard(compiler_lock);
    method_codes::retire(newest(method), Retired::Unused);
  }
  EXPECT_EQ(reinterpret_cast<uptr>(method->entry_from_code.load()), newest_of_baseline(method->body.load())->entry);
  EXPECT_EQ(static_cast<i32>(call(method, {2, 3})), 9);
}

TEST_F(OptimisedTest, CodeOfADeadMethodIsFreedAndItsRoomUsedAgain) {
  Method* first = compiled(descriptor, multiply_and_add);
  ASSERT_EQ(optimise(first), Outcome::Installed);
  u32 begin = newest(first)->begin;
  usize before = free_bytes(), bytes = newest(first)->code_bytes + previous_of(newest(first))->code_bytes;
  run_at_safepoint([&] { interpreter::compiler()->release(first); });
  EXPECT_GE(free_bytes(), before + bytes);
  // The plug-in frees its data about freed code when it compiles another method. That method's code may have the same
  // address as the freed code.
  for (i32 i = 0; i < 4; ++i) {
    Method* next = compiled(descriptor, multiply_and_add);
    ASSERT_EQ(optimise(next), Outcome::Installed);
    EXPECT_EQ(static_cast<i32>(call(next, {3, 4})), 16);
    if (newest(next)->begin == begin) return;
  }
  ADD_FAILURE() << "the room is not used";
}

TEST_F(OptimisedTest, ATaskThatIsNotWorthItsPriceTellsIt) {
  Method* method = compiled(descriptor, multiply_and_add);
  queue_.put({.method = method, .number = ++number_, .budget = 1000});
  std::unique_ptr<tiers::CompileTask> task = queue_.take();
  EXPECT_EQ(tier_.compile(thread_, *task), Outcome::OverBudget);
  i64 expected = task->cost();  // the tier has estimated the cost from the graph
  EXPECT_GT(expected, 2'000'000);
  task->set_budget(expected);
  EXPECT_EQ(tier_.compile(thread_, *task), Outcome::OverBudget);
  EXPECT_GT(task->cost(), expected);  // this small method has over three lowered nodes per node of its graph
  task->set_budget(task->cost());
  EXPECT_EQ(tier_.compile(thread_, *task), Outcome::Installed);
  queue_.finish(std::move(task));
}

TEST_F(OptimisedTest, WhatInlinesNothingPaysWithItsTimeOnTop) {
  Method* method = compiled(descriptor, multiply_and_add);
  auto cost_of = [&](u32 samples, u32 samples_on_top) {
    u32 number = ++number_;
    queue_.put({.method = method, .samples = samples, .samples_on_top = samples_on_top, .number = number, .budget = 0});
    std::unique_ptr<tiers::CompileTask> task = queue_.take();
    EXPECT_EQ(tier_.compile(thread_, *task), Outcome::OverBudget);
    i64 cost = task->cost();
    queue_.finish(std::move(task));
    return cost;
  };
  i64 cost = cost_of(0, 0);  // a method that is expected to be hot, but was never sampled
  EXPECT_GT(cost, 0);
  EXPECT_EQ(cost_of(12, 12), cost);
  EXPECT_EQ(cost_of(12, 3), 4 * cost);
  EXPECT_EQ(cost_of(12, 0), 12 * cost);
}

TEST(CompileCost, FollowsWhatHasBeenMeasured) {
  optimised::CompileCost cost{optimised::CompileCost::llvm};
  low::Function function;
  constexpr i64 millisecond = 1'000'000;
  EXPECT_EQ(cost.of(0), 2 * millisecond);
  function.nodes.resize(1000);
  EXPECT_EQ(cost.of(1000), 22 * millisecond);
  cost.learn(function, 62 * millisecond);
  EXPECT_EQ(cost.of(1000), 42 * millisecond);
  cost.learn(function, 12 * millisecond);
  EXPECT_EQ(cost.of(1000), 32 * millisecond);
  cost.learn(function, 0);
  EXPECT_LT(cost.of(1000), 32 * millisecond);
}

TEST_F(OptimisedTest, ACancelledTaskInstallsNothing) {
  class Cancelling final : public tiers::OptimisingTier {
   public:
    Outcome compile(JavaThread* thread, tiers::CompileTask& task) MAY_SAFEPOINT override {
      Method* changed = task.method();
      run_at_safepoint([&] { queue_.forget([&](const Method* method) { return method == changed; }); });
      return tier_.compile(thread, task);
    }
    void forget(void*, u8) override {}
  } cancelling;
  Method* method = compiled(descriptor, multiply_and_add);
  usize before = free_bytes();
  EXPECT_EQ(optimise(method, cancelling), Outcome::Cancelled);
  EXPECT_EQ(newest(method)->level, 1);
  EXPECT_EQ(free_bytes(), before);
  EXPECT_EQ(optimise(method), Outcome::Installed);
}

TEST_F(OptimisedTest, WhatIsNotThePlugInEndsTheTierWithOneWarning) {
  for (const char* file : {"/nonexistent/libkeyhole-llvm.so", "/proc/self/exe"}) {
    optimised::CodeGenerator generator(file, nullptr);
    optimised::FailedSpeculations speculations;
    ::testing::internal::CaptureStderr();
    Method* method = compiled(descriptor, multiply_and_add);
    for (i32 i = 0; i < 2; ++i) {
      queue_.put({.method = method});
      std::unique_ptr<tiers::CompileTask> task = queue_.take();
      EXPECT_EQ(optimised::compile_method(thread_, *task, generator, speculations, nullptr), Outcome::Refused);
      queue_.finish(std::move(task));
    }
    EXPECT_TRUE(generator.has_ended());
    std::string warning = ::testing::internal::GetCapturedStderr();
    EXPECT_TRUE(warning.starts_with("Keyhole warning: the optimising tier has been disabled: ")) << warning;
    EXPECT_EQ(std::ranges::count(warning, '\n'), 1) << warning;
    EXPECT_EQ(static_cast<i32>(call(method, {2, 3})), 9);
  }
}

}  // namespace
}  // namespace keyhole
