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
// Half the distance from the least to the greatest value, as a share of the median.
f64 spread(const std::vector<f64>& values);

// The test of Mann and Whitney, exact and two-sided: the probability of a difference in rank at least as large if both
// sides had the same distribution. It assumes no shape of that distribution. Equal values count half.
f64 probability_of_chance(const std::vector<f64>& left, const std::vector<f64>& right);

// Holm's correction, because among more comparisons chance more often makes one look significant. Keeps the order.
std::vector<f64> corrected(const std::vector<f64>& probabilities);

// The least number of runs with which a difference to the base can be significant at all: if every run of a mode is
// slower than every run of the base, and `comparisons` modes are compared.
u32 needed_runs(usize comparisons);

// The ratio of two sides, with the interval that contains it with a probability of at least 95 %: the ratios of all
// pairs, without as many at both ends as Mann and Whitney's test leaves to chance. Too few values: from 0 to infinity.
struct Interval {
  f64 from, to;
};
Interval ratio_interval(const std::vector<f64>& values, const std::vector<f64>& base);

// Marks significance: "**" below 0.01, "*" below 0.05, otherwise an empty string.
std::string_view mark_of(f64 probability);
constexpr f64 significant = 0.05;

}  // namespace keyhole::compare
