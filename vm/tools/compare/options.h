// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Parses the command line of --compare-locks: options of the comparison, then the program's command line as for `java`.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "runtime/base/types.h"

namespace keyhole::compare {

// A variant: additional VM flags. Every mode runs both without them and with them.
struct Variant {
  std::string name;  // letters, digits, "." and "-"
  std::vector<std::string> flags;
};

struct Options {
  std::vector<std::string> modes;  // empty: all
  std::vector<Variant> variants;
  u32 runs = 0;            // 0: as many runs as a significant difference needs, but at least usual_runs
  u32 timeout = 0;         // time limit of each run in seconds; 0: no limit
  u32 simulated_cpus = 0;  // 0: no simulation
  std::string json_file, csv_file, page_file, input_file;
  std::vector<std::string> saved;  // two files that --json has written, which are compared instead of running a program
  bool hotspot = true, recorded = true, any_output = false, help = false;
  std::vector<std::string> program;  // options of the VM, the program and its arguments
};

inline constexpr u32 usual_runs = 7;

extern const std::string_view usage;

// Returns the empty string, or the error.
std::string parse_options(std::span<char*> words, Options& options);
// Returns an empty string, or why this VM flag cannot be combined with a comparison.
std::string check_flag(std::string_view flag);

}  // namespace keyhole::compare
