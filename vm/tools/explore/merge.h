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
#include <string>

#include "vm/tools/explore/report.h"

namespace keyhole::explore {

struct ReadProblem {
  std::string text;
  bool is_damage = false;
};
// Parses the output of Report::json(), and checks every number. If the JSON is not the report of a shard, or is
// damaged, the result's text is an error message. Otherwise the text is empty.
ReadProblem read_report(const std::string& json, Report& report);
// Merges the reports. Returns the empty string, or why the reports do not form one exploration.
std::string merge_reports(std::span<const Report> parts, Report& whole);

// Adds up the reports of the parts of one exploration. Unlike merge_reports(), it accepts the report of a worker that
// was stopped because another worker found a failure, and reports of workers that used different kinds of engines.
Report sum_of(std::span<const Report> parts);

}  // namespace keyhole::explore
