// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The output of -version and -fullversion.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace keyhole {

// The version in the JDK's `release` file, for example "17.0.21".
std::string class_library_version();
// Prints Keyhole's own version and `commit`, then the library's. The VM has started. Scripts read the first line for the
// release of Java, so it has that number between quotes.
void print_version(FILE* out, std::string_view commit);
// Prints what -fullversion prints; java answers it without starting a VM. Returns the exit code: 1 without a class
// library, with a message on stderr.
int print_full_version(FILE* out, const std::string& java_home_property);

}  // namespace keyhole
