// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// --saved A B: compares the times in two files that --json has written, mode by mode. It shows the effect of a change
// of the VM, of a flag or of the machine on each mode.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "runtime/base/types.h"

namespace keyhole::compare {

struct SavedTimes {
  std::vector<f64> wall, cpu;  // milliseconds, by run
};
struct Saved {
  std::string command;
  std::vector<std::string> order;           // of the modes
  std::map<std::string, SavedTimes> modes;  // by name
};

// Reads a file that report_as_json has written. `problem`: empty, or the error.
Saved read_saved(const std::string& path, std::string& problem);
// Prints the comparison. Returns the exit code.
int compare_saved(const std::string& before, const std::string& after);

}  // namespace keyhole::compare
