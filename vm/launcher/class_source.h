// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The SourceFile attribute of class files that javac has just written.
#pragma once

#include <string>

namespace keyhole {

// Of a file's bytes; both empty when it is no class file, or has no such attribute.
struct ClassSource {
  std::string package;      // "com/example/", or empty
  std::string source_file;  // "Main.java"
};
ClassSource source_of_class(const std::string& bytes);

// The same class file, naming another source. A text constant of the program that is the very same name changes, too.
std::string with_source_file(const std::string& bytes, const std::string& source_file);

}  // namespace keyhole
