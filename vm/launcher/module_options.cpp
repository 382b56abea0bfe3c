// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Has a table with a row per option. Options without a value, and --describe-module, have their own functions.
#include "vm/launcher/module_options.h"

#include <fmt/format.h>
#include <stdio.h>

#include <algorithm>
#include <utility>

namespace keyhole {
namespace {

struct Row {
  std::string_view name;
  std::string_view requires_what;
  std::string_view property;
  bool numbered;  // may come more than once: property0, property1 ...
};

constexpr std::string_view modules = "modules to be specified";
constexpr std::string_view path = "module path specification";

constexpr Row rows[] = {
    {"--add-exports", modules, "jdk.module.addexports.", true},
    {"--add-opens", modules, "jdk.module.addopens.", true},
    {"--add-reads", modules, "jdk.module.addreads.", true},
    {"--add-modules", modules, "jdk.module.addmods.", true},
    {"--patch-module", modules, "jdk.module.patch.", true},
    {"--limit-modules", modules, "jdk.module.limitmods", false},
    {"--enable-native-access", modules, "jdk.module.enable.native.access.", true},
    {"--illegal-native-access", modules, "jdk.module.illegal.native.access", false},
    {"--module-path", path, "jdk.module.path", false},
    {"-p", path, "jdk.module.path", false},
    {"--upgrade-module-path", path, "jdk.module.upgrade.path", false},
};

usize count_of(const CommandLine& line, std::string_view prefix) {
  usize count = 0;
  for (const auto& [key, value] : line.properties) count += key.starts_with(prefix);
  return count;
}

bool ask(CommandLine& result, CommandLine::ModuleQuestion question, std::string about = "") {
  result.module_question = question;
  result.module_asked_about = std::move(about);
  return true;
}

// Handles options without a value.
bool take_plain(const std::string& word, CommandLine& result) {
  using enum CommandLine::ModuleQuestion;
  if (word == "--list-modules") return ask(result, List);
  if (word == "--validate-modules")
    return result.properties.emplace_back("jdk.module.validation", "true"), ask(result, Validate);
  if (word == "--show-module-resolution")
    return result.properties.emplace_back("jdk.module.showModuleResolution", "true"), true;
  if (word == "--dry-run") return result.dry_run = true;
  return false;
}

}  // namespace

ModuleOption take_module_option(const std::vector<std::string>& words, usize at, CommandLine& result) {
  const std::string& word = words[at];
  if (take_plain(word, result)) return {.recognized = true};
  usize equals = word.find('=');
  bool joined = word.starts_with("--") && equals != std::string::npos;
  std::string_view name = joined ? std::string_view(word).substr(0, equals) : std::string_view(word);
  std::string value = joined                                                     ? word.substr(equals + 1)
                      : at + 1 < words.size() && !words[at + 1].starts_with('-') ? words[at + 1]
                                                                                 : "";
  usize used = joined ? 0 : 1;

  if (name == "--describe-module" || name == "-d") {
    if (value.empty()) return {.recognized = true, .complaint = fmt::format("Error: {} requires module name\n", name)};
    ask(result, CommandLine::ModuleQuestion::Describe, value);
    return {.recognized = true, .words_used = used};
  }
  for (const Row& row : rows) {
    if (name != row.name) continue;
    if (value.empty())
      return {.recognized = true,
              .complaint = fmt::format("Error: {} requires {}\n", word, joined ? modules : row.requires_what)};
    if (row.name == "--patch-module" && value.find('=') == std::string::npos)
      return {.recognized = true, .vm_complaint = "Missing '=' in --patch-module specification\n"};
    std::string property(row.property);
    if (row.numbered) property += std::to_string(count_of(result, row.property));
    result.properties.emplace_back(std::move(property), value);
    if (!joined) result.vm_arguments.back() += '=' + value;  // as java lists them
    return {.recognized = true, .words_used = used};
  }
  return {};
}

bool is_reserved_for_module_options(std::string_view property) {
  return std::any_of(std::begin(rows), std::end(rows), [&](const Row& row) {
    std::string_view name = row.property;
    if (name.ends_with('.')) name.remove_suffix(1);
    return property.starts_with(name) && (property.size() == name.size() || property[name.size()] == '.');
  });
}

void warn_of_reserved_properties() {
  static bool warned = false;
  if (std::exchange(warned, true)) return;
  fputs(
      "OpenJDK 64-Bit Server VM warning: Ignoring system property options whose names match the '-Djdk.module.*'. "
      "names that are reserved for "
      "internal use.\n",
      stderr);
}

}  // namespace keyhole
