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
  std::string output, recording, keep, events;
  std::optional<std::string> code;   // the page has listings of the methods whose names contain this text
  std::optional<f64> from, until;    // milliseconds
  std::vector<std::string> program;  // the program and its arguments, as for `java`
  bool help = false;
};

extern const std::string_view usage;

// Returns the empty string, or the error.
std::string parse_options(std::span<char*> words, Options& options);

}  // namespace keyhole::look
