// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The command line of a program that a tool starts in a separate process: `keyhole --look [options] Main.java 1`.
//
// The launcher, a higher layer, parses command lines. It passes its parser to the tools that start programs, so that
// they can reject wrong options before they start the program.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace keyhole {

struct ProgramCommand {
  bool is_valid = false;
  std::string output, error;    // the parser's output for stdout and stderr, if it rejects the command line
  bool starts_program = false;  // false: the command line only prints a version, a table of flags or the like
  std::string what;             // class name, jar file, module[/class] or source file
  bool is_source_file = false, is_jar = false;
  std::vector<std::string> vm_arguments;  // as given
};

// Parses the words after `keyhole`. Also sets the VM flags of this process, to the values that they will have in the
// program's VM.
using ReadProgramCommand = ProgramCommand (*)(std::span<const std::string> words);

}  // namespace keyhole
