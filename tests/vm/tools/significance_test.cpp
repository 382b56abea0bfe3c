// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the statistics of --compare-locks, compared with literal values and with a count of all arrangements.
#include "vm/tools/compare/significance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace keyhole::compare {
namespace {

TEST(Significance, MedianAndSpread) {
  EXPECT_EQ(median({}), 0);
  EXPECT_EQ(median({3}), 3);
  EXPECT_EQ(median({4, 1, 3}), 3);
  EXPECT_EQ(median({4, 1, 3, 2}), 2.5);
  EXPECT_DOUBLE_EQ(spread({90, 100, 120}), 0.15);
  EXPECT_EQ(spread({5}), 0);
}

TEST(Significance, SeparatedSamplesAreAsImprobableAsTheirNumberAllows) {
  EXPECT_DOUBLE_EQ(probability_of_chance({1, 2, 3, 4, 5}, {6, 7, 8, 9, 10}), 2.0 / 252);
  EXPECT_DOUBLE_EQ(probability_of_chance({11, 12, 13, 14, 15, 16, 17}, {1, 2, 3, 4, 5, 6, 7}), 2.0 / 3432);
  EXPECT_DOUBLE_EQ(probability_of_chance({1}, {2}), 1);
  EXPECT_DOUBLE_EQ(probability_of_chance({1, 2}, {3, 4, 5}), 2.0 / 10);
  EXPECT_DOUBLE_EQ(probability_of_chance({}, {3, 4, 5}), 1);
}

TEST(Significance, EqualSamplesAreNoEvidence) {
  EXPECT_EQ(probability_of_chance({5, 5, 5, 5}, {5, 5, 5, 5}), 1);
  EXPECT_EQ(probability_of_chance({1, 4, 5, 8}, {2, 3, 6, 7}), 1);
}

// Returns the share of all arrangements of ranks in which the rank sum of the left side is at least as extreme.
f64 by_counting(const std::vector<f64>& left, const std::vector<f64>& right) {
  usize n = left.size(), all = n + right.size();
  auto pairs_in_order = [&](const std::vector<bool>& is_left) {
    u32 pairs = 0, lefts = 0;
    for (bool one : is_left) one ? ++lefts : pairs += lefts;
    return pairs;
  };
  std::vector<std::pair<f64, bool>> merged;
  for (f64 value : left) merged.emplace_back(value, true);
  for (f64 value : right) merged.emplace_back(value, false);
  std::ranges::sort(merged);
  std::vector<bool> seen;
  for (auto [value, is_left] : merged) seen.push_back(is_left);
  u32 most = static_cast<u32>(n * right.size());
  u32 least = std::min(pairs_in_order(seen), most - pairs_in_order(seen));
  u32 extreme = 0, ways = 0;
  for (u32 bits = 0; bits < 1u << all; ++bits) {
    if (static_cast<usize>(__builtin_popcount(bits)) != n) continue;
    std::vector<bool> is_left;
    for (usize i = 0; i < all; ++i) is_left.push_back((bits >> i & 1) != 0);
    ++ways;
    if (pairs_in_order(is_left) <= least) ++extreme;
  }
  return std::min(1.0, 2.0 * extreme / ways);
}

TEST(Significance, AgreesWithCountingAllArrangements) {
  std::mt19937 random(7);
  std::uniform_real_distribution<f64> value(0, 1);
  for (u32 round = 0; round < 40; ++round) {
    std::vector<f64> left(1 + round % 6), right(2 + round % 5);
    for (f64& each : left) each = value(random) + (round % 3 == 0 ? 0.4 : 0);
    for (f64& each : right) each = value(random);
    EXPECT_NEAR(probability_of_chance(left, right), by_counting(left, right), 1e-12) << round;
  }
}

TEST(Significance, RunsThatADifferenceNeeds) {
  EXPECT_EQ(needed_runs(1), 4u);    // four runs can give p = 2 / 70, but three runs only 2 / 20
  EXPECT_EQ(needed_runs(2), 5u);    // 4 / 252
  EXPECT_EQ(needed_runs(12), 6u);   // 24 / 924
  EXPECT_EQ(needed_runs(100), 8u);  // 200 / 12870
  for (usize modes : {1, 2, 12, 100}) {
    std::vector<f64> left, right;
    for (u32 i = 0; i < needed_runs(modes); ++i) left.push_back(i), right.push_back(1000 + i);
    std::vector<f64> chances(modes, probability_of_chance(left, right));
    EXPECT_LT(corrected(chances).front(), significant) << modes;
  }
}

TEST(Significance, TheIntervalOfARatioHasOneAsOftenAsTheTestFindsNothing) {
  std::mt19937 random(7);
  std::normal_distribution<f64> value(100, 5);
  u32 without_one = 0, significant_ones = 0;
  for (u32 round = 0; round < 500; ++round) {
    std::vector<f64> left(7), right(7);
    for (f64& each : left) each = value(random);
    for (f64& each : right) each = value(random);
    auto [from, to] = ratio_interval(left, right);
    EXPECT_LE(from, median(left) / median(right) * 1.05);
    EXPECT_GE(to, median(left) / median(right) * 0.95);
    without_one += from > 1 || to < 1 ? 1 : 0;
    significant_ones += probability_of_chance(left, right) < significant ? 1 : 0;
  }
  EXPECT_EQ(without_one, significant_ones);
  EXPECT_LT(without_one, 45u);  // 5 % of 500 comparisons, which are 25, are expected to be significant by chance
}

TEST(Significance, AnIntervalOfTooFewRunsIsEverything) {
  auto [from, to] = ratio_interval({1, 2, 3}, {4, 5, 6});
  EXPECT_EQ(from, 0);
  EXPECT_TRUE(std::isinf(to));
}

TEST(Significance, HolmsCorrection) {
  std::vector<f64> result = corrected({0.0075, 0.04, 0.0125, 1});
  ASSERT_EQ(result.size(), 4u);
  EXPECT_DOUBLE_EQ(result[0], 0.03);    // x 4
  EXPECT_DOUBLE_EQ(result[2], 0.0375);  // x 3
  EXPECT_DOUBLE_EQ(result[1], 0.08);    // x 2
  EXPECT_DOUBLE_EQ(result[3], 1);
  EXPECT_EQ(corrected({0.02, 0.011}), (std::vector<f64>{0.022, 0.022}));  // never below a smaller value's
}

TEST(Significance, Marks) {
  EXPECT_EQ(mark_of(0.0099), "**");
  EXPECT_EQ(mark_of(0.01), "*");
  EXPECT_EQ(mark_of(0.05), "");
}

}  // namespace
}  // namespace keyhole::compare
