// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Parses a command's line into its options and arguments, and makes the help texts about them.
//
//   line    word*, separated by blanks
//   word    key | key=value; in ' or " they may contain blanks
//
// A key that names an option sets it; every other word is the next argument.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include <unistd.h>

#include "classlib/natives/java.management/diagnostic_commands.h"
#include "vm/link/release_behaviour.h"

namespace keyhole::natives {

std::optional<std::string> DiagnosticArguments::text(std::string_view name) const {
  for (const Value& value : values_)
    if (value.parameter->name == name) return value.text;
  return {};
}

bool DiagnosticArguments::is_given(std::string_view name) const {
  for (const Value& value : values_)
    if (value.parameter->name == name) return value.given;
  return false;
}

i64 DiagnosticArguments::number(std::string_view name) const {
  std::string digits = text(name).value_or("0");
  i64 value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);  // the parser has checked the number
  return value;
}

class DiagnosticParser {
 public:
  DiagnosticParser(const DiagnosticCommand& command, std::string_view line, DiagnosticArguments& result)
      : rest_(line), values_(result.values_) {
    for (const std::vector<DiagnosticParameter>* list : {&command.options, &command.arguments}) {
      for (const DiagnosticParameter& parameter : *list) {
        std::optional<std::string> initial;
        if (parameter.default_text) initial = std::string(*parameter.default_text);
        values_.push_back({&parameter, initial});
      }
    }
    option_count_ = command.options.size();
    next_argument_ = option_count_;
  }

  std::string parse() {
    for (;;) {
      rest_.remove_prefix(std::min(rest_.find_first_not_of(' '), rest_.size()));
      if (rest_.empty()) break;
      std::optional<std::string_view> key = piece("= "), value;
      if (!key) return malformed;
      if (rest_.starts_with('=')) {
        rest_.remove_prefix(1);
        value = piece(" ");
        if (!value) return malformed;
      }
      std::string problem = take(*key, value);
      if (!problem.empty()) return problem;
    }
    for (usize i = 0; i < values_.size(); ++i) {
      const auto& value = values_[(i + option_count_) % values_.size()];  // arguments first
      if (!value.parameter->mandatory || value.given) continue;
      return fmt::format("The {} '{}' is mandatory.", i + option_count_ < values_.size() ? "argument" : "option",
                         value.parameter->name);
    }
    return {};
  }

 private:
  static constexpr const char* malformed = "Format error in diagnostic command arguments";

  // Takes the text up to one of `ends`, or the text in quotes. Empty result: the second quote is missing.
  std::optional<std::string_view> piece(std::string_view ends) {
    char first = rest_.empty() ? '\0' : rest_.front();
    bool quoted = first == '"' || first == '\'';
    if (quoted) rest_.remove_prefix(1);
    usize end = quoted ? rest_.find(first) : rest_.find_first_of(ends);
    if (quoted && end == std::string_view::npos) return {};
    std::string_view result = rest_.substr(0, end);
    rest_.remove_prefix(std::min(result.size() + (quoted ? 1 : 0), rest_.size()));
    return result;
  }

  std::string take(std::string_view key, std::optional<std::string_view> value) {
    for (usize i = 0; i < option_count_; ++i)
      if (values_[i].parameter->name == key) return set(values_[i], value);
    if (next_argument_ == values_.size()) return fmt::format("Unknown argument '{}' in diagnostic command.", key);
    return set(values_[next_argument_++], key);
  }

  // Replaces %p in a file's name by the process id.
  static void name_process(std::string& path) {
    for (usize at = path.find("%p"); at != std::string::npos; at = path.find("%p", at))
      path.replace(at, 2, std::to_string(getpid()));
  }

  static std::string set(DiagnosticArguments::Value& place, std::optional<std::string_view> value) {
    if (place.given) return "Duplicates in diagnostic command arguments\n";
    place.given = true;
    std::string_view name = place.parameter->name, text = value.value_or("");
    switch (place.parameter->type) {
      case ParameterType::boolean:
        if (text.empty()) text = "true";
        if (text != "true" && text != "false")
          return fmt::format("Boolean parsing error in command argument '{}'. Could not parse: {}.\n", name, text);
        break;
      case ParameterType::integer: {
        i64 number;
        auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (error != std::errc() || end != text.data() + text.size())
          return fmt::format("Integer parsing error in command argument '{}'. Could not parse: {}.\n", name, text);
        break;
      }
      case ParameterType::text:
      case ParameterType::file:
        if (!value) return {};
        break;
    }
    place.text = std::string(text);
    if (place.parameter->type == ParameterType::file && release::commands_know_files()) name_process(*place.text);
    return {};
  }

  std::string_view rest_;
  std::vector<DiagnosticArguments::Value>& values_;
  usize option_count_, next_argument_;
};

std::string parse_diagnostic_arguments(const DiagnosticCommand& command, std::string_view line,
                                       DiagnosticArguments& arguments) {
  return DiagnosticParser(command, line, arguments).parse();
}

namespace {

std::string help_line(const DiagnosticParameter& parameter) {
  std::string default_text = parameter.default_text ? std::string(*parameter.default_text) : "no default value";
  return fmt::format("\t{} : {}{} ({}, {})\n", parameter.name, parameter.mandatory ? " " : "[optional] ",
                     parameter.description, name_of_type(parameter.type), default_text);
}

}  // namespace

std::string_view name_of_type(ParameterType type) {
  switch (type) {
    case ParameterType::boolean: return "BOOLEAN";
    case ParameterType::integer: return "INT";
    case ParameterType::text: return "STRING";
    case ParameterType::file: return release::commands_know_files() ? "FILE" : "STRING";
  }
  return {};
}

std::string diagnostic_help(const DiagnosticCommand& command) {
  std::string text = fmt::format("{}\n{}\n\nImpact: {}\n\n", command.name, command.description, command.impact);
  if (command.permission && release::commands_have_permissions()) {
    const DiagnosticPermission& permission = *command.permission;
    std::string comma = permission.action.empty() ? "" : ", ";
    text += fmt::format("Permission: {}({}{}{})\n\n", permission.class_name, permission.name, comma, permission.action);
  }
  if (command.options.empty() && command.arguments.empty()) return text + fmt::format("Syntax: {}\n", command.name);
  text += fmt::format("Syntax : {} {}", command.name, command.options.empty() ? "" : "[options]");
  for (const DiagnosticParameter& argument : command.arguments)
    text += argument.mandatory ? fmt::format(" <{}>", argument.name) : fmt::format(" [<{}>]", argument.name);
  text += "\n";
  if (!command.arguments.empty()) text += "\nArguments:\n";
  for (const DiagnosticParameter& argument : command.arguments) text += help_line(argument);
  if (!command.options.empty())
    text += "\nOptions: (options must be specified using the <key> or <key>=<value> syntax)\n";
  for (const DiagnosticParameter& option : command.options) text += help_line(option);
  return text;
}

}  // namespace keyhole::natives
