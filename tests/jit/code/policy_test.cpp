// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the tier policy: the methods that become hot, the length of their profiling intervals, and the requests to the
// tier.
#include <limits>
#include <thread>

#include "tests/jit/code/policy_fixture.h"
#include "vm/interpreter/method_data.h"

namespace keyhole {
namespace {

using tiers::Seen;

class HotMethods : public testing::PolicyTest {
 protected:
  // Queues the method like make_queued. In addition, the profiling interval has counted a call, and backward branches
  // of each loop of the method.
  static void make_queued_with_its_loops(Method* method) {
    pass(second);
    sample({{method, 0}}, 5);
    EXPECT_EQ(call(method, {7}), 7u);
    pass(second);
    policy().end_expired_intervals(thread_, now_);
  }
  // Lets the tier install code of the method. Returns a record of the call of compile().
  static testing::HeldTier::Given install(Method* method) {
    EXPECT_EQ(tier_.wait_until_held(thread_), method);
    testing::HeldTier::Given given = tier_.let_go(thread_, Outcome::Installed);
    EXPECT_EQ(wait_for_state(method, State::Compiled), State::Compiled);
    return given;
  }
};

constexpr const char* identity = "iload_0\n ireturn";
// A method that counts up to its argument. The header of its loop is at bci 4.
constexpr const char* count_to = R"(
    iconst_0
    istore_1
    iconst_0
    istore_2
  header:
    iinc 1 1
    iload_1
    iload_0
    if_icmplt header
    iload_1
    ireturn
)";
constexpr u32 header = 4;
// A method with two loops. The header of the second loop is at bci 13.
constexpr const char* two_loops = R"(
    iconst_0
    istore_1
    iconst_0
    istore_2
  first:
    iinc 1 1
    iload_1
    iload_0
    if_icmplt first
    nop
  second:
    iinc 2 1
    iload_2
    iload_0
    if_icmplt second
    iload_1
    ireturn
)";
constexpr u32 second_header = 13;

TEST(RecentSamples, AreHotWhenThereAreEnoughInATenthOfASecond) {
  tiers::Settings settings;
  tiers::RecentSamples recent;
  for (u32 i = 1; i <= 4; ++i) recent.note(i * 20'000'000, i, 0, 5);
  EXPECT_FALSE(recent.are_hot(80'000'000, 4, settings));
  recent.note(100'000'000, 5, 0, 5);
  EXPECT_TRUE(recent.are_hot(100'000'000, 5, settings));
  EXPECT_TRUE(recent.are_hot(120'000'000, 5, settings));
  EXPECT_FALSE(recent.are_hot(120'000'001, 5, settings));
  recent.note(120'000'001, 6, 0, 5);  // replaces the oldest sample
  EXPECT_TRUE(recent.are_hot(120'000'001, 6, settings));
}

TEST(RecentSamples, AreHotWhenTheyAreOnePercentOfAll) {
  tiers::Settings settings;
  tiers::RecentSamples recent;
  for (u32 i = 0; i < 5; ++i) recent.note(i, 1 + 125 * i, 0, 5);
  EXPECT_TRUE(recent.are_hot(5, 501, settings));
  EXPECT_FALSE(recent.are_hot(5, 502, settings));
}

TEST_F(HotMethods, AreSampledOftenEnough) {
  Method* method = compiled("(I)I", identity);
  pass(second);
  sample({{method, 0}}, 4);
  EXPECT_EQ(policy().state_of(method), State::Cold);
  pass(second);
  sample({{method, 0}}, 4);
  EXPECT_EQ(policy().state_of(method), State::Cold);  // too few samples within a tenth of a second to be hot
  sample({{method, 0}});
  EXPECT_EQ(policy().state_of(method), State::Profiling);
  EXPECT_TRUE(code_of(method).is_profiled);
}

TEST_F(HotMethods, CountOnceInASampleOfARecursion) {
  Method* method = compiled("(I)I", identity);
  pass(second);
  sample({{method, 0}, {method, 1}, {method, 1}}, 4);
  EXPECT_EQ(policy().state_of(method), State::Cold);
  sample({{method, 0}, {method, 1}, {method, 1}});
  EXPECT_EQ(policy().state_of(method), State::Profiling);
}

TEST_F(HotMethods, CountUntilTheyHaveBeenCalledTenThousandTimes) {
  const u32 calls = static_cast<u32>(tiers::Settings{}.interval_calls);
  ASSERT_EQ(calls, 10'000u);
  Method* method = compiled("(I)I", identity);
  pass(second);
  sample({{method, 0}}, 5);
  for (u32 i = 0; i + 1 < calls; ++i) EXPECT_EQ(call(method, {i}), i);
  EXPECT_EQ(policy().state_of(method), State::Profiling);
  EXPECT_EQ(call(method, {199}), 199u);  // this call continues in the interpreter, at the method's first instruction
  EXPECT_FALSE(code_of(method).is_profiled);
  EXPECT_EQ(method->data.load()->calls.read(), calls);
  EXPECT_EQ(tier_.wait_until_held(thread_), method);
  EXPECT_EQ(call(method, {7}), 7u);
  EXPECT_EQ(method->data.load()->calls.read(), calls);  // nobody counts
  auto given = tier_.let_go(thread_, Outcome::Installed);
  EXPECT_TRUE(given.has_profile);
  EXPECT_FALSE(given.was_counting);
  EXPECT_FALSE(given.is_cancelled);
  EXPECT_EQ(given.loop, tiers::CompileRequest::no_loop);
  EXPECT_EQ(wait_for_state(method, State::Compiled), State::Compiled);
}

TEST_F(HotMethods, CountUntilALoopHasGoneRoundAHundredThousandTimes) {
  Method* method = compiled("(I)I", count_to);
  pass(second);
  sample({{method, header}}, 5);
  EXPECT_EQ(call(method, {2}), 2u);
  EXPECT_EQ(call(method, {99'999}), 99'999u);  // 99,999 backward branches in all
  EXPECT_EQ(policy().state_of(method), State::Profiling);
  EXPECT_EQ(call(method, {1'000'000}), 1'000'000u);
  EXPECT_FALSE(code_of(method).is_profiled);
  // During its execution the loop has switched from profiled code to code that does not count.
  EXPECT_EQ(interpreter::loops_of(*method->data.load())[0].back_edges, 100'000u);
  EXPECT_EQ(tier_.wait_until_held(thread_), method);
  EXPECT_EQ(tier_.let_go(thread_, Outcome::Refused).loop, tiers::CompileRequest::no_loop);
  EXPECT_EQ(wait_for_state(method, State::Refused), State::Refused);
}

// The method's frames end late, so the interval stays open until its time is over.
TEST_F(HotMethods, CountALoopThatGoesRoundOftenUntilTheyAreCalled) {
  Method* method = compiled("(I)I", count_to);
  pass(hardware::now_nanoseconds());  // the test's clock is ahead of the real one, so the interval does not expire
  sample({{method, header}}, 5);
  EXPECT_EQ(call(method, {250'000}), 250'000u);
  EXPECT_EQ(policy().state_of(method), State::Profiling);
  policy().end_expired_intervals(thread_, now_ + 5'000'000);
  EXPECT_EQ(tier_.wait_until_held(thread_), method);
  EXPECT_EQ(tier_.let_go(thread_, Outcome::Refused).loop, static_cast<i32>(header));
  EXPECT_EQ(wait_for_state(method, State::Refused), State::Refused);
}

TEST_F(HotMethods, CountForFiveMilliseconds) {
  Method* method = compiled("(I)I", identity);
  pass(second);
  sample({{method, 0}}, 5);
  EXPECT_EQ(call(method, {7}), 7u);
  policy().end_expired_intervals(thread_, now_ + 4'999'999);
  EXPECT_EQ(policy().state_of(method), State::Profiling);
  policy().end_expired_intervals(thread_, now_ + 5'000'000);
  EXPECT_FALSE(code_of(method).is_profiled);
  EXPECT_EQ(tier_.wait_until_held(thread_), method);
  tier_.let_go(thread_, Outcome::Refused);
}

// profiling_intervals.h P6: an interval in which nothing has been counted lasts longer if its method was on top in a
// sample, because the thread may have been descheduled. A method that was never on top only waits for its callees and
// counts nothing, so its interval ends.
TEST_F(HotMethods, CountForLongerWhereNothingHasBeenCounted) {
  for (bool is_called : {false, true}) {
    Method* method = compiled("(I)I", identity);
    Method* outer = compiled("(I)I", identity);
    pass(second);
    sample({{method, 0}, {outer, 0}}, 5);
    policy().end_expired_intervals(thread_, now_ + 50'000'000);
    EXPECT_EQ(policy().state_of(method), State::Profiling);
    EXPECT_EQ(policy().state_of(outer), State::Cold);
    if (is_called) EXPECT_EQ(call(method, {7}), 7u);
    policy().end_expired_intervals(thread_, now_ + (is_called ? 50'000'000 : 100'000'000));
    EXPECT_EQ(tier_.wait_until_held(thread_), method);
    EXPECT_TRUE(tier_.let_go(thread_, Outcome::Refused).has_profile);
  }
}

// Another thread ends all open profiling intervals, again and again, with a clock by which each of them has expired.
// The intervals of the hot method's callees open after the interval of the hot method: one compilation lies between
// them.
TEST_F(HotMethods, HaveCalleesWhoseIntervalsDoNotEndBeforeTheyOpen) {
  std::atomic<bool> is_over{false};
  std::thread clock([&] {
    JavaThread* self = threads::attach_current(false, false, 0);
    while (!is_over.load()) {
      policy().end_expired_intervals(self, std::numeric_limits<i64>::max() - 1);
      safepoint::poll(self);
    }
    threads::detach(self);
  });
  for (u32 i = 0; i < 300; ++i) {
    Method* method = compiled("(I)I", identity);
    Method* callees[] = {compiled("(I)I", identity), compiled("(I)I", identity), compiled("(I)I", identity)};
    pass(second);
    for (Method* callee : callees) sample({{method, 0}, {callee, 0}, {method, 1}});
    sample({{method, 0}}, 2);
    for (Method* callee : callees) policy().profiling_interval_ended(thread_, callee);
    policy().profiling_interval_ended(thread_, method);
    ASSERT_EQ(tier_.wait_until_held(thread_), method);
    tier_.let_go(thread_, Outcome::Refused);
  }
  is_over.store(true);
  BlockedScope blocked(thread_);
  clock.join();
}

TEST_F(HotMethods, AreNotSampledAnyMoreWhenTheTierHasRefusedThem) {
  Method* method = compiled("(I)I", identity);
  make_queued(method);
  EXPECT_EQ(tier_.wait_until_held(thread_), method);
  tier_.let_go(thread_, Outcome::Refused);
  EXPECT_EQ(wait_for_state(method, State::Refused), State::Refused);
  const CompiledCode* code = method->body.load()->compiled.load();
  sample({{method, 0}}, 100);
  EXPECT_EQ(policy().state_of(method), State::Refused);
  EXPECT_EQ(method->body.load()->compiled.load(), code);
}

TEST_F(HotMethods, AreNewsUntilTheTierHasThem) {
  Method* method = compiled("(I)I", identity);
  pass(second);
  sample({{method, 0}}, 5);
  EXPECT_EQ(policy().last_news(), now_);
  sample({{method, 0}});  // it counts
  EXPECT_EQ(policy().last_news(), now_);
  i64 last = now_;
  pass(second);
  policy().end_expired_intervals(thread_, now_);
  sample({{method, 0}}, 5);
  EXPECT_EQ(policy().last_news(), last);
  EXPECT_EQ(tier_.wait_until_held(thread_), method);
  tier_.let_go(thread_, Outcome::Refused);
  Method* other = compiled("(I)I", identity);
  sample({{other, 0}});  // too seldom to be hot
  EXPECT_EQ(policy().last_news(), last);
  pass(second);
  sample({{other, 0}});
  EXPECT_EQ(policy().last_news(), last);
  sample({{other, 0}});
  EXPECT_EQ(policy().last_news(), now_);
}

TEST_F(HotMethods, AreProfiledWithWhatTheyCallMost) {
  Method* often = compiled("(I)I", identity);
  Method* never = compiled("(I)I", identity);
  Method* caller = compiled("(I)I", count_to);
  pass(second);
  sample({{often, 0}, {caller, header}}, 4);
  pass(second);  // the callee is not hot itself
  sample({{caller, header}}, 5);
  EXPECT_EQ(policy().state_of(often), State::Profiling);
  EXPECT_EQ(policy().state_of(never), State::Cold);
  policy().end_expired_intervals(thread_, now_ + second);
  EXPECT_EQ(policy().state_of(often), State::Cold);  // the callee has a profile, and is in no queue
  EXPECT_NE(often->data.load(), nullptr);
  EXPECT_EQ(tier_.wait_until_held(thread_), caller);
  tier_.let_go(thread_, Outcome::Refused);
  // A method that has a profile needs no second interval when it becomes hot.
  pass(second);
  sample({{often, 0}}, 5);
  EXPECT_EQ(policy().state_of(often), State::Queued);
  // The countdown of a method may end when the method's profiling interval is already over. Such an end makes threads
  // poll, and changes nothing else.
  policy().profiling_interval_ended(thread_, often);
  EXPECT_EQ(tier_.wait_until_held(thread_), often);
  tier_.let_go(thread_, Outcome::Refused);
}

TEST_F(HotMethods, AreNotThoseThatWaitForOthers) {
  Method* busy = compiled("(I)I", identity);
  Method* outer = compiled("(I)I", identity);
  pass(second);
  sample({{busy, 0}, {outer, 0}}, 5);
  EXPECT_EQ(policy().state_of(outer), State::Profiling);
  policy().end_expired_intervals(thread_, now_ + second);
  EXPECT_EQ(policy().state_of(outer), State::Cold);
  EXPECT_EQ(tier_.wait_until_held(thread_), busy);
  tier_.let_go(thread_, Outcome::Refused);
  pass(second);
  sample({{busy, 0}, {outer, 0}}, 100);
  EXPECT_EQ(policy().state_of(outer), State::Cold);
  sample({{outer, 0}}, 5);
  EXPECT_EQ(policy().state_of(outer), State::Profiling);
  policy().end_expired_intervals(thread_, now_ + second);
  EXPECT_EQ(tier_.wait_until_held(thread_), outer);  // in the last samples, `outer` was the innermost method
  tier_.let_go(thread_, Outcome::Refused);
}

TEST_F(HotMethods, ThatHaveAnotherBodyStartOver) {
  Method* running = compiled("(I)I", identity);
  Method* waiting = compiled("(I)I", identity);
  Method* counting = compiled("(I)I", identity);
  make_queued(running);
  EXPECT_EQ(tier_.wait_until_held(thread_), running);
  make_queued(waiting);
  pass(second);
  sample({{counting, 0}}, 5);
  run_at_safepoint([] { policy().forget([](const Method*) { return true; }); });
  for (Method* method : {running, waiting, counting}) EXPECT_EQ(policy().state_of(method), State::Cold);
  EXPECT_TRUE(policy().queue().contents().waiting.empty());
  EXPECT_TRUE(tier_.let_go(thread_, Outcome::Installed).is_cancelled);
  EXPECT_EQ(policy().state_of(running), State::Cold);
  policy().end_expired_intervals(thread_, now_ + second);  // `counting` has no open interval, so it is not queued
  EXPECT_TRUE(policy().queue().contents().waiting.empty());
}

TEST_F(HotMethods, WhoseCodeHasRetiredMayBeHotAgain) {
  Method* method = compiled("(I)I", identity);
  make_queued(method);
  EXPECT_EQ(tier_.wait_until_held(thread_), method);
  tier_.let_go(thread_, Outcome::Installed);
  EXPECT_EQ(wait_for_state(method, State::Compiled), State::Compiled);
  pass(second);
  sample({{method, 0}}, 5);
  EXPECT_EQ(policy().state_of(method), State::Compiled);
  policy().note_retirement(method);
  EXPECT_EQ(policy().state_of(method), State::Cold);
  sample({{method, 0}}, 5);
  EXPECT_EQ(policy().state_of(method), State::Profiling);  // recompilation: its speculation has failed
  policy().end_expired_intervals(thread_, now_ + second);
  EXPECT_EQ(tier_.wait_until_held(thread_), method);
  tier_.let_go(thread_, Outcome::Refused);
  EXPECT_EQ(wait_for_state(method, State::Refused), State::Refused);
}

TEST_F(HotMethods, CountAgainWithWhatTheyCallWhenTheirCodeHasRetired) {
  Method* callee = compiled("(I)I", identity);
  Method* method = compiled("(I)I", count_to);
  auto make_hot = [&] {
    pass(second);
    sample({{callee, 0}, {method, header}}, 4);
    pass(second);  // the callee is not hot itself
    sample({{method, header}}, 5);
  };
  make_hot();
  policy().end_expired_intervals(thread_, now_ + second);
  EXPECT_EQ(tier_.wait_until_held(thread_), method);
  tier_.let_go(thread_, Outcome::Installed);
  EXPECT_EQ(wait_for_state(method, State::Compiled), State::Compiled);
  EXPECT_EQ(policy().state_of(callee), State::Cold);
  policy().note_retirement(method);
  make_hot();
  EXPECT_EQ(policy().state_of(method), State::Profiling);
  EXPECT_EQ(policy().state_of(callee), State::Profiling);
  policy().end_expired_intervals(thread_, now_ + second);
  EXPECT_EQ(tier_.wait_until_held(thread_), method);
  tier_.let_go(thread_, Outcome::Refused);
}

TEST_F(HotMethods, PayTheirPriceOnce) {
  constexpr i64 millisecond = 1'000'000;
  Method* method = compiled("(I)I", identity);
  make_queued(method);
  EXPECT_EQ(tier_.wait_until_held(thread_), method);
  tier_.cost = 100 * millisecond;
  EXPECT_EQ(tier_.let_go(thread_, Outcome::OverBudget).budget, 5 * 4 * millisecond);  // 5 of 5 and 20
  EXPECT_EQ(wait_for_state(method, State::Cold), State::Cold);
  pass(second);
  sample({{method, 0}}, 7);
  EXPECT_EQ(policy().state_of(method), State::Cold);
  sample({{method, 0}});
  EXPECT_EQ(policy().state_of(method), State::Queued);  // 13 * 7.9
  EXPECT_EQ(tier_.wait_until_held(thread_), method);
  EXPECT_EQ(tier_.let_go(thread_, Outcome::Installed).budget, std::numeric_limits<i64>::max());
  EXPECT_EQ(wait_for_state(method, State::Compiled), State::Compiled);
}

TEST_F(HotMethods, AreSaidToBeOnTop) {
  Method* method = compiled("(I)I", identity);
  Method* callee = compiled("(I)I", identity);
  sample({{method, 0}}, 3);
  sample({{callee, 0}, {method, 0}}, 2);
  policy().end_expired_intervals(thread_, now_ + second);
  EXPECT_EQ(tier_.wait_until_held(thread_), method);
  auto given = tier_.let_go(thread_, Outcome::Refused);
  EXPECT_EQ(given.samples, 5u);
  EXPECT_EQ(given.samples_on_top, 3u);
}

// policy_protocol.h P15: a policy with a middle tier. The compile() of its tiers returns at once.
class WarmMethods : public HotMethods {
 protected:
  struct AnsweringTier final : tiers::OptimisingTier {
    Outcome compile(JavaThread*, tiers::CompileTask& task) MAY_SAFEPOINT override {
      given.push_back(task.request());
      return answer;
    }
    void forget(void*, u8) override {}
    std::vector<tiers::CompileRequest> given;
    Outcome answer = Outcome::Installed;
  };
  void warm_up(Method* method, u32 times = 1) {
    for (u32 i = 0; i < times; ++i) {
      Seen seen{method, 0};
      policy_.note(thread_, {&seen, 1}, now_ += 1'000'000);
    }
  }
  void end_interval(Method* method) {
    method->data.load()->calls_left.fetch_sub(100);
    policy_.end_expired_intervals(thread_, now_ += 5'000'000);
  }
  void compile_for_middle(Method* method) {
    warm_up(method, 3);
    end_interval(method);
    EXPECT_TRUE(policy_.compile_next(thread_, middle_level));
  }

  AnsweringTier answering_;
  tiers::PolicyOf<tiers::TierWorld> policy_{{.has_middle_tier = true}, &answering_};
};

TEST_F(WarmMethods, AreCompiledByTheMiddleTierAndThenByTheOptimisingOne) {
  Method* method = compiled("(I)I", identity);
  for (u32 i = 0; i < 2; ++i) {
    warm_up(method);
    pass(second);
  }
  EXPECT_EQ(policy_.state_of(method), State::Cold);
  warm_up(method);
  EXPECT_EQ(policy_.state_of(method), State::Profiling);
  policy_.end_expired_intervals(thread_, now_ += 5'000'000);
  EXPECT_EQ(policy_.state_of(method), State::Profiling);  // few calls are counted
  end_interval(method);
  EXPECT_EQ(policy_.state_of(method), State::Queued);
  EXPECT_FALSE(policy_.compile_next(thread_, optimised_level));
  EXPECT_TRUE(policy_.compile_next(thread_, middle_level));
  EXPECT_EQ(answering_.given.back().level, middle_level);
  EXPECT_EQ(policy_.state_of(method), State::Cold);
  warm_up(method, 4);
  EXPECT_EQ(policy_.state_of(method), State::Cold);  // warm is not hot
  warm_up(method);
  EXPECT_EQ(policy_.state_of(method), State::Queued);  // without another interval
  EXPECT_FALSE(policy_.compile_next(thread_, middle_level));
  EXPECT_TRUE(policy_.compile_next(thread_, optimised_level));
  EXPECT_EQ(answering_.given.back().level, optimised_level);
  EXPECT_EQ(policy_.state_of(method), State::Compiled);
}

TEST_F(WarmMethods, WaitWhereTheyCountNothing) {
  Method* method = compiled("(I)I", identity);
  warm_up(method, 3);
  EXPECT_EQ(policy_.state_of(method), State::Profiling);
  pass(second);
  policy_.end_expired_intervals(thread_, now_);
  EXPECT_EQ(policy_.state_of(method), State::Queued);
}

TEST_F(WarmMethods, ThatTheMiddleTierRefusesMayBeHot) {
  Method* method = compiled("(I)I", identity);
  answering_.answer = Outcome::Refused;
  compile_for_middle(method);
  EXPECT_EQ(policy_.state_of(method), State::Cold);
  warm_up(method, 5);
  EXPECT_TRUE(policy_.compile_next(thread_, optimised_level));
  EXPECT_EQ(policy_.state_of(method), State::Refused);
}

TEST_F(WarmMethods, WhoseMiddleCodeRetiresBeginAgain) {
  Method* method = compiled("(I)I", identity);
  compile_for_middle(method);
  policy_.note_retirement(method, middle_level);
  compile_for_middle(method);  // after another interval
  EXPECT_EQ(answering_.given.size(), 2u);
  warm_up(method, 5);
  EXPECT_TRUE(policy_.compile_next(thread_, optimised_level));
  policy_.note_retirement(method, middle_level);  // code of a loop
  EXPECT_EQ(policy_.state_of(method), State::Compiled);
  policy_.note_retirement(method, optimised_level);
  EXPECT_EQ(policy_.state_of(method), State::Cold);
  compile_for_middle(method);
  EXPECT_EQ(answering_.given.back().level, middle_level);
}

// compile_budget.h P11: optimised code saves less time if it replaces middle-tier code instead of baseline code.
TEST_F(WarmMethods, HaveASmallerBudgetInMiddleCode) {
  Method* method = compiled("(I)I", identity);
  compile_for_middle(method);
  warm_up(method, 5);
  answering_.answer = Outcome::OverBudget;
  EXPECT_TRUE(policy_.compile_next(thread_, optimised_level));
  EXPECT_EQ(answering_.given.back().samples, 8u);
  // The budget is the time in the method (8 ms), divided by 3 because the method has middle-tier code, and multiplied
  // by a credit. The credit is 20 times the method's share of the samples, which is 8 / (8 + 20).
  EXPECT_EQ(answering_.given.back().budget, static_cast<i64>(2'666'666 * (20 * 8 / 28.0)));
  EXPECT_EQ(policy_.state_of(method), State::Cold);
}

// compile_budget.h P13. Each test makes a new policy, which has no samples yet.
TEST_F(HotMethods, AreWhatTheTierPreparesForWhenTheyAreMostOfWhatRuns) {
  tiers::PolicyOf<tiers::TierWorld> policy({}, nullptr);
  auto sample = [&](Method* method) {
    tiers::Seen seen[] = {{method, 0}};
    policy.note(thread_, seen, now_ += 100'000'000);  // too seldom to be hot
  };
  Method* a_third_of_all[] = {compiled("(I)I", identity), compiled("(I)I", identity), compiled("(I)I", identity)};
  for (i32 i = 0; i < 60; ++i) sample(a_third_of_all[i % 3]);
  EXPECT_FALSE(policy.should_prepare_tier());
  Method* most = compiled("(I)I", identity);
  for (i32 i = 0; i < 2; ++i) sample(most);
  EXPECT_FALSE(policy.should_prepare_tier());  // the budget after two samples is below preparation_nanoseconds
  EXPECT_FALSE(policy.needs_threads());
  sample(most);
  EXPECT_TRUE(policy.should_prepare_tier());
  EXPECT_TRUE(policy.needs_threads());
}

TEST_F(HotMethods, AreWhatTheTierPreparesForWhenTheyCountQuickly) {
  for (bool is_early : {false, true}) {
    tiers::PolicyOf<tiers::TierWorld> policy({}, nullptr);
    Method* a_third_of_all[] = {compiled("(I)I", identity), compiled("(I)I", identity), compiled("(I)I", identity)};
    Method* method = a_third_of_all[0];
    // The profiling interval begins at `now`, and ends when this test calls countdown_ended, at the real time. If `now`
    // is one second ahead of the real time, the end counts as early. If `now` is 2 ms ago, the end does not count as
    // early.
    i64 now = hardware::now_nanoseconds() + (is_early ? second : -2'000'000);
    for (i32 i = 0; i < 15; ++i) {
      tiers::Seen seen[] = {{a_third_of_all[i % 3], 0}};
      policy.note(thread_, seen, now);
    }
    EXPECT_EQ(policy.state_of(method), State::Profiling);
    EXPECT_FALSE(policy.should_prepare_tier());
    policy.countdown_ended(thread_, method);
    EXPECT_NE(policy.state_of(method), State::Profiling);
    EXPECT_EQ(policy.should_prepare_tier(), is_early);
  }
}

// compile_requests.h P12
TEST_F(HotMethods, ThatAnEarlierRunHasCompiledNeedNoWindow) {
  Method* method = compiled("(I)I", identity);
  policy().queue_expected(method, tiers::CompileRequest::no_loop);
  EXPECT_EQ(policy().state_of(method), State::Queued);
  policy().end_expired_intervals(thread_, now_);  // starts a compiling thread
  EXPECT_EQ(tier_.wait_until_held(thread_), method);
  tier_.cost = 1;
  EXPECT_EQ(tier_.let_go(thread_, Outcome::OverBudget).budget, 0);
  EXPECT_EQ(wait_for_state(method, State::Cold), State::Cold);
  policy().queue_expected(method, tiers::CompileRequest::no_loop);
  EXPECT_EQ(policy().state_of(method), State::Cold);  // once
  pass(second);
  sample({{method, 0}}, 4);
  EXPECT_EQ(policy().state_of(method), State::Cold);
  sample({{method, 0}});
  EXPECT_EQ(policy().state_of(method), State::Queued);
  EXPECT_EQ(tier_.wait_until_held(thread_), method);
  EXPECT_EQ(tier_.let_go(thread_, Outcome::Installed).budget, std::numeric_limits<i64>::max());
  EXPECT_EQ(wait_for_state(method, State::Compiled), State::Compiled);
}

TEST_F(HotMethods, PayForEachOfTheirLoops) {
  constexpr i64 millisecond = 1'000'000;
  Method* method = compiled("(I)I", two_loops);
  make_queued_with_its_loops(method);
  install(method);
  pass(second);
  sample({{method, second_header}}, 5);
  EXPECT_EQ(tier_.wait_until_held(thread_), method);
  tier_.cost = 60 * millisecond;
  EXPECT_EQ(tier_.let_go(thread_, Outcome::OverBudget).budget, 5 * 4 * millisecond);
  EXPECT_EQ(wait_for_state(method, State::Compiled), State::Compiled);
  pass(second);
  sample({{method, second_header}}, 4);
  EXPECT_EQ(policy().state_of(method), State::Compiled);
  sample({{method, second_header}});
  EXPECT_EQ(policy().state_of(method), State::Queued);
  EXPECT_EQ(tier_.wait_until_held(thread_), method);
  EXPECT_EQ(tier_.let_go(thread_, Outcome::Installed).loop, static_cast<i32>(second_header));
  EXPECT_EQ(wait_for_state(method, State::Compiled), State::Compiled);
}

TEST_F(HotMethods, AreCompiledForALoopUnlessTheirFramesEndSoon) {
  for (u32 calls : {1u, 2u}) {
    Method* method = compiled("(I)I", count_to);
    pass(second);
    sample({{method, header}}, 5);
    for (u32 i = 0; i < calls; ++i) EXPECT_EQ(call(method, {20}), 20u);
    pass(second);
    policy().end_expired_intervals(thread_, now_);
    EXPECT_EQ(tier_.wait_until_held(thread_), method);
    i32 loop = calls == 1 ? static_cast<i32>(header) : tiers::CompileRequest::no_loop;
    tier_.cost = 11'000'000;
    EXPECT_EQ(tier_.let_go(thread_, Outcome::OverBudget).loop, loop);
    EXPECT_EQ(wait_for_state(method, State::Cold), State::Cold);
    sample({{method, header}}, 5);  // the budget covers the cost, and the interval ended long ago
    EXPECT_EQ(tier_.wait_until_held(thread_), method);
    EXPECT_EQ(tier_.let_go(thread_, Outcome::Installed).loop, loop);
    EXPECT_EQ(wait_for_state(method, State::Compiled), State::Compiled);
  }
}

TEST_F(HotMethods, AreCompiledForTheirLoopFirstUnlessCallsWereCounted) {
  for (bool is_called : {false, true}) {
    Method* method = compiled("(I)I", count_to);
    pass(second);
    sample({{method, header}}, 5);
    if (is_called) EXPECT_EQ(call(method, {20}), 20u);
    pass(second);
    policy().end_expired_intervals(thread_, now_ + second);  // ends intervals without counts, too
    testing::HeldTier::Given given = install(method);
    EXPECT_EQ(given.loop, static_cast<i32>(header));
    EXPECT_EQ(given.is_loop_first, !is_called);
  }
}

TEST_F(HotMethods, StayingInALoopThatWasOverBudgetGoToTheQueueForIt) {
  Method* method = compiled("(I)I", count_to);
  pass(second);
  sample({{method, header}}, 5);
  EXPECT_EQ(call(method, {20}), 20u);
  pass(second);
  policy().end_expired_intervals(thread_, now_);
  tier_.defers_loops = true;
  EXPECT_EQ(install(method).loop, static_cast<i32>(header));
  tier_.defers_loops = false;
  pass(second);
  sample({{method, header}}, 5);
  EXPECT_EQ(policy().state_of(method), State::Queued);
  EXPECT_EQ(install(method).loop, static_cast<i32>(header));
  pass(second);
  sample({{method, header}}, 5);
  EXPECT_EQ(policy().state_of(method), State::Compiled);  // once
}

// policy_protocol.h P14
TEST_F(HotMethods, WaitOnceForTheProfilesOfWhatTheyInline) {
  Method *method = compiled("(I)I", identity), *inlined = compiled("(I)I", identity);
  make_queued(method);
  EXPECT_EQ(tier_.wait_until_held(thread_), method);
  tier_.unprofiled = inlined;
  EXPECT_TRUE(tier_.let_go(thread_, Outcome::Unprofiled).may_wait_for_profiles);
  EXPECT_EQ(wait_for_state(inlined, State::Profiling), State::Profiling);
  EXPECT_EQ(policy().state_of(method), State::Cold);
  for (int i = 0; i < 5000 && !code_of(inlined).is_profiled; ++i) {  // the compiling thread does that
    BlockedScope blocked(thread_);
    usleep(1000);
  }
  EXPECT_EQ(call(inlined, {7}), 7u);
  pass(second);
  policy().end_expired_intervals(thread_, hardware::now_nanoseconds() + second);
  EXPECT_EQ(policy().state_of(inlined), State::Cold);  // profiled, and not hot itself
  EXPECT_EQ(inlined->data.load()->calls.read(), 1u);
  sample({{method, 0}}, 4);
  EXPECT_EQ(policy().state_of(method), State::Cold);
  sample({{method, 0}});
  EXPECT_EQ(policy().state_of(method), State::Queued);
  EXPECT_EQ(tier_.wait_until_held(thread_), method);
  testing::HeldTier::Given given = tier_.let_go(thread_, Outcome::Installed);
  EXPECT_FALSE(given.may_wait_for_profiles);
  EXPECT_EQ(given.budget, std::numeric_limits<i64>::max());  // no limit, as the request has waited for profiles
  EXPECT_EQ(wait_for_state(method, State::Compiled), State::Compiled);
}

TEST_F(HotMethods, AreCompiledOnceForEachLoopThatTheyStayIn) {
  Method* method = compiled("(I)I", two_loops);
  make_queued(method);
  EXPECT_EQ(tier_.wait_until_held(thread_), method);
  EXPECT_EQ(tier_.let_go(thread_, Outcome::Installed).loop, tiers::CompileRequest::no_loop);
  for (u32 loop : {header, second_header}) {
    EXPECT_EQ(wait_for_state(method, State::Compiled), State::Compiled);
    pass(second);
    sample({{method, loop}}, 5);
    EXPECT_EQ(policy().state_of(method), State::Profiling);  // this loop has no counts yet
    pass(second);
    policy().end_expired_intervals(thread_, now_);
    EXPECT_EQ(policy().state_of(method), State::Queued);
    EXPECT_EQ(tier_.wait_until_held(thread_), method);
    EXPECT_EQ(tier_.let_go(thread_, loop == header ? Outcome::Installed : Outcome::Refused).loop,
              static_cast<i32>(loop));
  }
  EXPECT_EQ(wait_for_state(method, State::Compiled), State::Compiled);
  for (u32 loop : {header, second_header}) {
    pass(second);
    EXPECT_EQ(std::exchange(tier_.hot_outside_code, nullptr), method);
    sample({{method, loop}}, 10);
    EXPECT_EQ(policy().state_of(method), State::Compiled);
  }
  EXPECT_EQ(tier_.hot_outside_code, method) << "also when there is nothing to compile";
}

TEST_F(HotMethods, HaveAWindowForALoopThatHasNotGoneRound) {
  Method* method = compiled("(I)I", two_loops);
  make_queued(method);
  install(method);
  pass(second);
  sample({{method, second_header}}, 5);
  EXPECT_EQ(policy().state_of(method), State::Profiling);
  EXPECT_TRUE(code_of(method).is_profiled);
  // The optimised code is retired before the interval ends. Then the whole method is queued, not only its loop.
  policy().note_retirement(method);
  pass(second);
  policy().end_expired_intervals(thread_, now_);
  EXPECT_FALSE(code_of(method).is_profiled);
  install(method);
}

TEST_F(HotMethods, HaveNoWindowForALoopThatHasGoneRound) {
  Method* method = compiled("(I)I", two_loops);
  make_queued_with_its_loops(method);
  install(method);
  pass(second);
  sample({{method, second_header}}, 5);
  EXPECT_EQ(policy().state_of(method), State::Queued);
  EXPECT_EQ(install(method).loop, static_cast<i32>(second_header));
}

TEST_F(HotMethods, ThatTheFullQueueGivesUpAreCold) {
  Method* first = compiled("(I)I", identity);
  make_queued(first);
  EXPECT_EQ(tier_.wait_until_held(thread_), first);
  u32 capacity = tiers::Settings{}.queue_capacity;
  std::vector<Method*> methods;
  for (u32 i = 0; i <= capacity; ++i) {
    methods.push_back(compiled("(I)I", identity));
    make_queued(methods.back());
  }
  EXPECT_EQ(policy().queue().contents().waiting.size(), capacity);
  u32 cold = 0;
  for (Method* method : methods) cold += policy().state_of(method) == State::Cold ? 1 : 0;
  EXPECT_EQ(cold, 1u);
  // The hottest method comes first. A method that is sampled while it waits becomes hotter.
  Method* hottest = methods[capacity / 2];
  sample({{hottest, 0}}, 3);
  tier_.let_go(thread_, Outcome::Refused);
  EXPECT_EQ(tier_.wait_until_held(thread_), hottest);
  run_at_safepoint([] { policy().forget([](const Method*) { return true; }); });
  tier_.let_go(thread_, Outcome::Refused);
}

}  // namespace
}  // namespace keyhole
