// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The locking modes that the option --modes A,B of a tool names: modes of this VM, and locks in files (./mylock.h).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace keyhole::lab {

// The names of this VM's locking modes that are compared with each other.
std::vector<std::string> all_modes();
// Parses names that are separated by commas. Compiles the locks in files, to report their errors before anything runs.
// Returns the empty string, or the error.
std::string parse_modes(std::string_view list, std::vector<std::string>& modes);

}  // namespace keyhole::lab
