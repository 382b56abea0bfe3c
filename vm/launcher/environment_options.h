// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Options from the environment, in java's order:
//
//   JAVA_TOOL_OPTIONS, KEYHOLE_OPTIONS   before the command line; options of java's VM (no class path, no -version)
//   JDK_JAVA_OPTIONS                     in front of the command line's words; options of java's launcher, except those
//                                        that end it
//   _JAVA_OPTIONS                        after the command line
//
// As java, a process that runs with somebody else's rights (setuid, setgid, capabilities) reads none of them.
//
// KEYHOLE_OPTIONS is like JAVA_TOOL_OPTIONS, but only Keyhole reads it; it takes the launcher's options, too.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace keyhole {

// Words of a string, with '...' and "..." kept together. False: a quote is not closed.
bool split_words(std::string_view text, std::vector<std::string>& words);

// The words of a variable, none when it is unset; adds java's message that it was found to `notices`, even for an empty
// one.
struct EnvironmentOptions {
  std::vector<std::string> words;
  bool unmatched_quote = false;
};
EnvironmentOptions options_of_environment(const char* variable, std::string& notices);

// Whether java's VM leaves the option to its launcher, so that JAVA_TOOL_OPTIONS must not contain it.
bool is_launcher_option(std::string_view word);
// Whether the word after the option is its value.
bool takes_next_word(std::string_view word);
// Whether the option ends the launcher's options, or prints information, so that JDK_JAVA_OPTIONS must not contain it.
bool ends_command_line(std::string_view word);

}  // namespace keyhole
