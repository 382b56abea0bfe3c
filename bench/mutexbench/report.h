// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Formats the runs of MutexBench as a line of a table and as JSON.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bench/mutexbench/workload.h"

namespace keyhole::mutexbench {

struct Series {  // the runs of one algorithm with one set of parameters
  std::string_view algorithm;
  std::string_view world;
  Parameters parameters;
  std::vector<Outcome> runs;
};

f64 median(std::vector<f64> values);
std::string heading();
std::string line(const Series& series);
std::string json(const std::vector<Series>& all);

}  // namespace keyhole::mutexbench
