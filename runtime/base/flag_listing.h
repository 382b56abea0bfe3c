// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The output of -XX:+PrintFlagsInitial and -XX:+PrintFlagsRanges.
#pragma once

#include <string>

namespace keyhole::flags {

std::string initial_text();  // defaults, whatever the command line says
std::string ranges_text();

}  // namespace keyhole::flags
