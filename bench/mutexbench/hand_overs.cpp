// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Attributes the steps of simulated threads to hand-overs and to source lines, and prints them.
#include "bench/mutexbench/hand_overs.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "runtime/base/process/executable.h"

namespace keyhole::mutexbench {

namespace {

// The cost model's machine runs at 2.3 GHz (cost_model.h).
constexpr f64 cycles_per_nanosecond = 2.3;

f64 nanoseconds(i64 picoseconds, u64 times) { return static_cast<f64>(picoseconds) / 1000 / static_cast<f64>(times); }

std::string_view name_in(std::string_view path) { return path.substr(path.find_last_of('/') + 1); }

// Returns a line of a source file, or an empty text if the file does not exist. The file's name is absolute or relative
// to the top of the tree.
std::string text_of(const std::string& file, u32 line) {
  namespace fs = std::filesystem;
  for (const fs::path& folder : {fs::path(), fs::path(executable_folder()) / ".." / ".."}) {
    std::ifstream in(folder / file);
    std::string text;
    for (u32 i = 0; i != line && std::getline(in, text); ++i) {
    }
    if (!in) continue;
    usize begin = std::min(text.find_first_not_of(' '), text.size());
    constexpr usize columns = 72;
    return text.size() - begin <= columns ? text.substr(begin) : text.substr(begin, columns - 3) + "...";
  }
  return {};
}

}  // namespace

void HandOvers::begin_run() {
  threads_.clear();
  owner_ = no_thread;
}

void HandOvers::begin_enter(u32 thread, Picoseconds now) {
  Thread& self = of(thread);
  self.doing = Doing::Enters;
  self.enter_began = now;
  self.enter.clear();
}

void HandOvers::end_enter(u32 thread, Picoseconds now) {
  Thread& self = of(thread);
  self.doing = Doing::Other;
  const u32 before = std::exchange(owner_, thread);
  const bool is_handed_over = before != no_thread && before != thread;
  if (before == thread) ++again_;
  if (is_handed_over) {
    Thread& last = threads_[before];
    const bool had_ended = last.doing != Doing::Exits && last.exit_ended <= self.enter_began;
    if (had_ended) {
      ++found_free_;  // H2
    } else {
      const Picoseconds origin = last.exit_began;  // H1
      const Picoseconds changes = std::max({origin, self.enter_began, self.resumed});
      spend(last.exit, false, origin, changes, origin);
      spend(self.enter, true, changes, now, origin);
      ++hand_overs_;
      total_ += now - origin;
    }
  }
  put_aside(self.enter, true);
}

void HandOvers::begin_exit(u32 thread, Picoseconds now) {
  Thread& self = of(thread);
  put_aside(self.exit, false);
  self.doing = Doing::Exits;
  self.exit_began = now;
}

void HandOvers::end_exit(u32 thread, Picoseconds now) {
  Thread& self = of(thread);
  self.doing = Doing::Other;
  self.exit_ended = now;
}

void HandOvers::on_step(u32 thread, const SimulatedPlace& place, Step step, Picoseconds begin, Picoseconds end) {
  Thread& self = of(thread);
  if (self.doing == Doing::Other) return;
  (self.doing == Doing::Enters ? self.enter : self.exit).push_back({place, step, begin, end});
}

void HandOvers::on_resumed(u32 thread, Picoseconds time) { of(thread).resumed = time; }

HandOvers::Row& HandOvers::row_of(const SimulatedPlace& place, bool enters) {
  return rows_[{enters, place.line.file_name(), place.caller.file_name(), place.line.line(), place.caller.line()}];
}

void HandOvers::spend(std::vector<Taken>& steps, bool enters, Picoseconds begin, Picoseconds end, Picoseconds origin) {
  for (Taken& taken : steps) {
    const Picoseconds from = std::max(begin, taken.begin), to = std::min(end, taken.end);
    if (from >= to) continue;
    Row& row = row_of(taken.place, enters);
    row.spent += to - from;
    row.beside += taken.end - taken.begin - (to - from);
    ++row.steps[static_cast<usize>(taken.step)];
    ++row.times;
    row.offsets += from - origin;
    explained_ += to - from;
    taken.begin = taken.end;
  }
}

void HandOvers::put_aside(std::vector<Taken>& steps, bool enters) {
  for (const Taken& taken : steps) {
    if (taken.begin != taken.end) row_of(taken.place, enters).beside += taken.end - taken.begin;
  }
  steps.clear();
}

std::string HandOvers::table() const {
  if (hand_overs_ == 0) return "      no hand-overs\n";
  // Several pointers may lead to the same file name, because each instantiation of a template has its own. So rows with
  // equal texts are merged.
  struct Printed {
    bool enters;
    std::string file, place;
    u32 line;
    Row row;
  };
  std::vector<Printed> all;
  for (const auto& [key, row] : rows_) {
    std::string place = fmt::format("{}:{}", name_in(key.file), key.line);
    std::string file = key.file;
    u32 line = key.line;
    if (key.caller_line != 0 && (key.caller_line != line || key.caller_file != std::string_view(file))) {
      place = fmt::format("{}:{}, {}", name_in(key.caller_file), key.caller_line, place);
      file = key.caller_file, line = key.caller_line;
    }
    auto same = std::ranges::find_if(
        all, [&](const Printed& one) { return one.enters == key.enters && one.place == place && one.file == file; });
    if (same == all.end()) same = all.insert(all.end(), {key.enters, file, place, line, Row()});
    same->row.spent += row.spent, same->row.beside += row.beside;
    same->row.times += row.times, same->row.offsets += row.offsets;
    for (usize i = 0; i < step_kinds; ++i) same->row.steps[i] += row.steps[i];
  }
  std::ranges::sort(all, {}, [](const Printed& one) {
    const Row& row = one.row;
    f64 offset = row.times == 0 ? HUGE_VAL : nanoseconds(row.offsets, row.times);
    return std::tuple(row.times == 0, one.enters, offset, one.place);
  });
  const f64 whole = nanoseconds(total_, hand_overs_);
  std::string text = fmt::format(
      "      a hand-over takes {:.1f} ns, {:.0f} cycles; {} of them, {} times the same thread again, {} times found "
      "free\n"
      "      {:<5} {:>7} {:>6} {:>5} {:>6} {:>6} {:>7} {:>7}  {}\n",
      whole, whole * cycles_per_nanosecond, hand_overs_, again_, found_free_, "", "cycles", "ns", "own", "shared",
      "core", "socket", "beside", "line (beside: ns off this path)");
  const f64 hidden = 0.005 * whole;
  Row others;
  usize other_lines = 0;
  const f64 each = static_cast<f64>(hand_overs_);
  for (const Printed& one : all) {
    const f64 spent = nanoseconds(one.row.spent, hand_overs_), beside = nanoseconds(one.row.beside, hand_overs_);
    if (spent < hidden && beside < 4 * hidden) {
      ++other_lines;
      others.spent += one.row.spent, others.beside += one.row.beside;
      continue;
    }
    auto steps = [&](Step step) { return static_cast<f64>(one.row.steps[static_cast<usize>(step)]) / each; };
    text += fmt::format("      {:<5} {:>7.1f} {:>6.1f} {:>5.2f} {:>6.2f} {:>6.2f} {:>7.2f} {:>7.1f}  {:<34} {}\n",
                        one.enters ? "enter" : "exit", spent * cycles_per_nanosecond, spent, steps(Step::own),
                        steps(Step::shared), steps(Step::other_core), steps(Step::other_socket), beside, one.place,
                        text_of(one.file, one.line));
  }
  auto rest = [&](Picoseconds spent, Picoseconds beside, const std::string& what) {
    const f64 time = nanoseconds(spent, hand_overs_);
    text += fmt::format("      {:<5} {:>7.1f} {:>6.1f} {:>27} {:>7.1f}  {}\n", "", time * cycles_per_nanosecond, time,
                        "", nanoseconds(beside, hand_overs_), what);
  };
  if (other_lines != 0) rest(others.spent, others.beside, fmt::format("other lines: {}", other_lines));
  if (const Picoseconds left = total_ - explained_; nanoseconds(left, hand_overs_) >= hidden)
    rest(left, 0, "no step of the two threads");
  return text;
}

}  // namespace keyhole::mutexbench
