// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Parses the lines of a report, and adds reports. Rules: merge.h.
#include "vm/tools/explore/merge.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <sstream>

namespace keyhole::explore {

namespace {

// Takes a string in quotation marks from the front of the text. Returns false if the text does not begin with one.
bool take_string(std::string_view& text, std::string& value) {
  if (!text.starts_with('"')) return false;
  value.clear();
  for (usize i = 1; i < text.size(); ++i) {
    if (text[i] == '"') {
      text.remove_prefix(i + 1);
      return true;
    }
    if (text[i] != '\\') {
      value += text[i];
      continue;
    }
    if (++i == text.size()) return false;
    if (text[i] == 'n') {
      value += '\n';
    } else if (text[i] == 'u' && i + 4 < text.size()) {
      value += static_cast<char>(strtoul(std::string(text.substr(i + 1, 4)).c_str(), nullptr, 16));
      i += 4;
    } else {
      value += text[i];
    }
  }
  return false;
}

// The values of a JSON report by name, as text. Strings are without their quotation marks.
using Values = std::map<std::string, std::string, std::less<>>;

bool take_line(std::string_view line, Values& values) {
  while (line.starts_with(' ')) line.remove_prefix(1);
  while (line.ends_with(',') || line.ends_with('\r')) line.remove_suffix(1);
  if (line == "{" || line == "}" || line.empty()) return true;
  std::string name, value;
  if (!take_string(line, name) || !line.starts_with(": ")) return false;
  line.remove_prefix(2);
  if (line.starts_with('"')) {
    if (!take_string(line, value)) return false;
  } else {
    value = line;
  }
  values[name] = value;
  return true;
}

bool take_outcomes(std::string_view text, std::map<std::string, u64>& outcomes) {
  if (!text.starts_with('{') || !text.ends_with('}')) return false;
  text = text.substr(1, text.size() - 2);
  for (std::string name; !text.empty();) {
    if (!take_string(text, name) || !text.starts_with(": ")) return false;
    text.remove_prefix(2);
    usize end = std::min(text.find(", "), text.size());
    outcomes[name] += strtoull(std::string(text.substr(0, end)).c_str(), nullptr, 10);
    text.remove_prefix(std::min(end + 2, text.size()));
  }
  return true;
}

// Parses the entry of a kind: "hash:draws", followed by "s" if a systematic search has executed the kind.
void take_kinds(const std::string& text, Kinds& kinds) {
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    usize colon = std::min(word.find(':'), word.size());
    u64 kind = strtoull(word.substr(0, colon).c_str(), nullptr, 16);
    if (word.ends_with('s')) kinds.add(kind, false);
    for (int draws = atoi(word.c_str() + std::min(colon + 1, word.size())); draws > 0; --draws) kinds.add(kind, true);
  }
}

}  // namespace

std::string read_report(const std::string& json, Report& report) {
  Values values;
  std::istringstream lines(json);
  for (std::string line; std::getline(lines, line);)
    if (!take_line(line, values)) return fmt::format("its line is wrong: {}", line);
  for (const char* name : {"program", "schedules", "shard", "shards", "all_kinds", "outcomes", "verdict"})
    if (!values.contains(name)) return fmt::format("it has no \"{}\"", name);
  auto number = [&](const char* name) { return strtoull(values[name].c_str(), nullptr, 10); };
  auto number32 = [&](const char* name) { return static_cast<u32>(number(name)); };
  report.program = values["program"];
  report.strategy = values["strategy"];
  report.rollback = values["rollback"];
  report.executed = number("schedules");
  report.runs = number("executions");
  report.counted = number("counted");
  report.seconds = strtod(values["seconds"].c_str(), nullptr);
  report.is_complete = values["complete"] == "true";
  if (values["finished_bound"] != "null") report.finished_bound = number32("finished_bound");
  report.draws = number("draws");
  report.places = number32("racing_places");
  report.stopped_by = values["stopped"];
  report.uncontrolled = values["uncontrolled"];
  report.shard = number32("shard") - 1;
  report.shards = number32("shards");
  report.late_places = number32("late_places");
  take_kinds(values["all_kinds"], report.parts_kinds);
  if (!take_outcomes(values["outcomes"], report.outcomes)) return "its outcomes are wrong";
  if (!values.contains("failure")) return {};
  report.failure.emplace();
  Failure& failure = *report.failure;
  failure.text = values["failure"];
  failure.where = values["where"];
  failure.counts = {number32("preemptions"), number32("switches")};
  failure.events = number32("events");
  failure.shown = number32("shown");
  failure.script = values["script"];
  failure.hash = values["hash"];
  failure.is_replayed = values["replayed"] == "true";
  failure.token_file = values["schedule"];
  return {};
}

std::string merge_reports(std::span<const Report> parts, Report& whole) {
  std::set<u32> shards;
  Kinds kinds;
  whole.program = parts[0].program;
  whole.strategy = parts[0].strategy;
  whole.rollback = parts[0].rollback;
  whole.is_complete = true;
  i64 bound = INT64_MAX, largest = -1;
  for (const Report& part : parts) {
    if (part.shards != parts[0].shards || part.program != whole.program || part.strategy != whole.strategy)
      return "these are no parts of one exploration: their programs, strategies or numbers of shards differ";
    if (!shards.insert(part.shard).second) return fmt::format("the shard {} is there twice", part.shard + 1);
    whole.executed += part.executed;
    whole.runs += part.runs;
    whole.counted += part.counted;
    whole.draws += part.draws;
    whole.seconds = std::max(whole.seconds, part.seconds);
    whole.is_complete &= part.is_complete && part.late_places == 0;
    // If a shard is complete, its bound does not limit the merged bound, because it has executed all its schedules.
    if (!part.is_complete) bound = std::min<i64>(bound, part.finished_bound ? i64{*part.finished_bound} : -1);
    else if (part.finished_bound) largest = std::max<i64>(largest, *part.finished_bound);
    whole.places = std::max(whole.places, part.places);
    whole.late_places = std::max(whole.late_places, part.late_places);
    if (whole.stopped_by.empty()) whole.stopped_by = part.stopped_by;
    if (whole.uncontrolled.empty()) whole.uncontrolled = part.uncontrolled;
    for (const auto& [outcome, count] : part.outcomes) whole.outcomes[outcome] += count;
    for (auto [kind, seen] : part.parts_kinds.all()) {
      if (seen.is_searched) kinds.add(kind, false);
      for (u8 i = 0; i < seen.draws; ++i) kinds.add(kind, true);
    }
    bool is_shorter =
        part.failure && (!whole.failure || part.failure->counts.preemptions < whole.failure->counts.preemptions);
    if (is_shorter) whole.failure = part.failure;
  }
  for (u32 i = 0; i < parts[0].shards; ++i)
    if (!shards.contains(i)) return fmt::format("the shard {} of {} is missing", i + 1, parts[0].shards);
  if (bound == INT64_MAX) bound = largest;
  if (bound >= 0) whole.finished_bound = static_cast<u32>(bound);
  whole.kinds = kinds.count();
  whole.kinds_drawn_once = kinds.drawn_once();
  return {};
}

}  // namespace keyhole::explore
