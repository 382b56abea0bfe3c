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

// Returns the empty string, or what is wrong.
std::string parse_options(std::span<char*> words, Options& options);
// The words with which the controlled VM starts: what it needs, then the user's.
std::vector<std::string> words_of_vm(const Options& options);
// Returns the empty string, or why the flags, once parsed, do not fit.
std::string check_flags();

}  // namespace keyhole::step
