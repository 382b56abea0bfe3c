// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The output of -version and -fullversion.
#pragma once

#include <cstdio>
#include <string>

namespace keyhole {

// "17.0.21", from the JDK's `release` file.
std::string class_library_version();
void print_version(FILE* out);  // of a VM that has started
// -fullversion, which java answers without a VM. The exit code: 1 without a class library, with a message on stderr.
int print_full_version(FILE* out, const std::string& java_home_property);

}  // namespace keyhole
