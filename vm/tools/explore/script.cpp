// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Chooses the events to show, and prints them in one column per thread.
#include "vm/tools/explore/script.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <map>
#include <unordered_map>
#include <unordered_set>

namespace keyhole::explore {

namespace {

using controlled::Kind;

struct Line {
  u32 event, strand;
  std::string place, what;
};

constexpr u32 most_lines = 200;
constexpr usize page_width = 100, line_width = 120, least_column = 26;

std::vector<Line> read_texts(const Execution& execution) {
  std::vector<Line> lines;
  std::string_view rest(execution.texts, execution.text_bytes);
  while (!rest.empty()) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    std::string_view parts[4];
    for (usize i = 0; i < 4; ++i) {
      parts[i] = i == 3 ? line : line.substr(0, line.find('\t'));
      line.remove_prefix(std::min(line.size(), parts[i].size() + 1));
    }
    Line read{0, 0, std::string(parts[2]), std::string(parts[3])};
    std::from_chars(parts[0].data(), parts[0].data() + parts[0].size(), read.event);
    std::from_chars(parts[1].data(), parts[1].data() + parts[1].size(), read.strand);
    lines.push_back(std::move(read));
  }
  // A write's text gives the new value, which is known only at the next event. So the text of the write comes after
  // that of the next event.
  std::ranges::sort(lines, {}, &Line::event);
  return lines;
}

// Two sets of threads for one location: those that use it, and those that change it. Only operations that the script
// could show count: those with a text, which the VM writes if a method of the program is on the stack, and no quiet one
// (vm/interpreter/points/quiet.def).
struct Users {
  controlled::StrandSet all = 0, changing = 0;
  bool is_shared() const { return changing != 0 && !controlled::has_one(all); }
};
std::unordered_map<u64, Users> users_of_locations(const Execution& execution, const std::vector<Line>& lines) {
  std::unordered_map<u64, Users> users;
  for (const Line& line : lines) {
    if (line.event < execution.root_events || line.event >= execution.event_count) continue;
    const Event& event = execution.events[line.event];
    controlled::StrandSet thread = controlled::bit_of(controlled::thread_of(execution, event.strand));
    users[event.location].all |= thread;
    if (controlled::writes(event.kind)) users[event.location].changing |= thread;
  }
  return users;
}

// Returns the events by which the threads acquired the monitors that they hold at the end of the execution.
std::unordered_set<u32> enters_of_held_monitors(const Execution& execution) {
  std::map<std::pair<u64, u32>, std::vector<u32>> held;  // by location and strand: its levels
  for (u32 i = 0; i < execution.event_count; ++i) {
    const Event& event = execution.events[i];
    std::vector<u32>& levels = held[{event.location, event.strand}];
    if (event.kind == Kind::enter) levels.push_back(i);
    else if (event.kind == Kind::exit && !levels.empty()) levels.pop_back();
    else if (event.kind == Kind::wait) levels.clear();
  }
  std::unordered_set<u32> enters;
  for (const auto& [key, levels] : held) enters.insert(levels.begin(), levels.end());
  return enters;
}

bool matters(const Execution& execution, const Line& line, std::unordered_map<u64, Users>& users) {
  const Event& event = execution.events[line.event];
  switch (event.kind) {
    case Kind::start:
    case Kind::wait:
    case Kind::park: return true;
    case Kind::exit:
    case Kind::begin:
    case Kind::resume:
    case Kind::end: return false;
    default: break;
  }
  // fields of java.lang.Thread, which the VM changes itself, and caches of call sites
  bool is_of_library =
      line.what.find(" Thread.") != std::string::npos || line.what.find(" VarHandleSite.") != std::string::npos;
  return line.event >= execution.root_events && !is_of_library && users[event.location].is_shared();
}

// Returns the lines of the source file, in order.
std::vector<std::string> read_source(const std::string& path) {
  std::vector<std::string> lines;
  if (path.empty()) return lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    usize begin = line.find_first_not_of(" \t");
    lines.push_back(begin == std::string::npos ? "" : line.substr(begin));
  }
  return lines;
}

std::string with_source(const std::string& place, const std::string& source_file,
                        const std::vector<std::string>& source) {
  usize colon = place.find(':');
  if (colon == std::string::npos || place.substr(0, colon) != std::filesystem::path(source_file).filename())
    return place;
  usize line = 0;
  std::from_chars(place.data() + colon + 1, place.data() + place.size(), line);
  if (line == 0 || line > source.size()) return place;
  return place + " " + source[line - 1];
}

std::string cut(const std::string& text, usize width) {
  return text.size() <= width ? text : text.substr(0, width - 3) + "...";
}

}  // namespace

Script script_text(const Execution& execution, const std::string& source_file) {
  std::vector<Line> lines = read_texts(execution);
  auto users = users_of_locations(execution, lines);
  std::unordered_set<u32> held;
  if (execution.outcome == Outcome::stuck) held = enters_of_held_monitors(execution);
  std::erase_if(lines, [&](const Line& line) {
    if (line.event >= execution.event_count) return true;
    return !held.contains(line.event) && !matters(execution, line, users);
  });
  Script script;
  script.shown = static_cast<u32>(lines.size());
  usize hidden = lines.size() > most_lines ? lines.size() - most_lines : 0;
  if (hidden != 0) {
    script.text = fmt::format("({} earlier events are not shown)\n", hidden);
    lines.erase(lines.begin(), lines.begin() + static_cast<i64>(hidden));
  }
  std::map<u32, usize> columns;
  for (const Line& line : lines) columns.try_emplace(line.strand, 0);
  usize next = 0;
  for (auto& [strand, column] : columns) column = next++;
  if (columns.empty()) return script;
  usize width = std::max(least_column, page_width / columns.size());
  std::vector<std::string> source = read_source(source_file);
  auto add = [&](usize column, const std::string& text) {
    usize indent = column * width;
    usize room = indent + width < line_width ? line_width - indent : width;
    script.text += std::string(indent, ' ') + cut(text, room) + "\n";
  };
  std::string heads;
  for (auto& [strand, column] : columns) {
    heads.resize(std::max(heads.size(), column * width), ' ');
    const char* title = execution.titles[strand];
    heads += title[0] != '\0' ? title : execution.names[strand];
  }
  script.text += heads + "\n";
  const Line* before = nullptr;
  for (const Line& line : lines) {
    usize column = columns[line.strand];
    if (before == nullptr || before->strand != line.strand || before->place != line.place)
      add(column, with_source(line.place, source_file, source));
    add(column, "   " + line.what);
    before = &line;
  }
  return script;
}

}  // namespace keyhole::explore
