// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Reports of the shards of an exploration, and the report of the whole.
//
// M1: a whole is complete if all shards are there and complete, and no place was found to race after the shards had
//     settled their places (Explorer::settle_places).
// M2: a failure of one shard is the whole's; of several, the one with the fewest preemptions.
#pragma once

#include <span>

#include "vm/tools/explore/report.h"

namespace keyhole::explore {

// Reads what Report::json() has written. Returns the empty string, or what is wrong.
std::string read_report(const std::string& json, Report& report);
// Returns the empty string, or why the parts are no whole.
std::string merge_reports(std::span<const Report> parts, Report& whole);

}  // namespace keyhole::explore
