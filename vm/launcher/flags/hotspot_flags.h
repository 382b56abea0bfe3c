// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// HotSpot's flags of 17, 21 and 25: names, types, kinds and ranges, to give the errors and warnings that java gives.
//
// hotspot_flags.txt has a line per flag and is part of the executable as text. A look-up searches the text, which takes
// some microseconds; a start without -XX flags touches no page of it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/hotspot_version.h"
#include "runtime/base/types.h"

namespace keyhole::hotspot_flags {

extern const std::string_view table;  // hotspot_flags.txt

struct Flag {
  std::string_view name;
  std::string_view kind;  // product, manageable, diagnostic, experimental, develop, notproduct or removed
  // bool, int, intx, uint, uintx, uint64_t, size_t, double, ccstr, ccstrlist; develop: bool, number, or empty: unknown
  std::string_view type;
  std::string_view default_value;     // of booleans
  std::string_view minimum, maximum;  // empty: no range
  std::string_view deprecated_since;  // empty: not deprecated
  std::string_view replacement;       // the flag's new name if this is an old name; or empty
  std::string_view removed_in;        // kind removed
};

std::optional<Flag> find(std::string_view name, HotSpot hotspot);
std::vector<std::string_view> names(HotSpot hotspot);

// The name in the text after -XX:, without its sign and value.
std::string_view name_of(std::string_view argument);

// A number as java reads it: decimal or 0x, perhaps negative, then perhaps k, m, g or t.
struct Number {
  bool negative;
  u64 magnitude;
};
std::optional<Number> parse_number(std::string_view text);

// java's text when `argument` has a sign where the flag takes a value, or the other way round; otherwise empty.
std::string check_form(const Flag& flag, std::string_view argument);
// java's text when `argument` has the wrong form for the flag, or a value outside its range; otherwise empty.
std::string check(const Flag& flag, std::string_view argument, HotSpot hotspot);

}  // namespace keyhole::hotspot_flags
