// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Options from the environment, in java's order:
//
//   JAVA_TOOL_OPTIONS, KEYHOLE_OPTIONS   before the command line; what java's VM takes (no class path, no -version)
//   JDK_JAVA_OPTIONS                     in front of the command line's words; what java's launcher takes, but nothing
//                                        that ends it
//   _JAVA_OPTIONS                        after the command line
//
// KEYHOLE_OPTIONS is java's JAVA_TOOL_OPTIONS for those who want only Keyhole to see it; it takes the launcher's
// options, too.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace keyhole {

// Words of a string, with '...' and "..." kept together. False: a quote is not closed.
bool split_words(std::string_view text, std::vector<std::string>& words);

// The words of a variable, none when it is unset; that it was found is added to `notices`, as java does also for an
// empty one.
struct EnvironmentOptions {
  std::vector<std::string> words;
  bool unmatched_quote = false;
};
EnvironmentOptions options_of_environment(const char* variable, std::string& notices);

// Whether java's VM leaves the option to its launcher, so that JAVA_TOOL_OPTIONS may not hold it.
bool is_launcher_option(std::string_view word);
// Whether the word behind the option is its value.
bool takes_next_word(std::string_view word);
// Whether the option ends the launcher's options, or answers a question, so that JDK_JAVA_OPTIONS may not hold it.
bool ends_command_line(std::string_view word);

}  // namespace keyhole
