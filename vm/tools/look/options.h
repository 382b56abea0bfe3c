// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The words after --look.
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
  std::optional<std::string> code;        // listings of the methods whose names have this in them
  std::optional<f64> from, until;         // milliseconds
  std::vector<std::string> program;       // what `java` would take
  bool help = false;
};

extern const std::string_view usage;

// Empty, or what is wrong.
std::string parse_options(std::span<char*> words, Options& options);

}  // namespace keyhole::look
