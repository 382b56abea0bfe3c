// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The command line: keyhole --step [options] PROGRAM [arguments]
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace keyhole::step {

struct Options {
  std::string schedule_file, script_file, page_file;
  std::vector<std::string> sources;
  bool is_debug_adapter = false;
  bool help = false;
  std::vector<std::string> program;  // words for the VM
};

extern const std::string_view usage;

// Returns the empty string, or an error message.
std::string parse_options(std::span<char*> words, Options& options);
// Returns the command line of the controlled VM: the flags that stepping needs, then the user's arguments.
std::vector<std::string> words_of_vm(const Options& options);
// Called after the VM's flags are parsed. Returns the empty string, or why a flag is incompatible with --step.
std::string check_flags();

}  // namespace keyhole::step
