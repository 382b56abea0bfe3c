// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Statistics: whether the runs of two modes differ by more than chance explains.
#pragma once

#include <string_view>
#include <vector>

#include "runtime/base/types.h"

namespace keyhole::compare {

f64 median(std::vector<f64> values);
// The spread: half the distance from the least to the greatest value, divided by the median.
f64 spread(const std::vector<f64>& values);

// The exact, two-sided Mann-Whitney test. Returns the p-value: the probability of a difference in ranks at least this
// large if both sides had the same distribution. The test assumes nothing about the distribution's shape. A pair of
// equal values counts half.
f64 probability_of_chance(const std::vector<f64>& left, const std::vector<f64>& right);

// Holm's correction of p-values for multiple comparisons: the more comparisons there are, the more often one looks
// significant by chance. Keeps the order of the values.
std::vector<f64> corrected(const std::vector<f64>& probabilities);

// Returns the least number of runs with which a difference to the base can be significant when `comparisons` modes are
// compared. It assumes the clearest case, in which every run of the mode is slower than every run of the base.
u32 needed_runs(usize comparisons);

// A confidence interval of at least 95 % for the ratio of two sides. It is computed from the ratios of all pairs of a
// value and a base value, in ascending order. The interval excludes as many ratios at each end as the Mann-Whitney test
// allows at that confidence. With too few values, the interval is 0 to infinity.
struct Interval {
  f64 from, to;
};
Interval ratio_interval(const std::vector<f64>& values, const std::vector<f64>& base);

// Returns the mark for a p-value: "**" below 0.01, "*" below 0.05, otherwise an empty string.
std::string_view mark_of(f64 probability);
constexpr f64 significant = 0.05;

}  // namespace keyhole::compare
