// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The SourceFile attribute of class files that javac has just written.
#pragma once

#include <string>

namespace keyhole {

// What a class file says about its source. Both are empty when the bytes are no class file or have no such attribute.
struct ClassSource {
  std::string package;      // "com/example/", or empty
  std::string source_file;  // "Main.java"
};
ClassSource source_of_class(const std::string& bytes);

// Returns the class file with another source name. If a text constant of the program equals the old name, it changes,
// too.
std::string with_source_file(const std::string& bytes, const std::string& source_file);

}  // namespace keyhole
