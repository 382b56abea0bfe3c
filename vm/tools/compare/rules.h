// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The causes of differences, in words. The causes are the table rules.def; docs/compare-locks.md has them for readers.
//
// R1: a mode is slower or faster than the base if its wall time differs by at least 3 % and Mann and Whitney's test,
//     corrected by Holm for the number of modes, finds it significant.
// R2: the cause of a difference between two modes is the rule with the largest surplus in the slower one, times its
//     cost, if the slower mode counts at least twice as many, and the product is at least a tenth of the smaller of the
//     differences in wall time and in processor time. If there is no such rule, the report says that nothing explains
//     it.
// R3: a mode that differs in processor time by at least a fifth, significantly, and not in wall time, is named with its
//     cause by the same rule.
// R4: without any difference the words say so, and whether there were too few runs.
// R5: `none` is no mode to choose: it shows what locks cost (R1).
#pragma once

#include <string>
#include <vector>

#include "vm/tools/compare/figures.h"

namespace keyhole::compare {

// Of each mode against the base, corrected for the number of modes; 1 for the base and for those that refuse.
struct Chances {
  std::vector<f64> wall, cpu;
};
Chances chances_of(const Comparison& comparison);

// Null, or the rule by which `slow` loses against `fast` (R2).
struct Rule {
  std::string_view name;
  f64 nanoseconds;
  u64 (*count)(const ModeFigures& mode);
  std::string_view sentence;
};
const Rule* cause_of(const ModeFigures& slow, const ModeFigures& fast);

// One sentence or more each.
std::vector<std::string> what_decided(const Comparison& comparison);

// 41000 -> "41,000"
std::string grouped(u64 number);

}  // namespace keyhole::compare
