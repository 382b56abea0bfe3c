// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// What -version and -fullversion print.
#pragma once

#include <cstdio>
#include <string>

namespace keyhole {

// "17.0.21", from the JDK's `release` file.
std::string class_library_version();
void print_version(FILE* out);   // of a VM that has started
// -fullversion, which java answers without a VM. The exit code: 1 without a class library, which stderr then says.
int print_full_version(FILE* out, const std::string& java_home_property);

}  // namespace keyhole
