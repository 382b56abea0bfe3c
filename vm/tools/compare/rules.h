// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Describes the causes of differences in words. rules.def is the table of causes; docs/compare-locks.md shows it to
// users.
//
// R1: a mode is slower or faster than the base if its wall time differs by at least 3 %, and the difference is
//     significant by the Mann-Whitney test with Holm's correction for the number of modes.
// R2: for two modes, the product of a rule is its surplus count in the slower mode times its cost. The cause of the
//     difference is the rule with the largest product. It must meet two conditions: the slower mode's count is at least
//     twice the faster mode's, and the product is at least a tenth of the smaller of the differences in wall time and
//     in processor time. If no rule meets them, the report says that nothing explains the difference.
// R3: if the wall time of a mode does not differ, but its processor time differs significantly and by at least a fifth,
//     the report names the mode, with the cause that R2 finds.
// R4: if no mode differs, the report says so, and says whether there were too few runs to find a difference.
// R5: the mode `none` does not lock, so users cannot choose it. The report uses it to show the cost of locks (R1).
#pragma once

#include <string>
#include <vector>

#include "vm/tools/compare/figures.h"

namespace keyhole::compare {

// For each mode: the p-value of its difference to the base, corrected for the number of modes. It is 1 for the base and
// for modes that refuse the program.
struct Chances {
  std::vector<f64> wall, cpu;
};
Chances chances_of(const Comparison& comparison);

// Returns the cause (R2) for which `slow` is slower than `fast`, or null.
struct Rule {
  std::string_view name;
  f64 nanoseconds;
  u64 (*count)(const ModeFigures& mode);
  std::string_view sentence;
};
const Rule* cause_of(const ModeFigures& slow, const ModeFigures& fast);

// The report's conclusions, each of one sentence or more.
std::vector<std::string> what_decided(const Comparison& comparison);

// Formats a number with separators: 41000 -> "41,000".
std::string grouped(u64 number);

}  // namespace keyhole::compare
