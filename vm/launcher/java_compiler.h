// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The compiler of source-file mode: javac in a process of its own, which runs this executable.
//
//   library with a compiler         javac of its module jdk.compiler, on Keyhole
//   library without                 the same of a later installed JDK, told to compile for the library
//   neither                         the compiler that came with a fetched library, a jar, on Keyhole
//
// For a small file javac takes a fifth of HotSpot's processor time on Keyhole, because most of its code runs once. When
// the path of this executable is unknown (executable.h), the JDK's bin/javac is started instead, on HotSpot.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace keyhole {

struct JavaCompiler {
  std::vector<std::string> words;  // the command, to which javac's arguments are added; empty: there is no compiler
  std::string identity;            // a file that changes with the compiler
};
JavaCompiler compiler_for(const std::string& library);

// Runs the command with javac's arguments and returns its exit code. All output goes to the file `messages`.
int run_javac(const std::vector<std::string>& words, const std::filesystem::path& messages);

}  // namespace keyhole
