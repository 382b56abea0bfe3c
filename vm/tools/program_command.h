// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The command line of a program that a tool starts in a process of its own: `keyhole --look [options] Main.java 1`.
//
// Tools lie below the launcher, which parses command lines. The launcher hands its parser to the tools that start
// programs, so that they reject wrong options before they run the program.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace keyhole {

struct ProgramCommand {
  bool is_valid = false;
  std::string output, error;    // of the parser, if it rejects the words: for stdout and stderr
  bool starts_program = false;  // false: it only prints a version, a table of flags or the like
  std::string what;             // class name, jar file, module[/class] or source file
  bool is_source_file = false, is_jar = false;
  std::vector<std::string> vm_arguments;  // as given
};

// Parses the words after `keyhole`, and sets the flags as the program's VM will.
using ReadProgramCommand = ProgramCommand (*)(std::span<const std::string> words);

}  // namespace keyhole
