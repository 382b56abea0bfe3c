// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The report of a comparison: for people, at most 80 columns wide, and for programs.
#pragma once

#include <string>

#include "vm/tools/compare/figures.h"

namespace keyhole::compare {

std::string report_as_text(const Comparison& comparison);
// Returns CSV with a row for each run: mode, variant, times, counters.
std::string report_as_csv(const Comparison& comparison);
std::string report_as_json(const Comparison& comparison);

}  // namespace keyhole::compare
