// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Findings about data races, in the recording of a VM that detects them (runtime/threads/races/races.h). The races on
// one variable are one finding.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "vm/tools/recording/finding_words.h"

namespace keyhole::recording {

namespace {

using recorder::Entry;
using Event = recorder::Kind;

constexpr usize most_variables = 10;
constexpr usize most_pairs = 3;  // of lines, for one variable

struct Accessor {
  u32 thread, site, event;
  bool writes;
};
struct Race {
  Accessor earlier, later;
};
struct Variable {
  u32 name;
  std::vector<Race> races;
};

std::vector<Variable> variables_of(const recorder::Recording& recording) {
  std::vector<Variable> variables;
  std::map<u32, std::pair<u32, u32>> open;  // by thread: the event data_race, and its name
  for (usize i = 0; i < recording.entries.size(); ++i) {
    const Entry& entry = recording.entries[i];
    if (entry.kind == Event::data_race) open[entry.thread] = {static_cast<u32>(i), entry.a};
    if (entry.kind != Event::data_race_with || !open.contains(entry.thread)) continue;
    auto [event, name] = open[entry.thread];
    open.erase(entry.thread);
    const Entry& later = recording.entries[event];
    auto known = std::ranges::find(variables, name, &Variable::name);
    if (known == variables.end()) known = variables.insert(known, {name, {}});
    known->races.push_back({{entry.a, entry.b, static_cast<u32>(i), entry.detail != 0},
                            {later.thread, later.b, event, later.detail != 0}});
  }
  return variables;
}

Words at(const WordsOf& words, const Accessor& accessor) {
  return {words.line(accessor.site), {.view = "events", .thread = accessor.thread, .event = accessor.event}};
}

Sentence pair(const WordsOf& words, const Race& race) {
  return {words.thread(race.earlier.thread),
          {race.earlier.writes ? " wrote it at " : " read it at "},
          at(words, race.earlier),
          {", and "},
          words.thread(race.later.thread),
          {race.later.writes ? " later wrote it at " : " later read it at "},
          at(words, race.later),
          {"."}};
}

}  // namespace

void find_data_races(const WordsOf& words, const WaitFacts&, std::vector<Finding>& findings) {
  std::vector<Variable> variables = variables_of(words.recording());
  for (usize i = 0; i < std::min(variables.size(), most_variables); ++i) {
    const auto& [name, races] = variables[i];
    Finding finding{Topic::data_race, true, {{"Data race: "}}, {}};
    add_list(finding.headline, {words.thread(races[0].earlier.thread), words.thread(races[0].later.thread)});
    finding.headline.push_back({fmt::format(" access {}, and nothing orders them.", words.recording().text(name))});
    for (usize k = 0; k < std::min(races.size(), most_pairs); ++k) finding.reasons.push_back(pair(words, races[k]));
    if (races.size() > most_pairs)
      finding.reasons.push_back(
          {{fmt::format("{} more of its lines race.", times(races.size() - most_pairs, "pair"))}});
    finding.reasons.push_back(
        {{"No lock that both hold, volatile field, start or join makes one access happen before the other one. So a "
          "thread can miss what the other one wrote, and an update such as `count++` can be lost. A common lock or an "
          "atomic class orders the accesses."}});
    findings.push_back(std::move(finding));
  }
  if (variables.size() > most_variables)
    findings.back().reasons.push_back(
        {{fmt::format("Data races on {} are not listed: `./keyhole --show --event=data_race` has them.",
                      times(variables.size() - most_variables, "more variable"))}});
}

}  // namespace keyhole::recording
