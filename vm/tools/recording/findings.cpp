// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Calls the finders in the order of their topics, and prints findings as text and as JSON.
#include "vm/tools/recording/findings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "runtime/base/print.h"
#include "runtime/base/shown_text.h"
#include "vm/tools/recording/finding_words.h"

namespace keyhole::recording {

namespace {

constexpr std::string_view topic_names[] = {"deadlock",   "data_race", "lost_notify", "stuck",       "starvation",
                                            "lock_order", "hot_lock",  "pauses",      "deoptimized", "long_wait"};

std::string text_of(const Sentence& sentence) {
  std::string text;
  for (const Words& words : sentence) text += for_terminal(words.text);
  return text;
}

std::string json_of(const Sentence& sentence) {
  std::vector<std::string> parts;
  for (const auto& [text, place] : sentence) {
    if (place.view.empty()) {
      parts.push_back(fmt::format("[{}]", json_text(text)));
      continue;
    }
    i64 event = place.event == Wait::no_event ? -1 : static_cast<i64>(place.event);
    parts.push_back(fmt::format(R"([{},{{"view":"{}","thread":{},"object":{},"event":{},"begin":{},"end":{}}}])",
                                json_text(text), place.view, place.thread, place.object, event, place.begin,
                                place.end));
  }
  return fmt::format("[{}]", fmt::join(parts, ","));
}

}  // namespace

std::vector<Finding> findings_of(const recorder::Recording& recording) {
  std::vector<Finding> findings;
  if (recording.entries.empty()) return findings;
  WaitFacts facts = wait_facts_of(recording, recording.entries.back().nanoseconds);
  WordsOf words(recording);
  for (auto* find : {find_deadlocks, find_data_races, find_lost_notifies, find_stuck, find_starvation, find_inversions,
                     find_hot_locks, find_pauses, find_deoptimizations, find_long_waits})
    find(words, facts, findings);
  return findings;
}

std::string verdict_on(const std::vector<Finding>& findings) {
  auto problems = static_cast<u64>(std::ranges::count(findings, true, &Finding::is_problem));
  if (problems == 0) return "Nothing stands out.";
  return fmt::format("{} out:", times(problems, "thing") + (problems == 1 ? " stands" : " stand"));
}

void show_findings_as_text(const std::vector<Finding>& findings, FILE* out) {
  if (std::ranges::none_of(findings, &Finding::is_problem)) print_text(out, "{}\n", verdict_on(findings));
  bool is_first_note = true;
  for (const Finding& finding : findings) {
    if (!finding.is_problem && std::exchange(is_first_note, false)) print_text(out, "\n");
    print_text(out, "{}\n", text_of(finding.headline));
    for (const Sentence& reason : finding.reasons) print_text(out, "    {}\n", text_of(reason));
  }
}

std::string json_of(const Finding& finding) {
  std::vector<std::string> reasons;
  for (const Sentence& reason : finding.reasons) reasons.push_back(json_of(reason));
  return fmt::format(R"({{"topic":"{}","is_problem":{},"headline":{},"reasons":[{}]}})",
                     topic_names[static_cast<usize>(finding.topic)], finding.is_problem, json_of(finding.headline),
                     fmt::join(reasons, ","));
}

void show_findings_as_json(const std::vector<Finding>& findings, FILE* out) {
  for (const Finding& finding : findings) print_text(out, "{}\n", json_of(finding));
}

}  // namespace keyhole::recording
