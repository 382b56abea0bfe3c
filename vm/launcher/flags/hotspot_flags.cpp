// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the rows of the table, and values by java's rules.
#include "vm/launcher/flags/hotspot_flags.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>

namespace keyhole::hotspot_flags {
namespace {

// Takes the part before the separator off the text.
std::string_view take(std::string_view& text, char separator) {
  usize end = std::min(text.find(separator), text.size());
  std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

bool row_is_for(std::string_view releases, HotSpot hotspot) {
  constexpr std::string_view texts[] = {"17", "21", "25"};
  return releases.contains(texts[static_cast<usize>(hotspot)]);
}

// Parses a row; `rest` is the text after "name releases".
Flag parse_row(std::string_view name, std::string_view rest) {
  Flag flag{};
  flag.name = name;
  flag.kind = take(rest, ' ');
  if (flag.kind == "removed") flag.removed_in = take(rest, ' ');
  while (!rest.empty()) {
    std::string_view field = take(rest, ' ');
    if (usize dots = field.find(".."); dots != std::string_view::npos) {
      flag.minimum = field.substr(0, dots);
      flag.maximum = field.substr(dots + 2);
    } else if (field.starts_with("deprecated=")) {
      field.remove_prefix(sizeof "deprecated=" - 1);
      flag.deprecated_since = take(field, ':');
      flag.replacement = field;
    } else if (flag.type.empty()) {
      flag.type = field;
    } else {
      flag.default_value = field;
    }
  }
  return flag;
}

template <typename Take> void for_each_row(HotSpot hotspot, Take take_row) {
  std::string_view rest = table;
  while (!rest.empty()) {
    std::string_view line = take(rest, '\n');
    if (line.empty() || line.front() == '#') continue;
    std::string_view name = take(line, ' '), releases = take(line, ' ');
    if (row_is_for(releases, hotspot) && !take_row(name, line)) return;
  }
}

bool is_signed(std::string_view type) { return type == "int" || type == "intx"; }
u64 largest(std::string_view type) {
  return type == "int" ? INT32_MAX : type == "intx" ? INT64_MAX : type == "uint" ? UINT32_MAX : UINT64_MAX;
}

bool is_less(const Number& a, const Number& b) {
  if (a.negative != b.negative) return a.negative;
  return a.negative ? a.magnitude > b.magnitude : a.magnitude < b.magnitude;
}

std::string improper(std::string_view argument) {
  return fmt::format("Improperly specified VM option '{}'\n", argument);
}

std::string out_of_range(const Flag& flag, std::string_view value, std::string_view minimum, std::string_view maximum,
                         std::string_view argument) {
  std::string text = fmt::format("{} {}={} is outside the allowed range [ {} ... {} ]\n", flag.type, flag.name, value,
                                 minimum, maximum);
  // java reads these two flags before the others, and its message for them ends here.
  bool is_complete = flag.name == "MaxTenuringThreshold" || flag.name == "ReservedCodeCacheSize";
  return is_complete ? text : text + improper(argument);
}

// HotSpot 17 wraps numbers that exceed the type.
Number wrapped(const Number& number, std::string_view type) {
  u64 bits = number.negative ? -number.magnitude : number.magnitude;
  if (type == "uint") bits = static_cast<u32>(bits);
  if (type == "int") bits = static_cast<u64>(static_cast<i64>(static_cast<i32>(bits)));
  bool negative = is_signed(type) && static_cast<i64>(bits) < 0;
  return {negative, negative ? -bits : bits};
}

std::string check_integer(const Flag& flag, std::string_view value, std::string_view argument, HotSpot hotspot) {
  std::optional<Number> number = parse_number(value);
  if (!number || (number->negative && !is_signed(flag.type))) return improper(argument);
  if (hotspot < HotSpot::v21) number = wrapped(*number, flag.type);
  if (number->magnitude > largest(flag.type) + (number->negative ? 1 : 0)) return improper(argument);
  if (flag.minimum.empty()) return {};
  if (!is_less(*number, *parse_number(flag.minimum)) && !is_less(*parse_number(flag.maximum), *number)) return {};
  return out_of_range(flag, fmt::format("{}{}", number->negative ? "-" : "", number->magnitude), flag.minimum,
                      flag.maximum, argument);
}

std::string check_real(const Flag& flag, std::string_view value, std::string_view argument, HotSpot hotspot) {
  // HotSpot 17 takes digits with a point, or an integer with an optional unit. Later releases take what C's strtod
  // takes.
  if (value.empty() || std::isspace(static_cast<unsigned char>(value.front()))) return improper(argument);
  std::string text(value);
  if (hotspot < HotSpot::v21) {
    std::optional<Number> whole = parse_number(value);
    bool is_decimal = value.find_first_not_of("0123456789.") == std::string_view::npos && value.contains('.');
    if (value.front() == '.') return improper(argument);
    if (!is_decimal && (!whole || whole->negative)) return improper(argument);
    if (!is_decimal) text = fmt::format("{}", whole->magnitude);
  }
  char* end = nullptr;
  double number = strtod(text.c_str(), &end);
  if (*end != '\0') return improper(argument);
  if (flag.minimum.empty()) return {};
  double minimum = strtod(std::string(flag.minimum).c_str(), nullptr);
  double maximum = strtod(std::string(flag.maximum).c_str(), nullptr);
  if (number >= minimum && number <= maximum) return {};
  return out_of_range(flag, fmt::format("{:.6f}", number), fmt::format("{:.6f}", minimum),
                      fmt::format("{:.6f}", maximum), argument);
}

}  // namespace

std::optional<Flag> find(std::string_view name, HotSpot hotspot) {
  std::optional<Flag> found;
  for_each_row(hotspot, [&](std::string_view row, std::string_view rest) {
    if (row == name) found = parse_row(row, rest);
    return !found;
  });
  return found;
}

std::vector<std::string_view> names(HotSpot hotspot) {
  std::vector<std::string_view> all;
  for_each_row(hotspot, [&](std::string_view name, std::string_view rest) {
    bool is_other_name = rest.contains(':');  // has the replacement of a deprecated name
    if (!rest.starts_with("removed") && !is_other_name) all.push_back(name);
    return true;
  });
  return all;
}

std::string_view name_of(std::string_view argument) {
  if (argument.starts_with('+') || argument.starts_with('-')) argument.remove_prefix(1);
  return argument.substr(0, argument.find('='));
}

std::optional<Number> parse_number(std::string_view text) {
  Number number{text.starts_with('-'), 0};
  if (number.negative) text.remove_prefix(1);
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) base = 16, text.remove_prefix(2);
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number.magnitude, base);
  if (error != std::errc() || end == text.data()) return {};
  std::string_view unit(end, static_cast<usize>(text.data() + text.size() - end));
  if (unit.empty()) return number;
  usize place = std::string_view("kmgt").find(static_cast<char>(unit.front() | 0x20));
  if (unit.size() > 1 || place == std::string_view::npos) return {};
  u32 shift = 10 * static_cast<u32>(place + 1);
  if (number.magnitude > UINT64_MAX >> shift) return {};
  number.magnitude <<= shift;
  return number;
}

std::string check_form(const Flag& flag, std::string_view argument) {
  bool has_sign = argument.starts_with('+') || argument.starts_with('-');
  std::string_view body = has_sign ? argument.substr(1) : argument;
  if (has_sign != (flag.type == "bool"))
    return fmt::format("{} VM option '{}'\n", has_sign ? "Unexpected +/- setting in" : "Missing +/- setting for", body);
  return has_sign == body.contains('=') ? improper(body) : "";
}

std::string check(const Flag& flag, std::string_view argument, HotSpot hotspot) {
  if (std::string complaint = check_form(flag, argument); !complaint.empty()) return complaint;
  if (flag.type == "bool" || flag.type.starts_with("ccstr")) return {};
  std::string_view value = argument.substr(argument.find('=') + 1);
  return flag.type == "double" ? check_real(flag, value, argument, hotspot)
                               : check_integer(flag, value, argument, hotspot);
}

}  // namespace keyhole::hotspot_flags
