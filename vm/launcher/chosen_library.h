// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// --library N: the first words of the command line choose the class library of a release, whatever `java` the PATH
// has. The rest is what the command line would be without them: --look, --compare-locks, options, a program.
#pragma once

#include <string>

namespace keyhole {

// Removes the two words from the command line, and names the library in KEYHOLE_JAVA_HOME, which processes started by
// this one inherit. Returns an empty string, or the error.
std::string choose_library(int& argument_count, char**& arguments);

}  // namespace keyhole
