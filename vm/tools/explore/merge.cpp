// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Parses the lines of a report, and adds reports. Rules: merge.h.
#include "vm/tools/explore/merge.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <set>
#include <sstream>

namespace keyhole::explore {

namespace {

constexpr u64 most_counted = u64{1} << 53;  // largest count in a report; sums of such counts do not overflow 64 bits

bool take_number(std::string_view text, u64 most, u64& value, int base = 10) {
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  return error == std::errc() && end == text.data() + text.size() && value <= most;
}

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
    u64 count = 0;
    if (!take_number(text.substr(0, end), most_counted, count)) return false;
    outcomes[name] += count;
    text.remove_prefix(std::min(end + 2, text.size()));
  }
  return true;
}

// Parses the entries of kinds: "hash:draws", followed by "s" if a systematic search has executed the kind. Returns
// false if an entry is wrong.
bool take_kinds(const std::string& text, Kinds& kinds) {
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    bool is_searched = word.ends_with('s');
    if (is_searched) word.pop_back();
    usize colon = word.find(':');
    u64 kind = 0, draws = 0;
    if (colon == std::string::npos || !take_number(std::string_view(word).substr(0, colon), UINT64_MAX, kind, 16) ||
        !take_number(std::string_view(word).substr(colon + 1), 2, draws))
      return false;
    if (is_searched) kinds.add(kind, false);
    for (; draws > 0; --draws) kinds.add(kind, true);
  }
  return true;
}

}  // namespace

ReadProblem read_report(const std::string& json, Report& report) {
  Values values;
  std::istringstream lines(json);
  for (std::string line; std::getline(lines, line);)
    if (!take_line(line, values)) return {fmt::format("its line is wrong: {}", line)};
  for (const char* name : {"program", "schedules", "shard", "shards", "all_kinds", "outcomes", "verdict"})
    if (!values.contains(name)) return {fmt::format("it has no \"{}\"", name)};
  std::string wrong;
  auto take = [&](const char* name, auto& field, u64 most = UINT32_MAX) {
    u64 number = 0;
    if (!take_number(values[name], most, number) && wrong.empty())
      wrong = fmt::format("\"{}\" is no number up to {}: {}", name, most, values[name]);
    field = static_cast<std::remove_reference_t<decltype(field)>>(number);
  };
  report.program = values["program"];
  report.strategy = values["strategy"];
  report.rollback = values["rollback"];
  take("schedules", report.executed, most_counted);
  take("executions", report.runs, most_counted);
  take("counted", report.counted, most_counted);
  take("draws", report.draws, most_counted);
  take("racing_places", report.places);
  take("shards", report.shards);
  take("shard", report.shard, report.shards);
  take("late_places", report.late_places);
  if (report.shard-- == 0 && wrong.empty()) wrong = "\"shard\" is 0";
  auto take_seconds = [&](const char* name, f64& field) {
    field = strtod(values[name].c_str(), nullptr);
    if (!(field >= 0 && field < 1e9) && wrong.empty()) wrong = fmt::format("\"{}\" is no time", name);
  };
  take_seconds("seconds", report.seconds);
  report.is_complete = values["complete"] == "true";
  if (values["finished_bound"] != "null") take("finished_bound", report.finished_bound.emplace());
  report.stopped_by = values["stopped"];
  if (values.contains("unfinished")) take("unfinished", report.unfinished);
  report.uncontrolled = values["uncontrolled"];
  if (!take_number(values["history"], UINT64_MAX, report.history, 16) && wrong.empty()) wrong = "\"history\" is wrong";
  std::istringstream late(values["late"]);
  for (std::string word; late >> word;)
    if (!take_number(word, UINT64_MAX, report.late.emplace_back(), 16) && wrong.empty()) wrong = "\"late\" is wrong";
  report.is_part = true;
  report.is_sequential = values["sequential"] == "true";
  report.is_limit = values["limit"] == "true";
  report.uncontrolled_where = values["uncontrolled_where"];
  report.notified_many = values["notified_many"] == "true";
  report.timed_out = values["timed_out"] == "true";
  report.is_strict = values["strict"] == "true";
  report.are_places_full = values["places_full"] == "true";
  take("quiet_choices", report.quiet_choices);
  if (values["refused_call"] == "-1") report.refused_call = -1;
  else take("refused_call", report.refused_call);
  if (!take_kinds(values["all_kinds"], report.parts_kinds) && wrong.empty()) wrong = "\"all_kinds\" is wrong";
  if (!take_outcomes(values["outcomes"], report.outcomes) && wrong.empty()) wrong = "\"outcomes\" is wrong";
  if (values.contains("failure")) {
    Failure& failure = report.failure.emplace();
    failure.text = values["failure"];
    failure.where = values["where"];
    take_seconds("found_after", failure.found_after);
    take("preemptions", failure.counts.preemptions);
    take("switches", failure.counts.switches);
    take("events", failure.events);
    take("shown", failure.shown);
    failure.script = values["script"];
    failure.hash = values["hash"];
    failure.is_replayed = values["replayed"] == "true";
    failure.token_file = values["schedule"];
    failure.token = values["token"];
    failure.not_replayed = values["not_replayed"];
  }
  return {wrong, !wrong.empty()};
}

std::string merge_reports(std::span<const Report> parts, Report& whole) {
  std::set<u32> shards;
  for (const Report& part : parts) {
    if (part.shards != parts[0].shards || part.program != parts[0].program || part.strategy != parts[0].strategy)
      return "these are no parts of one exploration: their programs, strategies or numbers of shards differ";
    if (!shards.insert(part.shard).second) return fmt::format("the shard {} is there twice", part.shard + 1);
  }
  for (u32 i = 0; i < parts[0].shards; ++i)
    if (!shards.contains(i)) return fmt::format("the shard {} of {} is missing", i + 1, parts[0].shards);
  whole = sum_of(parts);
  return {};
}

Report sum_of(std::span<const Report> parts) {
  Report whole;
  whole.program = parts[0].program;
  whole.strategy = parts[0].strategy;
  whole.rollback = parts[0].rollback;
  whole.is_complete = whole.is_sequential = true;
  Kinds& kinds = whole.parts_kinds;
  i64 bound = INT64_MAX, largest = -1;
  for (const Report& part : parts) {
    whole.executed += part.executed;
    whole.runs += part.runs;
    whole.history += part.history;
    whole.counted += part.counted;
    whole.draws += part.draws;
    whole.unfinished += part.unfinished;
    whole.seconds = std::max(whole.seconds, part.seconds);
    whole.is_complete &= part.is_complete && part.late_places == 0;
    whole.is_sequential &= part.is_sequential;
    // If a shard is complete, its bound does not limit the merged bound, because it has executed all its schedules.
    if (!part.is_complete) bound = std::min<i64>(bound, part.finished_bound ? i64{*part.finished_bound} : -1);
    else if (part.finished_bound) largest = std::max<i64>(largest, *part.finished_bound);
    whole.places = std::max(whole.places, part.places);
    whole.late_places = std::max(whole.late_places, part.late_places);
    whole.late.insert(whole.late.end(), part.late.begin(), part.late.end());
    if (whole.stopped_by.empty()) whole.stopped_by = part.stopped_by;
    if (whole.uncontrolled.empty()) {
      whole.uncontrolled = part.uncontrolled;
      whole.uncontrolled_where = part.uncontrolled_where;
      whole.is_limit = part.is_limit;
    }
    if (whole.refused_call == 0 && part.refused_call != 0) {
      whole.refused_call = part.refused_call;
      whole.rollback = part.rollback;
    }
    whole.notified_many |= part.notified_many;
    whole.timed_out |= part.timed_out;
    whole.is_strict |= part.is_strict;
    whole.are_places_full |= part.are_places_full;
    whole.quiet_choices = std::max(whole.quiet_choices, part.quiet_choices);
    for (const auto& [outcome, count] : part.outcomes) whole.outcomes[outcome] += count;
    for (auto [kind, seen] : part.parts_kinds.all()) {
      if (seen.is_searched) kinds.add(kind, false);
      for (u8 i = 0; i < seen.draws; ++i) kinds.add(kind, true);
    }
    bool is_shorter =
        part.failure && (!whole.failure || part.failure->counts.preemptions < whole.failure->counts.preemptions);
    if (is_shorter) whole.failure = part.failure;
  }
  if (bound == INT64_MAX) bound = largest;
  if (bound >= 0) whole.finished_bound = static_cast<u32>(bound);
  whole.kinds = kinds.count();
  whole.kinds_drawn_once = kinds.drawn_once();
  return whole;
}

}  // namespace keyhole::explore
