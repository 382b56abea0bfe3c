// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Shared code of the benchmarks' command lines: the choice of names from a list, a progress line, and results written
// to a file.
#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/types.h"

namespace keyhole::bench {

// Appends the names in `wanted` to the selection; "all" means every name in `known`. Returns an error, or the empty
// string.
inline std::string choose(const std::vector<std::string>& wanted, const std::vector<std::string_view>& known,
                          std::string_view kind, std::string_view world, std::vector<std::string_view>& chosen) {
  for (const std::string& name : wanted) {
    auto found = std::find(known.begin(), known.end(), name);
    if (name == "all") chosen.insert(chosen.end(), known.begin(), known.end());
    else if (found != known.end()) chosen.push_back(*found);
    else return fmt::format("no {} '{}' in the {} world; --list names them", kind, name, world);
  }
  return {};
}

// A progress line on standard error, which is overwritten at each step: the current step and the estimated remaining
// time. If standard error is not a terminal, prints nothing. Call clear() before printing results.
class Progress {
 public:
  explicit Progress(usize steps) : steps_(steps) {}
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Shows the name of a step that begins; `done` steps are finished.
  void show(usize done, std::string_view what) {
    if (!on_terminal_) return;
    f64 seconds = std::chrono::duration<f64>(std::chrono::steady_clock::now() - start_).count();
    f64 left = done == 0 ? 0 : seconds / static_cast<f64>(done) * static_cast<f64>(steps_ - done);
    std::string rest = done == 0 ? "" : fmt::format(", about {:.0f} s to go", left);
    fmt::print(stderr, "\r\033[K{} of {}: {}{}", done + 1, steps_, what, rest);
    fflush(stderr);
  }
  void clear() {
    if (on_terminal_) fmt::print(stderr, "\r\033[K");
  }

 private:
  usize steps_;
  bool on_terminal_ = isatty(STDERR_FILENO) == 1;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// Writes the results to a file; an empty path writes nothing. Returns an error, or the empty string.
inline std::string write_text(const std::string& path, std::string_view text) {
  if (path.empty()) return {};
  FILE* file = fopen(path.c_str(), "w");
  if (file == nullptr) return fmt::format("cannot write {}", path);
  bool written = fwrite(text.data(), 1, text.size(), file) == text.size();
  return fclose(file) == 0 && written ? std::string() : fmt::format("cannot write {}", path);
}

}  // namespace keyhole::bench
