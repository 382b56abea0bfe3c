// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// --saved A B: compares the times of two files that --json wrote, mode by mode. It tells what a change of the VM, of a
// flag or of the machine did to the modes.
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

// Reads what report_as_json writes. `problem`: empty, or what is wrong with the file.
Saved read_saved(const std::string& path, std::string& problem);
// Prints the comparison. Returns the exit code.
int compare_saved(const std::string& before, const std::string& after);

}  // namespace keyhole::compare
