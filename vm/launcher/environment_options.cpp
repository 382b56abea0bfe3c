// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Splits variables into words, and decides which options each variable may contain.
#include "vm/launcher/environment_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <span>

namespace keyhole {
namespace {

constexpr std::string_view ending[] = {
    "-jar",   "-m", "--module",     "--dry-run", "-h",        "-?",           "-help",
    "--help", "-X", "--help-extra", "-version",  "--version", "-fullversion", "--full-version"};
constexpr std::string_view plain[] = {"-showversion", "--show-version", "--list-modules", "--validate-modules"};
constexpr std::string_view before_value[] = {"-cp",
                                             "-classpath",
                                             "--class-path",
                                             "--source",
                                             "-d",
                                             "--describe-module",
                                             "-p",
                                             "--module-path",
                                             "--upgrade-module-path",
                                             "--add-modules",
                                             "--add-exports",
                                             "--add-opens",
                                             "--add-reads",
                                             "--patch-module",
                                             "--limit-modules"};

bool contains(std::span<const std::string_view> list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

}  // namespace

bool split_words(std::string_view text, std::vector<std::string>& words) {
  std::string word;
  bool in_word = false;
  char quote = 0;
  for (char c : text) {
    if (quote != 0) {
      if (c == quote) quote = 0;
      else word += c;
    } else if (c == '\'' || c == '"') {
      quote = c;
      in_word = true;
    } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f') {
      if (in_word) words.push_back(std::move(word)), word.clear(), in_word = false;
    } else {
      word += c;
      in_word = true;
    }
  }
  if (in_word) words.push_back(std::move(word));
  return quote == 0;
}

EnvironmentOptions options_of_environment(const char* variable, std::string& notices) {
  EnvironmentOptions options;
  const char* text = secure_getenv(variable);
  if (text == nullptr) return options;
  bool is_launchers = std::string_view(variable) == "JDK_JAVA_OPTIONS";
  notices += fmt::format("{}Picked up {}: {}\n", is_launchers ? "NOTE: " : "", variable, text);
  options.unmatched_quote = !split_words(text, options.words);
  return options;
}

bool is_launcher_option(std::string_view word) {
  return !word.starts_with('-') || contains(plain, word) || takes_next_word(word) || ends_command_line(word);
}

bool takes_next_word(std::string_view word) { return contains(before_value, word); }

bool ends_command_line(std::string_view word) { return contains(ending, word) || word.starts_with("--module="); }

}  // namespace keyhole
