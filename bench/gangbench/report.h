// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Formats the runs of gangbench as a line of a table and as JSON.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bench/gangbench/workload.h"

namespace keyhole::gangbench {

struct Series {  // the runs of one gang with one set of parameters, one per round
  std::string_view gang;
  std::string_view world;
  Parameters parameters;
  std::vector<Outcome> rounds;
};

// Returns a table row: times of a task in microseconds, and its wake-ups and context switches.
struct Summary {
  f64 average = 0, median = 0, permille_999 = 0, most = 0;
  f64 wake_ups = -1, context_switches = -1, cpu_microseconds = -1;
  usize tasks = 0;
};
Summary summarise(const std::vector<Outcome>& rounds);

std::string heading();
std::string line(const Series& series);
std::string json(const std::vector<Series>& all);

}  // namespace keyhole::gangbench
