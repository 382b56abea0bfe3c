// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The flag variables, and the parser that fills them.
#include "runtime/base/flags.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "runtime/base/print.h"
#include "runtime/base/similarity.h"

namespace keyhole::flags {

#define FLAG_BOOL(name, value, kind, sentence) bool name = value;
#define FLAG_INT(name, value, kind, minimum, maximum, sentence) i64 name = value;
#define FLAG_SIZE(name, value, kind, minimum, maximum, sentence) u64 name = value;
#define FLAG_REAL(name, value, kind, minimum, maximum, sentence) double name = value;
#define FLAG_TEXT(name, value, kind, sentence) std::string name = value;
#include "runtime/base/flags.def"
#undef FLAG_BOOL
#undef FLAG_INT
#undef FLAG_SIZE
#undef FLAG_REAL
#undef FLAG_TEXT

std::vector<Row>& rows() {
  static std::vector<Row> table = {
#define FLAG_BOOL(name, value, kind, sentence) \
  {#name, Type::boolean, Kind::kind, sentence, &name, 0, 1, Origin::default_value},
#define FLAG_INT(name, value, kind, minimum, maximum, sentence) \
  {#name, Type::integer, Kind::kind, sentence, &name, minimum, maximum, Origin::default_value},
#define FLAG_SIZE(name, value, kind, minimum, maximum, sentence) \
  {#name, Type::size, Kind::kind, sentence, &name, minimum, maximum, Origin::default_value},
#define FLAG_REAL(name, value, kind, minimum, maximum, sentence) \
  {#name, Type::real, Kind::kind, sentence, &name, minimum, maximum, Origin::default_value},
#define FLAG_TEXT(name, value, kind, sentence) \
  {#name, Type::text, Kind::kind, sentence, &name, 0, 0, Origin::default_value},
#include "runtime/base/flags.def"
#undef FLAG_BOOL
#undef FLAG_INT
#undef FLAG_SIZE
#undef FLAG_REAL
#undef FLAG_TEXT
  };
  return table;
}

std::vector<InertRow>& inert_rows() {
  static std::vector<InertRow> table = {
#define INERT_BOOL(name, is_so, sentence) {#name, true, is_so, sentence},
#define INERT_VALUE(name, sentence) {#name, false, false, sentence},
#include "runtime/base/inert_flags.def"
#undef INERT_BOOL
#undef INERT_VALUE
  };
  return table;
}

namespace {

Row* find(std::string_view name) {
  auto& table = rows();
  auto found = std::find_if(table.begin(), table.end(), [&](const Row& row) { return row.name == name; });
  return found == table.end() ? nullptr : &*found;
}

std::string unrecognized(std::string_view argument, std::string_view name) {
  if (!argument.empty() && (argument.front() == '+' || argument.front() == '-')) argument.remove_prefix(1);
  std::string text = fmt::format("Unrecognized VM option '{}'\n", argument);
  std::vector<std::string_view> names;
  for (const Row& row : rows()) names.push_back(row.name);
  if (const Row* nearest = find(most_similar(name, names, 0.7)); nearest != nullptr) {
    bool is_boolean = nearest->type == Type::boolean;
    text +=
        fmt::format("Did you mean '{}{}{}'?\n", is_boolean ? "(+/-)" : "", nearest->name, is_boolean ? "" : "=<value>");
  }
  return text;
}

// Parses a number: decimal or 0x, then k, m, g or t (either case). False: the text is not a number, or it does not fit.
bool parse_number(std::string_view text, bool with_unit, i64* result) {
  bool negative = !text.empty() && text.front() == '-';
  if (negative) text.remove_prefix(1);
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) base = 16, text.remove_prefix(2);
  u64 value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end == text.data()) return false;
  std::string_view rest(end, static_cast<usize>(text.data() + text.size() - end));
  u32 shift = 0;
  if (with_unit && rest.size() == 1) {
    switch (rest.front() | 0x20) {
      case 'k': shift = 10; break;
      case 'm': shift = 20; break;
      case 'g': shift = 30; break;
      case 't': shift = 40; break;
      default: return false;
    }
  } else if (!rest.empty()) {
    return false;
  }
  if (value > (static_cast<u64>(INT64_MAX) >> shift)) return false;
  value <<= shift;
  *result = negative ? -static_cast<i64>(value) : static_cast<i64>(value);
  return true;
}

std::string_view type_name(Type type) {
  switch (type) {
    case Type::boolean: return "bool";
    case Type::integer: return "intx";
    case Type::size: return "size_t";
    case Type::real: return "double";
    case Type::text: return "ccstr";
  }
  return "";
}

// The message for a value that is not a number or is out of range.
std::string set_number(Row& row, std::string_view value, std::string_view argument) {
  i64 number = 0;
  if (!parse_number(value, row.type == Type::size, &number))
    return fmt::format("Improperly specified VM option '{}'\n", argument);
  if (number < row.minimum || number > row.maximum) {
    return fmt::format("{} {}={} is outside the allowed range [ {} ... {} ]\n", type_name(row.type), row.name, number,
                       row.minimum, row.maximum);
  }
  if (row.type == Type::integer) *static_cast<i64*>(row.variable) = number;
  else *static_cast<u64*>(row.variable) = static_cast<u64>(number);
  return {};
}

std::string set_real(Row& row, std::string_view value, std::string_view argument) {
  double number = 0;
  auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number, std::chars_format::fixed);
  bool whole = error == std::errc() && end == value.data() + value.size() && !value.starts_with('-');
  if (!whole) return fmt::format("Improperly specified VM option '{}'\n", argument);
  double minimum = static_cast<double>(row.minimum), maximum = static_cast<double>(row.maximum);
  if (number < minimum || number > maximum) {
    return fmt::format("{} {}={:.6f} is outside the allowed range [ {:.6f} ... {:.6f} ]\n", type_name(row.type),
                       row.name, number, minimum, maximum);
  }
  *static_cast<double*>(row.variable) = number;
  return {};
}

// Takes a HotSpot flag that has no effect here: checks its form, and warns if it requests another behaviour.
std::string take_inert(InertRow& row, std::string_view argument, std::string* warnings) {
  bool with_sign = argument.front() == '+' || argument.front() == '-';
  if (with_sign && !row.is_boolean) return fmt::format("Unexpected +/- setting in VM option '{}'\n", row.name);
  if (!with_sign && row.is_boolean) return fmt::format("Missing +/- setting for VM option '{}'\n", row.name);
  if (!with_sign && argument.size() <= row.name.size() + 1)
    return fmt::format("Improperly specified VM option '{}'\n", argument);
  if (row.is_boolean) row.asked_for = argument.front() == '+';
  bool holds_anyway = row.is_boolean && row.asked_for == row.is_so;
  if (!holds_anyway && warnings != nullptr)
    *warnings += fmt::format("Keyhole VM warning: -XX:{} has no effect: {}\n", argument, row.sentence);
  return {};
}

}  // namespace

const Row* find_row(std::string_view name) { return find(name); }

std::string value_text(const Row& row) {
  switch (row.type) {
    case Type::boolean: return *static_cast<bool*>(row.variable) ? "true" : "false";
    case Type::integer: return fmt::format("{}", *static_cast<i64*>(row.variable));
    case Type::size: return fmt::format("{}", *static_cast<u64*>(row.variable));
    case Type::real: return fmt::format("{:.6f}", *static_cast<double*>(row.variable));
    case Type::text: return *static_cast<std::string*>(row.variable);
  }
  return "";
}

std::string option_text(const Row& row) {
  if (row.type == Type::boolean)
    return fmt::format("-XX:{}{}", *static_cast<const bool*>(row.variable) ? '+' : '-', row.name);
  return fmt::format("-XX:{}={}", row.name, value_text(row));
}

std::string parse(std::string_view argument, std::string* warnings) {
  if (argument.empty()) return unrecognized(argument, argument);
  bool with_sign = argument.front() == '+' || argument.front() == '-';
  usize equals = argument.find('=');
  std::string_view name = with_sign ? argument.substr(1) : argument.substr(0, equals);
  Row* row = find(name);
  if (row == nullptr) {
    for (InertRow& inert : inert_rows())
      if (inert.name == name) return take_inert(inert, argument, warnings);
    return unrecognized(argument, name);
  }
  if (with_sign && row->type != Type::boolean) return fmt::format("Unexpected +/- setting in VM option '{}'\n", name);
  if (!with_sign && row->type == Type::boolean) return fmt::format("Missing +/- setting for VM option '{}'\n", name);
  if (!with_sign && equals == std::string_view::npos)
    return fmt::format("Improperly specified VM option '{}'\n", argument);
  std::string_view value = with_sign ? std::string_view() : argument.substr(equals + 1);
  std::string problem;
  switch (row->type) {
    case Type::boolean: *static_cast<bool*>(row->variable) = argument.front() == '+'; break;
    case Type::integer:
    case Type::size: problem = set_number(*row, value, argument); break;
    case Type::real: problem = set_real(*row, value, argument); break;
    case Type::text: *static_cast<std::string*>(row->variable) = value; break;
  }
  if (problem.empty()) row->origin = Origin::command_line;
  return problem;
}

std::string change(std::string_view name, std::string_view value) {
  Row* row = find(name);
  if (row == nullptr || row->kind != Kind::manageable) return fmt::format("{} cannot change while the VM runs", name);
  std::string argument = row->type == Type::boolean ? fmt::format("{}{}", value == "true" ? '+' : '-', name)
                                                    : fmt::format("{}={}", name, value);
  std::string problem = parse(argument);
  if (problem.empty()) row->origin = Origin::management;
  return problem;
}

bool parse_size(std::string_view text, u64* bytes) {
  i64 number = 0;
  if (!parse_number(text, true, &number) || number < 0) return false;
  *bytes = static_cast<u64>(number);
  return true;
}

bool is_set(std::string_view name) {
  const Row* row = find(name);
  return row != nullptr && row->origin != Origin::default_value;
}

std::string final_text() {
  std::vector<Row> sorted = rows();
  std::sort(sorted.begin(), sorted.end(), [](const Row& a, const Row& b) { return a.name < b.name; });
  std::string text = "[Global flags]\n";
  static constexpr std::string_view kinds[] = {"product", "manageable", "diagnostic", "develop"};
  static constexpr std::string_view origins[] = {"default", "command line", "management"};
  for (const Row& row : sorted) {
    text += fmt::format("{:>9} {:<40} = {:<40} {{{}}} {{{}}}\n", type_name(row.type), row.name, value_text(row),
                        kinds[static_cast<usize>(row.kind)], origins[static_cast<usize>(row.origin)]);
  }
  return text;
}

std::string command_line_text() {
  std::string text;
  for (const Row& row : rows()) {
    if (row.origin == Origin::default_value) continue;
    text += (text.empty() ? "" : " ") + option_text(row);
  }
  return text;
}

void print_final() { print_text("{}", final_text()); }

}  // namespace keyhole::flags
