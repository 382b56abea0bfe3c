// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Code that deoptimizes too often is retired, and speculations that have failed are not made again.
#include "jit/optimised/failed_speculations.h"

#include "runtime/base/flags.h"
#include "tests/jit/optimised/optimised_fixture.h"

namespace keyhole {
namespace {

using testing::OptimisedTest;

// The tests set the counters of three speculations in an installed method, as if its code had deoptimized.
class FailedSpeculationsTest : public OptimisedTest {
 protected:
  void SetUp() override {
    OptimisedTest::SetUp();
    root_ = compiled("(II)I", "iload_0\n iload_1\n iadd\n ireturn");
    watch();
  }
  void watch(i64 cost = 0) {
    ASSERT_EQ(optimise(root_), Outcome::Installed);
    code_ = newest(root_);
    graph::Lowered lowered;
    lowered.deopts = {{root_, 0, graph::DeoptReason::Class},
                      {root_, 1, graph::DeoptReason::Untaken},
                      {root_, 1, graph::DeoptReason::Class}};
    optimised::FailedSpeculations::Counters counters = optimised::FailedSpeculations::make_counters(lowered);
    EXPECT_EQ(lowered.symbols.at(std::string(graph::deopt_counters_symbol)), reinterpret_cast<uptr>(counters.get()));
    counts_ = counters.get();
    MutexLock guard(compiler_lock);
    speculations_.watch(code_, std::move(counters), lowered, cost);
  }
  u32 retire() {
    MutexLock guard(compiler_lock);
    return speculations_.retire();
  }
  bool has_failed(u32 bci, graph::DeoptReason reason) {
    MutexLock guard(compiler_lock);
    return speculations_.has_failed(root_, root_, bci, reason);
  }

  optimised::FailedSpeculations speculations_;
  Method* root_ = nullptr;
  CompiledCode* code_ = nullptr;
  u32* counts_ = nullptr;
};

TEST_F(FailedSpeculationsTest, ASpeculationFailsWhenItDeoptimizesTooOften) {
  counts_[1] = static_cast<u32>(flags::PerBytecodeTrapLimit) - 1;
  EXPECT_EQ(retire(), 0u);
  EXPECT_FALSE(code_->is_retired());
  ++counts_[1];
  counts_[2] = 1;
  EXPECT_EQ(retire(), 1u);
  EXPECT_EQ(code_->retired.load(), Retired::Failing);
  EXPECT_TRUE(has_failed(1, graph::DeoptReason::Untaken));
  EXPECT_FALSE(has_failed(1, graph::DeoptReason::Class)) << "left once";
  EXPECT_FALSE(has_failed(0, graph::DeoptReason::Class));
  EXPECT_EQ(retire(), 0u) << "once";
}

TEST_F(FailedSpeculationsTest, ManySpeculationsFailTogether) {
  i64 limit = std::exchange(flags::PerMethodTrapLimit, 5);
  counts_[0] = 3;
  counts_[2] = 2;
  EXPECT_EQ(retire(), 1u);
  flags::PerMethodTrapLimit = limit;
  EXPECT_TRUE(has_failed(0, graph::DeoptReason::Class));
}

TEST_F(FailedSpeculationsTest, CodeStaysWhileItsExitsCostLessThanANewOne) {
  watch(1'000'000'000);
  counts_[0] = counts_[1] = 5000;
  EXPECT_EQ(retire(), 0u);
  counts_[1] = 20'000;
  counts_[2] = static_cast<u32>(flags::PerBytecodeTrapLimit) - 1;
  EXPECT_EQ(retire(), 1u);
  EXPECT_TRUE(has_failed(0, graph::DeoptReason::Class)) << "it too was left often, if less so";
  EXPECT_FALSE(has_failed(1, graph::DeoptReason::Class));
}

TEST_F(FailedSpeculationsTest, ItGoesAtOnceWhenFramesThatHaveLeftItAreHot) {
  watch(1'000'000'000);
  auto note = [this]() {
    MutexLock guard(compiler_lock);
    speculations_.note_hot_outside_code(root_);
  };
  counts_[1] = static_cast<u32>(flags::PerBytecodeTrapLimit) - 1;
  note();
  EXPECT_EQ(retire(), 0u) << "its frames may never have been in it";
  ++counts_[1];
  EXPECT_EQ(retire(), 0u) << "that they were hot is forgotten";
  note();
  EXPECT_EQ(retire(), 1u);
  EXPECT_TRUE(has_failed(1, graph::DeoptReason::Untaken));
}

TEST_F(FailedSpeculationsTest, AMethodThatHasLostManyCodesSpeculatesNoMore) {
  for (int i = 0; i < 6; ++i) {
    EXPECT_FALSE(has_failed(0, graph::DeoptReason::Class));
    counts_[1] = 1000;
    EXPECT_EQ(retire(), 1u);
    watch();
  }
  EXPECT_TRUE(has_failed(0, graph::DeoptReason::Class));
}

// The exception handler that the code lacks may be in the method or in any method that was inlined into it.
TEST_F(FailedSpeculationsTest, CodeWithoutAHandlerThatIsEnteredOftenIsRetired) {
  Method* method = compiled("(II)I", R"(
    from:
      iload_0
      iload_1
      idiv
    to:
      ireturn
    handler:
      pop
      iconst_1
      ireturn
      .catch java/lang/ArithmeticException from to handler
  )");
  {
    graph::Lowered lowered;
    lowered.pruned_handlers = {{method, 0}};
    MutexLock guard(compiler_lock);
    speculations_.watch(code_, optimised::FailedSpeculations::make_counters(lowered), lowered, 0);
  }
  EXPECT_EQ(retire(), 0u);
  std::atomic<u32>& entries = method->body.load()->handler_entries[0];
  entries = static_cast<u32>(flags::PerMethodTrapLimit) - 1;
  EXPECT_EQ(retire(), 0u);
  ++entries;
  EXPECT_EQ(retire(), 1u);
  EXPECT_FALSE(has_failed(0, graph::DeoptReason::Untaken));
}

TEST_F(FailedSpeculationsTest, WhatIsGoneIsForgotten) {
  counts_[1] = 1000;
  {
    MutexLock guard(compiler_lock);
    speculations_.forget(code_->resource);
  }
  EXPECT_EQ(retire(), 0u);
}

}  // namespace
}  // namespace keyhole
