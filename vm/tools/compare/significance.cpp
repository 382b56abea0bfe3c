// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes medians, the Mann-Whitney test with its confidence interval, and Holm's correction.
#include "vm/tools/compare/significance.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace keyhole::compare {

f64 median(std::vector<f64> values) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  usize middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

f64 spread(const std::vector<f64>& values) {
  f64 middle = median(values);
  if (middle == 0) return 0;
  auto [least, greatest] = std::ranges::minmax(values);
  return (greatest - least) / 2 / middle;
}

namespace {

// A pair of a left and a right value is in order if the left value is smaller. ways[u] is the number of arrangements of
// n left values among m right values in which u pairs are in order.
std::vector<f64> arrangements(usize n, usize m) {
  // Recurrence over the greatest of i left and j right values. If it is a left value, none of its pairs is in order. If
  // it is a right value, all its i pairs are in order.
  std::vector<std::vector<f64>> ways(n + 1, std::vector<f64>(n * m + 1));
  for (usize i = 0; i <= n; ++i) ways[i][0] = 1;
  for (usize j = 1; j <= m; ++j) {
    std::vector<std::vector<f64>> next(n + 1, std::vector<f64>(n * m + 1));
    next[0][0] = 1;
    for (usize i = 1; i <= n; ++i) {
      for (usize u = 0; u <= n * m; ++u) next[i][u] = next[i - 1][u] + (u >= i ? ways[i][u - i] : 0);
    }
    ways = std::move(next);
  }
  return ways[n];
}

// Returns the two-sided p-value: the probability that at most `in_order` pairs are in order, or that at most
// `in_order` pairs are out of order.
f64 both_tails(const std::vector<f64>& ways, usize in_order) {
  f64 all = std::accumulate(ways.begin(), ways.end(), 0.0);
  f64 extreme = std::accumulate(ways.begin(), ways.begin() + static_cast<i64>(in_order) + 1, 0.0);
  return std::min(1.0, 2 * extreme / all);
}

}  // namespace

f64 probability_of_chance(const std::vector<f64>& left, const std::vector<f64>& right) {
  usize n = left.size(), m = right.size();
  if (n == 0 || m == 0) return 1;
  f64 in_order = 0;
  for (f64 l : left) {
    for (f64 r : right) in_order += l < r ? 1 : l == r ? 0.5 : 0;
  }
  f64 pairs = static_cast<f64>(n * m);
  return both_tails(arrangements(n, m), static_cast<usize>(std::min(in_order, pairs - in_order)));
}

u32 needed_runs(usize comparisons) {
  f64 arrangements_of_runs = 1;
  for (u32 runs = 1;; ++runs) {
    f64 n = runs;
    arrangements_of_runs *= (2 * n) * (2 * n - 1) / (n * n);  // (2n over n)
    if (2 * static_cast<f64>(std::max<usize>(comparisons, 1)) / arrangements_of_runs < significant) return runs;
  }
}

Interval ratio_interval(const std::vector<f64>& values, const std::vector<f64>& base) {
  std::vector<f64> ratios;
  for (f64 value : values) {
    for (f64 other : base) ratios.push_back(other == 0 ? 1 : value / other);
  }
  std::vector<f64> ways = arrangements(values.size(), base.size());
  if (ratios.empty() || both_tails(ways, 0) >= significant) return {0, std::numeric_limits<f64>::infinity()};
  usize left_out = 0;
  while (2 * (left_out + 1) < ratios.size() && both_tails(ways, left_out + 1) < significant) ++left_out;
  std::ranges::sort(ratios);
  return {ratios[left_out], ratios[ratios.size() - 1 - left_out]};
}

std::vector<f64> corrected(const std::vector<f64>& probabilities) {
  std::vector<usize> order(probabilities.size());
  std::iota(order.begin(), order.end(), usize{0});
  std::ranges::sort(order, {}, [&](usize i) { return probabilities[i]; });
  std::vector<f64> result(probabilities.size());
  f64 least = 0;
  for (usize rank = 0; rank < order.size(); ++rank) {
    least = std::max(least, probabilities[order[rank]] * static_cast<f64>(order.size() - rank));
    result[order[rank]] = std::min(1.0, least);
  }
  return result;
}

std::string_view mark_of(f64 probability) { return probability < 0.01 ? "**" : probability < significant ? "*" : ""; }

}  // namespace keyhole::compare
