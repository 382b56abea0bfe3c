// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Parses the option --modes.
#include "vm/tools/lab/modes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ranges>

#include "runtime/sync/algorithm.h"
#include "vm/tools/lab/compile.h"

namespace keyhole::lab {

std::vector<std::string> all_modes() {
  std::vector<std::string> names;
  for (const sync::Algorithm* algorithm : sync::all_algorithms()) {
    if (algorithm->name != "traced") names.emplace_back(algorithm->name);
  }
  return names;
}

std::string parse_modes(std::string_view list, std::vector<std::string>& modes) {
  std::vector<std::string> known = all_modes();
  modes.clear();
  for (auto part : std::views::split(list, ',')) {
    std::string mode(part.begin(), part.end());
    if (mode.empty()) continue;
    const bool is_loaded = mode.contains('/');
    if (is_loaded && mode.ends_with(".h")) {
      if (std::string complaint = compile(mode, World::vm).complaint; !complaint.empty()) return complaint;
    }
    if (!is_loaded && std::ranges::find(known, mode) == known.end())
      return fmt::format("'{}' is not a locking mode that can be compared: {}", mode, fmt::join(known, ", "));
    if (std::ranges::find(modes, mode) != modes.end()) return fmt::format("--modes names {} twice", mode);
    modes.push_back(std::move(mode));
  }
  return modes.empty() ? "--modes names no mode" : "";
}

}  // namespace keyhole::lab
