// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The texts of --help and -X: the options of command_line.h, and the tables of flags.
#pragma once

#include <string>

namespace keyhole {

std::string help_text();
std::string extra_help_text();

}  // namespace keyhole
