// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Parses JSON by recursive descent, and keeps only the members that the comparison needs.
#include "vm/tools/compare/saved.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <fstream>
#include <iterator>

#include "runtime/base/print.h"
#include "runtime/base/shown_text.h"
#include "vm/tools/compare/significance.h"
#include "vm/tools/terminal.h"

namespace keyhole::compare {

namespace {

// Walks a JSON text, and calls take(path, text) for each string and number. The names in the path are separated by '.';
// an array element has an empty name: "modes..runs..wall_ms".
template <typename Take> class JsonWalk {
 public:
  JsonWalk(std::string_view text, Take take) : rest_(text), take_(take) {}
  bool run() {
    value("", 0);
    blanks();
    return good_ && rest_.empty();
  }

 private:
  static constexpr u32 deepest = 64;

  void blanks() {
    while (!rest_.empty() && std::string_view(" \n\r\t").contains(rest_.front())) rest_.remove_prefix(1);
  }
  bool accept(char c) {
    blanks();
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  // Parses a string. Escapes other than \" and \\ are left as they are.
  std::string string() {
    std::string text;
    while (!rest_.empty() && rest_.front() != '"') {
      if (rest_.front() == '\\' && rest_.size() > 1 && (rest_[1] == '"' || rest_[1] == '\\')) rest_.remove_prefix(1);
      text += rest_.front();
      rest_.remove_prefix(1);
    }
    good_ &= accept('"');
    return text;
  }
  void value(const std::string& path, u32 depth) {
    if (!good_ || depth > deepest) {
      good_ = false;
    } else if (accept('{')) {
      if (accept('}')) return;
      do {
        good_ &= accept('"');
        std::string name = good_ ? string() : "";
        good_ &= accept(':');
        value(path.empty() ? name : path + "." + name, depth + 1);
      } while (good_ && accept(','));
      good_ &= accept('}');
    } else if (accept('[')) {
      if (accept(']')) return;
      do value(path + ".", depth + 1);
      while (good_ && accept(','));
      good_ &= accept(']');
    } else if (accept('"')) {
      take_(path, string());
    } else {
      usize end = std::min(rest_.size(), rest_.find_first_of(",]} \n\r\t"));
      good_ &= end != 0;
      take_(path, std::string(rest_.substr(0, end)));
      rest_.remove_prefix(end);
    }
  }

  std::string_view rest_;
  Take take_;
  bool good_ = true;
};

f64 number(const std::string& text) {
  f64 value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

}  // namespace

Saved read_saved(const std::string& path, std::string& problem) {
  Saved saved;
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file) {
    problem = fmt::format("cannot read {}", path);
    return saved;
  }
  std::string mode;
  auto take = [&](const std::string& member, const std::string& value) {
    if (member == "command") saved.command = value;
    if (member == "modes..mode" || member == "hotspot.mode") {
      mode = value;
      saved.order.push_back(mode);
    }
    if (member == "modes..runs..wall_ms" || member == "hotspot.runs..wall_ms")
      saved.modes[mode].wall.push_back(number(value));
    if (member == "modes..runs..cpu_ms" || member == "hotspot.runs..cpu_ms")
      saved.modes[mode].cpu.push_back(number(value));
  };
  if (!JsonWalk(text, take).run() || saved.order.empty()) problem = fmt::format("{} is not a file of --json", path);
  return saved;
}

int compare_saved(const std::string& before, const std::string& after) {
  std::string problem;
  Saved old = read_saved(before, problem);
  Saved now = problem.empty() ? read_saved(after, problem) : Saved{};
  if (!problem.empty()) {
    print_text(stderr, "keyhole: {}\n", problem);
    return 1;
  }
  print_text("{}", wrapped(now.command, "  "));
  if (old.command != now.command)
    print_text("{}", wrapped(fmt::format("{} ran another command: {}", before, old.command), ""));
  std::vector<std::string> both;
  std::vector<f64> wall, cpu;
  for (const std::string& mode : now.order) {
    if (!old.modes.contains(mode) || !now.modes.contains(mode)) continue;
    both.push_back(mode);
    wall.push_back(probability_of_chance(old.modes[mode].wall, now.modes[mode].wall));
    cpu.push_back(probability_of_chance(old.modes[mode].cpu, now.modes[mode].cpu));
  }
  if (both.empty()) {
    print_text(stderr, "keyhole: the two files have no mode in common\n");
    return 1;
  }
  wall = corrected(wall), cpu = corrected(cpu);
  print_text("{:<26} {:>9} {:>9} {:>7} {:<2} {:>12} {:>7}\n", "mode, wall ms", "before", "after", "ratio", "", "95 %",
             "CPU");
  bool differs = false;
  for (usize i = 0; i < both.size(); ++i) {
    const SavedTimes &left = old.modes[both[i]], &right = now.modes[both[i]];
    auto [from, to] = ratio_interval(right.wall, left.wall);
    std::string range = std::isfinite(to) ? fmt::format("{:.2f} to {:.2f}", from, to) : "-";
    differs |= wall[i] < significant || cpu[i] < significant;
    std::string row = fmt::format("{:<26} {:>9.1f} {:>9.1f} {:>7.2f} {:<2} {:>12} {:>7.2f} {}", for_terminal(both[i]),
                                  median(left.wall), median(right.wall), median(right.wall) / median(left.wall),
                                  mark_of(wall[i]), range, median(right.cpu) / median(left.cpu), mark_of(cpu[i]));
    print_text("{}\n", row.substr(0, row.find_last_not_of(' ') + 1));
  }
  print_text("{}",
             wrapped(differs ? "** and *: differs, by chance with a probability below 1 % and 5 %."
                             : "No mode takes more or less time than before by more than the runs themselves differ.",
                     ""));
  return 0;
}

}  // namespace keyhole::compare
