// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Merges the reports of an exploration's shards into one report.
//
// M1: the merged exploration is complete if every shard has a report, every shard is complete, and no shard found a
//     racing place after the places were final (Explorer::settle_places).
// M2: if shards failed, the merged report has the failure with the fewest preemptions.
#pragma once

#include <span>

#include "vm/tools/explore/report.h"

namespace keyhole::explore {

// Parses the output of Report::json(). Returns the empty string, or an error message.
std::string read_report(const std::string& json, Report& report);
// Merges the reports. Returns the empty string, or why the reports do not form one exploration.
std::string merge_reports(std::span<const Report> parts, Report& whole);

}  // namespace keyhole::explore
