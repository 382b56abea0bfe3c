// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the rules behind the conclusions of --compare-locks (rules.h), on figures that have one cause each.
#include "vm/tools/compare/rules.h"

#include <gtest/gtest.h>

#include "vm/tools/compare/report.h"

namespace keyhole::compare {
namespace {

constexpr u32 runs_of_each = 7;

// Makes the measurements of one locking mode. The times of its seven runs differ by steps of 0.1 %, and `wall_ms` and
// `cpu_ms` are the medians.
ModeFigures mode_of(const std::string& name, f64 wall_ms, f64 cpu_ms) {
  ModeFigures mode;
  mode.mode = name;
  for (u32 i = 0; i < runs_of_each; ++i) {
    f64 factor = 1 + (static_cast<f64>(i) - 3) / 1000;
    mode.runs.push_back({wall_ms * factor, cpu_ms * factor, {}});
  }
  mode.profile.emplace();
  mode.profile->enters = 1'000'000;
  return mode;
}
ModeFigures& with(ModeFigures& mode, LockCounter counter, u64 count) {
  for (Run& run : mode.runs) run.statistics.counters[static_cast<u32>(counter)] = count;
  return mode;
}

struct Pair {
  Comparison comparison;
  ModeFigures& base;
  ModeFigures& other;

  Pair(f64 base_ms, f64 other_ms, f64 other_cpu_ms = 0)
      : comparison(make(base_ms, other_ms, other_cpu_ms == 0 ? other_ms : other_cpu_ms)), base(comparison.modes[0]),
        other(comparison.modes[1]) {}

  std::string words() const {
    std::string text;
    for (const std::string& sentence : what_decided(comparison)) text += sentence + "\n";
    return text;
  }
  std::string cause() const {
    const Rule* rule = cause_of(other, base);
    return rule == nullptr ? "" : std::string(rule->name);
  }

 private:
  static Comparison make(f64 base_ms, f64 other_ms, f64 other_cpu_ms) {
    Comparison comparison;
    comparison.command = "Program";
    comparison.base = "lightweight";
    comparison.processors = 2;
    comparison.modes.reserve(4);  // so that push_back does not invalidate references to elements
    comparison.modes.push_back(mode_of("lightweight", base_ms, base_ms));
    comparison.modes.push_back(mode_of("other", other_ms, other_cpu_ms));
    return comparison;
  }
};

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Rules, SleepingHandOver) {
  Pair pair(100, 1000);
  with(with(with(pair.other, LockCounter::hand_overs, 45'000), LockCounter::unparks, 41'000), LockCounter::parks,
       41'500);
  with(pair.base, LockCounter::parks, 900);
  EXPECT_EQ(pair.cause(), "sleeping_hand_over");
  EXPECT_TRUE(says(pair.words(), "`other` takes 10.00 times as long.")) << pair.words();
  EXPECT_TRUE(says(pair.words(), "`other` handed the lock to a sleeping thread 41,000 times (`lightweight`: 0)."))
      << pair.words();
}

// Hand-overs to threads that are awake are cheap, so the report must not name them as a cause.
TEST(Rules, HandOversWithoutSleepersAreNoCause) {
  Pair pair(100, 200);
  with(pair.other, LockCounter::hand_overs, 1'000'000);
  EXPECT_EQ(pair.cause(), "");
  EXPECT_TRUE(says(pair.words(), "Nothing that is counted says why `other` is slower.")) << pair.words();
}

TEST(Rules, FutileWakeUps) {
  Pair pair(100, 400);
  with(pair.other, LockCounter::parks, 20'000);
  pair.other.profile->futile_wake_ups = 15'000;
  EXPECT_EQ(pair.cause(), "futile_wake_up");
  EXPECT_TRUE(says(pair.words(), "woke threads in vain 15,000 times")) << pair.words();
}

TEST(Rules, Parks) {
  Pair pair(100, 200);
  with(with(pair.other, LockCounter::parks, 20'000), LockCounter::slow_enters, 40'000);
  EXPECT_EQ(pair.cause(), "park");
}

TEST(Rules, Inflations) {
  Pair pair(100, 400);
  with(with(pair.other, LockCounter::inflations, 1'000'000), LockCounter::slow_enters, 1'000'000);
  EXPECT_EQ(pair.cause(), "inflation");
  EXPECT_TRUE(says(pair.words(), "gave monitors to objects 1,000,000 times")) << pair.words();
}

TEST(Rules, SlowPaths) {
  Pair pair(100, 200);
  with(with(pair.other, LockCounter::slow_enters, 1'000'000), LockCounter::slow_exits, 1'000'000);
  EXPECT_EQ(pair.cause(), "slow_path");
  EXPECT_TRUE(says(pair.words(), "left the fast path 2,000,000 times")) << pair.words();
}

TEST(Rules, ChainsAndTables) {
  Pair chains(100, 200);
  with(with(chains.other, LockCounter::chain_steps, 40'000'000), LockCounter::slow_enters, 1'000'000);
  EXPECT_EQ(chains.cause(), "chain_step");
  Pair table(100, 200);
  with(table.other, LockCounter::table_probes, 20'000'000);
  EXPECT_EQ(table.cause(), "table_probe");
}

TEST(Rules, WhatHappensTwiceAsOftenAtMostIsNoCause) {
  Pair pair(100, 200);
  with(pair.other, LockCounter::parks, 19'999);
  with(pair.base, LockCounter::parks, 10'000);
  EXPECT_EQ(pair.cause(), "");
}

TEST(Rules, WhatCostsLessThanATenthOfTheDifferenceIsNoCause) {
  Pair pair(100, 200);
  with(pair.other, LockCounter::parks, 1'900);  // 9.5 ms
  EXPECT_EQ(pair.cause(), "");
  with(pair.other, LockCounter::parks, 2'100);
  EXPECT_EQ(pair.cause(), "park");
}

TEST(Rules, AFasterModeIsExplainedByTheBase) {
  Pair pair(400, 100);
  with(pair.base, LockCounter::inflations, 1'000'000);
  EXPECT_TRUE(says(pair.words(), "`other` takes 0.25 times as long.")) << pair.words();
  EXPECT_TRUE(says(pair.words(), "`lightweight` gave monitors to objects 1,000,000 times (`other`: 0)."))
      << pair.words();
}

TEST(Rules, ModesWithOneCauseShareASentence) {
  Pair pair(100, 200);
  with(pair.other, LockCounter::parks, 20'000);
  pair.comparison.modes.push_back(mode_of("third", 300, 300));
  with(pair.comparison.modes.back(), LockCounter::parks, 30'000);
  EXPECT_TRUE(says(
      [&] {
        std::string text;
        for (const std::string& sentence : what_decided(pair.comparison)) text += sentence;
        return text;
      }(),
      "`other` and `third` put threads to sleep 20,000 and 30,000 times (`lightweight`: 0)."));
}

TEST(Rules, DifferencesThatChanceExplainsAreNone) {
  Pair pair(100, 101);  // the times of the two modes differ in every run, but by less than 3 %
  with(pair.other, LockCounter::parks, 20'000);
  EXPECT_TRUE(says(pair.words(), "No mode takes more or less time than `lightweight`")) << pair.words();
  Pair noisy(100, 104);
  noisy.base.runs[0].wall_ms = noisy.base.runs[1].wall_ms = noisy.base.runs[2].wall_ms = 200;
  EXPECT_TRUE(says(noisy.words(), "No mode takes more or less time than `lightweight`")) << noisy.words();
}

TEST(Rules, ProcessorTimeAlone) {
  Pair pair(100, 100, 190);
  with(pair.other, LockCounter::spins_lost, 90'000);
  EXPECT_TRUE(says(pair.words(), "`other` takes as long as `lightweight`, but more processor time.")) << pair.words();
  EXPECT_TRUE(says(pair.words(), "`other` spun in vain 90,000 times")) << pair.words();
}

TEST(Rules, LessProcessorTime) {
  Pair pair(100, 100, 60);
  pair.base.profile->futile_wake_ups = 5'000;
  EXPECT_TRUE(says(pair.words(), "`other` takes as long as `lightweight`, but less processor time.")) << pair.words();
  EXPECT_TRUE(says(pair.words(), "`lightweight` woke threads in vain 5,000 times (`other`: 0)")) << pair.words();
}

TEST(Rules, WithoutLocks) {
  Pair pair(100, 100);
  pair.base.profile->enters = 0;
  EXPECT_TRUE(says(pair.words(), "The program takes no lock.")) << pair.words();
  pair.comparison.modes.push_back(mode_of("none", 60, 60));
  pair.base.profile->enters = 2'000'000;
  pair.base.profile->contended = 20'000;
  EXPECT_TRUE(says(pair.words(), "The program takes 2,000,000 locks, 20.0 per microsecond; 1.0 % of them"))
      << pair.words();
  EXPECT_TRUE(says(pair.words(), "Without locks (`none`) it would take 40 % less time.")) << pair.words();
  EXPECT_FALSE(says(pair.words(), "`none` takes")) << pair.words();
}

TEST(Rules, ModesThatRefuseAreLeftOut) {
  Pair pair(100, 200);
  pair.other.refusal = "LockingMode=other does not run here";
  pair.other.runs.clear();
  EXPECT_FALSE(says(pair.words(), "`other`")) << pair.words();
  std::string report = report_as_text(pair.comparison);
  EXPECT_TRUE(says(report, "other               refuses: LockingMode=other does not run here")) << report;
}

TEST(Report, VariantsStandBelowTheirModes) {
  Pair pair(100, 200);
  pair.other.mode = "lightweight";
  pair.other.variant = "more";
  std::string report = report_as_text(pair.comparison);
  EXPECT_TRUE(says(report, "\n  more                  200.0")) << report;
  EXPECT_FALSE(says(report.substr(0, report.find("95 % confidence")), "\nlightweight\n")) << report;
  EXPECT_TRUE(says(pair.words(), "`lightweight with more` takes 2.00 times as long.")) << pair.words();
  pair.base.profile.reset();  // without rows of waits
  pair.other.profile->waited_ns = {2'000};
  report = report_as_text(pair.comparison);
  EXPECT_TRUE(says(report, "\nlightweight\n  more                  2.0")) << report;
}

TEST(Report, FitsEightyColumns) {
  Pair pair(123'456.7, 1'234'567.8);
  for (u32 i = 0; i < lock_counter_count; ++i) with(pair.other, static_cast<LockCounter>(i), 123'456'789'012);
  pair.other.mode = "lightweight+table-A";
  pair.other.variant = "16-letters-of-it";
  pair.other.profile->enters = 987'654'321'000;
  pair.other.profile->futile_wake_ups = 123'456'789;
  pair.other.profile->inflations = {{"contention", 123'456'789}, {"lock stack full", 12'345'678}, {"monitor enter", 1}};
  pair.other.profile->waited_ns = {1, 1'000, 99'999'999'999};
  pair.base.profile->hot = {{.number = 1,
                             .class_name = "com.example.some.quite.deeply.nested.Outer$Inner",
                             .site = "com.example.some.quite.deeply.nested.Outer$Inner.aMethod(Outer.java:1234) bci 56",
                             .enters = 123'456'789,
                             .contended = 12'345'678,
                             .waited_ns = 123'456'789'012,
                             .threads = 1'000,
                             .jain = 0.5}};
  std::string report = report_as_text(pair.comparison);
  for (usize at = 0; at < report.size();) {
    usize end = report.find('\n', at);
    std::string line = report.substr(at, end - at);
    // Lines have at most 80 characters, but a line with only a long name may have more.
    if (line.find("Outer$Inner") == std::string::npos) EXPECT_LE(line.size(), 80u) << line;
    at = end + 1;
  }
}

TEST(Report, GroupedNumbers) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1'000), "1,000");
  EXPECT_EQ(grouped(41'000), "41,000");
  EXPECT_EQ(grouped(1'234'567), "1,234,567");
}

}  // namespace
}  // namespace keyhole::compare
