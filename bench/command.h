// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// What the command lines of benchmarks have in common: names chosen from a list, and results written to a file.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace keyhole::bench {

// Appends what `wanted` names, "all" being every one of `known`; returns a complaint, empty when there is none.
inline std::string choose(const std::vector<std::string>& wanted, const std::vector<std::string_view>& known, std::string_view kind, std::string_view world,
                          std::vector<std::string_view>& chosen) {
  for (const std::string& name : wanted) {
    auto found = std::find(known.begin(), known.end(), name);
    if (name == "all") chosen.insert(chosen.end(), known.begin(), known.end());
    else if (found != known.end()) chosen.push_back(*found);
    else return fmt::format("no {} '{}' in the {} world; --list names them", kind, name, world);
  }
  return {};
}

// Nothing to do without a path. Returns a complaint, empty when there is none.
inline std::string write_text(const std::string& path, std::string_view text) {
  if (path.empty()) return {};
  FILE* file = fopen(path.c_str(), "w");
  if (file == nullptr) return fmt::format("cannot write {}", path);
  bool written = fwrite(text.data(), 1, text.size(), file) == text.size();
  return fclose(file) == 0 && written ? std::string() : fmt::format("cannot write {}", path);
}

}  // namespace keyhole::bench
