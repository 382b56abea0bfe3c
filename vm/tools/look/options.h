// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The options of --look.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/types.h"

namespace keyhole::look {

struct Options {
  std::string output, keep, events;
  std::vector<std::string> recordings;  // files; several are shown side by side
  std::vector<std::string> modes;       // the program runs once in each of these locking modes; empty: in its own
  std::optional<std::string> code;      // the page has listings of the methods whose names contain this text
  std::optional<f64> from, until;       // milliseconds
  std::vector<std::string> program;     // the program and its arguments, as for `java`
  bool help = false;
};

// The most recordings that a page shows side by side.
inline constexpr usize most_sides = 4;

extern const std::string_view usage;

// Returns the empty string, or the error.
std::string parse_options(std::span<char*> words, Options& options);

}  // namespace keyhole::look
