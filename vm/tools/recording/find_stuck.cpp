// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds a program that is stuck: it cannot end, and all of its threads wait without a time limit, so none of them can
// wake another one. Typical causes are a task that waits for a task of its own full pool, a pool without a shutdown,
// and a latch that nobody counts down.
//
// S1: when the recording ends, a thread that keeps the VM alive (a platform thread that is no daemon) waits, so the VM
//     was ended from outside. Daemons that wait are no problem.
// S2: a recording that begins in a running VM does not say which threads are daemons: there every thread counts.
// S3: all threads have waited for 200 ms. After a shorter time the program may have been busy until it was ended.
// S4: a deadlock or a lost notify explains such an end better, so with such a finding the program is not also stuck.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "runtime/threads/java_thread.h"
#include "vm/tools/recording/finding_words.h"

namespace keyhole::recording {

namespace {

constexpr i64 least_time = 200 * millisecond;
constexpr usize most_reasons = 5;

struct Alive {
  std::set<u32> threads;  // the program's threads that have not ended
  bool keeps_vm = false;  // S1, S2
};

Alive alive_at_end(const WordsOf& words, const WaitFacts& facts) {
  std::set<u32> ended, daemons;
  for (const recorder::Entry& entry : words.recording().entries) {
    if (entry.kind == recorder::Kind::thread_end) ended.insert(entry.thread);
    // The main thread does not end while other threads run, but its Java thread does.
    bool is_terminated = entry.kind == recorder::Kind::thread_state &&
                         static_cast<JavaThreadStatus>(entry.detail) == JavaThreadStatus::Terminated;
    if (is_terminated) ended.insert(entry.a);
    if (entry.kind != recorder::Kind::thread_start) continue;
    ended.erase(entry.thread);
    if (entry.detail != 0) daemons.insert(entry.thread);
  }
  Alive alive;
  for (const auto& [thread, life] : facts.lives) {
    if (ended.contains(thread) || !words.is_own(thread)) continue;
    alive.threads.insert(thread);
    if (facts.lacks_fast_paths || !(daemons.contains(thread) || words.is_virtual(thread))) alive.keeps_vm = true;
  }
  return alive;
}

std::string_view verb_of(const Wait& wait) {
  switch (wait.kind) {
    case Wait::Kind::monitor: return " is blocked on ";
    case Wait::Kind::object: return " waits in Object.wait on ";
    default: return " is parked for ";
  }
}

Sentence reason_of(const WordsOf& words, const Wait& wait) {
  Sentence reason{words.thread(wait), {std::string(verb_of(wait))}};
  if (wait.object != 0) reason.push_back(words.object(wait.object, wait.event));
  else reason.push_back({"no object that is known"});
  if (!words.is_in_library(wait.site)) {
    reason.push_back({" at "});
    reason.push_back(words.line(wait.site, wait));
  } else reason.push_back({", in code of the class library"});
  reason.push_back({fmt::format(", for {}.", duration(wait.length()))});
  return reason;
}

}  // namespace

void find_stuck(const WordsOf& words, const WaitFacts& facts, std::vector<Finding>& findings) {
  auto explains_more = [](const Finding& each) {
    return each.topic == Topic::deadlock || each.topic == Topic::lost_notify;
  };
  if (std::ranges::any_of(findings, explains_more)) return;  // S4
  Alive alive = alive_at_end(words, facts);
  if (!alive.keeps_vm) return;
  std::map<u32, const Wait*> waiting;
  for (const Wait& wait : facts.waits) {
    bool can_last = !wait.has_ended && !wait.timed && wait.kind != Wait::Kind::sleep;
    if (can_last && alive.threads.contains(wait.thread)) waiting[wait.thread] = &wait;
  }
  if (waiting.size() != alive.threads.size()) return;
  if (std::ranges::any_of(waiting, [](const auto& each) { return each.second->length() < least_time; })) return;
  Finding finding{Topic::stuck, true, {{"Stuck: "}}, {}};
  std::vector<Words> names;
  for (const auto& [thread, wait] : waiting) {
    if (names.size() == most_reasons) break;
    names.push_back(words.thread(*wait));
    finding.reasons.push_back(reason_of(words, *wait));
  }
  usize others = waiting.size() - names.size();
  if (others != 0) names.push_back({times(others, "other thread")});
  add_list(finding.headline, names);
  auto waits_in_library = [&](const auto& each) {
    return each.second->kind == Wait::Kind::park && words.is_in_library(each.second->site);
  };
  if (std::ranges::any_of(waiting, waits_in_library))
    finding.reasons.push_back({{"Threads of a pool that have no task wait so, until shutdown() ends them."}});
  finding.headline.push_back({waiting.size() == 1 ? " waits, and no thread runs that could wake it."
                                                  : " wait, and no thread runs that could wake them."});
  findings.push_back(std::move(finding));
}

}  // namespace keyhole::recording
