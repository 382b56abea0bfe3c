// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Columns and lists.
#include "vm/tools/step/view.h"

#include <fmt/format.h>

#include <algorithm>

namespace keyhole::step {

namespace {

constexpr usize page_width = 100, least_column = 24, most_columns = 5;
constexpr usize most_changes = 12;

std::string fitted(const std::string& text, usize width) {
  if (text.size() + 1 > width) return text.substr(0, width - 4) + "... ";
  return text + std::string(width - text.size(), ' ');
}

std::string without_end(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

std::string place_of(const ThreadState& thread) {
  if (thread.place.empty()) return thread.status;
  return thread.status == "ready" || thread.status == "runs" ? thread.place : thread.place + "  " + thread.status;
}

std::string lines_indented(std::string_view text) {
  std::string lines;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    lines += fmt::format("output: {}\n", line);
  }
  return lines;
}

}  // namespace

std::string threads_text(const State& state, Sources& sources) {
  std::string text;
  if (state.threads.size() > most_columns) {  // one below the other
    for (const ThreadState& thread : state.threads) {
      bool runs = !state.has_ended && thread.strand == state.strand;
      text += without_end(fmt::format("{} {:20} {:30} {}", runs ? "*" : " ", thread.name, place_of(thread),
                                      thread.doing.empty() ? sources.line_at(thread.place) : thread.doing));
    }
    return text;
  }
  usize width = std::max(least_column, page_width / std::max<usize>(state.threads.size(), 1));
  std::string rows[4];
  for (const ThreadState& thread : state.threads) {
    bool runs = !state.has_ended && thread.strand == state.strand;
    rows[0] += fitted((runs ? "* " : "  ") + thread.name, width);
    rows[1] += fitted("  " + place_of(thread), width);
    rows[2] += fitted("  " + sources.line_at(thread.place), width);
    rows[3] += fitted(thread.doing.empty() ? "" : "  -> " + thread.doing, width);
  }
  for (const std::string& row : rows)
    if (row.find_first_not_of(' ') != std::string::npos) text += without_end(row);
  return text;
}

std::string locks_text(const State& state) {
  std::string text;
  for (const LockState& lock : state.locks) {
    text += fmt::format("lock {}: {}", lock.name, lock.owner.empty() ? "free" : "held by " + lock.owner);
    if (!lock.entering.empty()) text += fmt::format("; wants it: {}", lock.entering);
    if (!lock.waiting.empty()) text += fmt::format("; in wait: {}", lock.waiting);
    text += "\n";
  }
  return text;
}

std::string frames_text(const State& state, Sources& sources) {
  std::string text;
  for (const ThreadState& thread : state.threads) {
    text += fmt::format("{}: {}{}\n", thread.name, thread.status, thread.doing.empty() ? "" : ", " + thread.doing);
    for (const FrameState& frame : thread.frames) {
      text += without_end(fmt::format("  {:30} {:24} {}", frame.method, frame.place, sources.line_at(frame.place)));
      for (const Variable& local : frame.locals) text += fmt::format("      {} = {}\n", local.name, local.value);
    }
  }
  return text;
}

std::string variables_text(const State& state) {
  std::string text;
  for (const Variable& field : state.fields) text += fmt::format("{} = {}\n", field.name, field.value);
  return text.empty() ? "The program's code has accessed no fields and elements yet.\n" : text;
}

std::string state_text(const State& state, const State& before, const std::string& output, Sources& sources) {
  std::string text = state.has_ended ? "" : threads_text(state, sources);
  std::vector<std::string> texts = changes(before, state);
  for (usize i = 0; i < texts.size() && i < most_changes; ++i) text += fmt::format("changed: {}\n", texts[i]);
  if (texts.size() > most_changes) text += fmt::format("changed: {} more\n", texts.size() - most_changes);
  text += locks_text(state);
  usize seen = static_cast<usize>(before.output_bytes);
  if (seen < output.size()) text += lines_indented(std::string_view(output).substr(seen));
  if (seen > output.size()) text += "output: taken back\n";
  return text;
}

}  // namespace keyhole::step
