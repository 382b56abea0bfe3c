// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Prints the output of -version and -fullversion.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace keyhole {

// Returns the version in the JDK's `release` file, for example "17.0.21".
std::string class_library_version();
// Prints Keyhole's version and `commit`, then the class library's version. Must be called after the VM has started.
// Scripts parse the release of Java from the first line, so that line has the number in quotes.
void print_version(FILE* out, std::string_view commit);
// Prints the output of -fullversion. Like java, does so without starting a VM. If there is no class library, prints a
// message to stderr and returns the exit code 1, otherwise 0.
int print_full_version(FILE* out, const std::string& java_home_property);

}  // namespace keyhole
