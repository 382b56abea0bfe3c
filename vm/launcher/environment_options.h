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
// Like java, a process that runs with other rights than its user's (setuid, setgid, capabilities) reads none of them.
//
// KEYHOLE_OPTIONS is like JAVA_TOOL_OPTIONS, but only Keyhole reads it; it takes the launcher's options, too.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace keyhole {

// Words of a string, with '...' and "..." kept together. False: a quote is not closed.
bool split_words(std::string_view text, std::vector<std::string>& words);

// The words of a variable; none if it is unset. Adds java's "Picked up" message to `notices`, also for an empty
// variable.
struct EnvironmentOptions {
  std::vector<std::string> words;
  bool unmatched_quote = false;
};
EnvironmentOptions options_of_environment(const char* variable, std::string& notices);

// Does java's VM leave the option to its launcher? JAVA_TOOL_OPTIONS must not contain such options.
bool is_launcher_option(std::string_view word);
// Is the word after the option its value?
bool takes_next_word(std::string_view word);
// Does the option end the launcher's options, or print information? JDK_JAVA_OPTIONS must not contain such options.
bool ends_command_line(std::string_view word);

}  // namespace keyhole
