// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Describes the causes of differences in words. rules.def is the table of causes; docs/compare-locks.md shows it to
// users.
//
// R1: a mode is slower or faster than the base if its wall time differs by at least 3 % and Mann and Whitney's test,
//     corrected by Holm for the number of modes, finds it significant.
// R2: the cause of a difference between two modes is the rule with the largest surplus in the slower one, times its
//     cost, if the slower mode counts at least twice as many, and the product is at least a tenth of the smaller of the
//     differences in wall time and in processor time. If there is no such rule, the report says that nothing explains
//     it.
// R3: a mode whose processor time differs significantly, by at least a fifth, but not its wall time, is named with its
//     cause by the same rule.
// R4: when there is no difference the report says so, and says whether there were too few runs.
// R5: `none` is no mode to choose: it shows what locks cost (R1).
#pragma once

#include <string>
#include <vector>

#include "vm/tools/compare/figures.h"

namespace keyhole::compare {

// The probabilities, for each mode against the base, that chance explains the difference, corrected for the number of
// modes. 1 for the base and for modes that refuse the program.
struct Chances {
  std::vector<f64> wall, cpu;
};
Chances chances_of(const Comparison& comparison);

// The rule by which `slow` loses against `fast` (R2), or null.
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
