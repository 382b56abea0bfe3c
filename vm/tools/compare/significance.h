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
// Half the distance from the least to the greatest, as a share of the median.
f64 spread(const std::vector<f64>& values);

// The test of Mann and Whitney, exact, two-sided: how probable a difference in rank at least as large would be if all
// runs were runs of the same thing. It assumes no distribution of times. Equal values count half.
f64 probability_of_chance(const std::vector<f64>& left, const std::vector<f64>& right);

// Holm's correction: the more comparisons, the likelier that chance makes one look significant. In the same order.
std::vector<f64> corrected(const std::vector<f64>& probabilities);

// "**" below 0.01, "*" below 0.05, otherwise nothing.
std::string_view mark_of(f64 probability);
constexpr f64 significant = 0.05;

}  // namespace keyhole::compare
