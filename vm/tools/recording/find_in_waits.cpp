// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Findings about threads that wait: deadlocks, lost notifies, starvation, hot locks, long waits.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "vm/tools/recording/finding_words.h"

namespace keyhole::recording {

namespace {

// `wait` is a wait that lasts to the end of the recording. Returns the thread that owns the awaited lock at that time,
// or 0 if the owner is unknown.
u32 owner_at_end(const Wait& wait, const WaitFacts& facts) {
  if (wait.kind == Wait::Kind::monitor) {
    auto held = facts.held.find(wait.object);
    return held != facts.held.end() ? held->second.thread : wait.owner;
  }
  if (wait.kind != Wait::Kind::park || wait.timed || wait.owner == 0) return 0;
  auto owner = facts.synchronizer_owners.find(wait.object);
  return owner == facts.synchronizer_owners.end() ? wait.owner : owner->second;
}

Finding deadlock(const WordsOf& words, const WaitFacts& facts, const std::vector<Wait>& cycle) {
  auto monitors = std::ranges::count(cycle, Wait::Kind::monitor, &Wait::kind);
  std::string_view locks = cycle.size() == 1                            ? "a lock"
                           : monitors == static_cast<i64>(cycle.size()) ? "monitors"
                           : monitors == 0                              ? "locks of java.util.concurrent"
                                                                        : "monitors and locks of java.util.concurrent";
  Finding finding{Topic::deadlock, true, {{"Deadlock: "}}, {}};
  std::vector<Words> names;
  for (const Wait& wait : cycle) names.push_back(words.thread(wait));
  add_list(finding.headline, names);
  finding.headline.push_back({fmt::format(" wait for each other for ever ({}).", locks)});
  for (const Wait& wait : cycle) {
    Sentence reason{
        words.thread(wait),          {" waits for "}, words.object(wait.object, wait.event),   {" at "},
        words.line(wait.site, wait), {", and "},      words.thread(owner_at_end(wait, facts)), {" holds it"}};
    auto held = facts.held.find(wait.object);
    bool is_known = held != facts.held.end() && held->second.thread == owner_at_end(wait, facts);
    if (is_known && held->second.site != 0) {
      const auto& [thread, levels, site, event, since] = held->second;
      reason.insert(reason.end(),
                    {{" since "},
                     {words.line(site), {.view = "events", .thread = thread, .object = wait.object, .event = event}}});
    }
    reason.push_back({"."});
    finding.reasons.push_back(std::move(reason));
  }
  finding.reasons.push_back(
      {{"If all threads acquire these locks in the same order, for instance by a number of each, this cannot "
        "happen."}});
  return finding;
}

std::string_view verb_of(const Wait& wait) {
  switch (wait.kind) {
    case Wait::Kind::monitor: return "was blocked on";
    case Wait::Kind::object: return "waited in Object.wait on";
    case Wait::Kind::park: return wait.object == 0 ? "was parked" : "was parked for";
    case Wait::Kind::sleep: return "slept";
  }
  return "";
}

// For how long the lock was held, by whom, and whether its owner worked in that time.
struct HoldsInWords {
  std::vector<Sentence> reasons;
  bool is_idle = false;  // the owner slept or waited for most of the longest hold
};
HoldsInWords holds_in_words(const WordsOf& words, const WaitFacts& facts, u32 object) {
  auto held = facts.holds.find(object);
  if (held == facts.holds.end() || held->second.timed == 0) return {};
  const HoldFacts& holds = held->second;
  Place place{.view = "threads",
              .thread = holds.longest_thread,
              .object = object,
              .event = holds.longest_event,
              .begin = holds.longest_begin,
              .end = holds.longest_begin + holds.longest};
  f64 share = static_cast<f64>(holds.total) / static_cast<f64>(std::max<i64>(facts.end - facts.begin, 1));
  HoldsInWords result;
  std::vector<Sentence>& reasons = result.reasons;
  reasons.push_back({{fmt::format("It was held for {} on average, {:.0f} % of the time. The longest hold ({}) was by ",
                                  duration(holds.average()), 100 * share, duration(holds.longest))},
                     {words.recording().thread_name(holds.longest_thread), place},
                     {", from "},
                     {words.line(holds.longest_site), place},
                     {" on."}});
  i64 idle = 0;
  const Wait* longest = nullptr;
  for (const Wait& wait : facts.waits) {
    if (wait.thread != holds.longest_thread || wait.object == object) continue;
    i64 both = std::min(wait.end, place.end) - std::max(wait.begin, place.begin);
    if (both <= 0) continue;
    idle += both;
    if (longest == nullptr || wait.length() > longest->length()) longest = &wait;
  }
  result.is_idle = longest != nullptr && idle * 2 > holds.longest;
  if (!result.is_idle) return result;
  reasons.push_back({{"For most of that hold its owner did not work: "},
                     words.thread(*longest),
                     {fmt::format(" {}", verb_of(*longest))}});
  Sentence& sentence = reasons.back();
  if (longest->object != 0) sentence.insert(sentence.end(), {{" "}, words.object(longest->object, longest->event)});
  if (longest->site != 0) sentence.insert(sentence.end(), {{" at "}, words.line(longest->site, *longest)});
  sentence.push_back({fmt::format(", for {}.", duration(idle))});
  return result;
}

}  // namespace

void find_deadlocks(const WordsOf& words, const WaitFacts& facts, std::vector<Finding>& findings) {
  std::map<u32, const Wait*> waiting;  // by thread
  for (const Wait& wait : facts.waits) {
    if (!wait.has_ended && owner_at_end(wait, facts) != 0) waiting[wait.thread] = &wait;
  }
  std::set<u32> seen;
  for (const auto& [start, first] : waiting) {
    std::vector<u32> path;
    u32 at = start;
    while (waiting.contains(at) && !seen.contains(at)) {
      seen.insert(at);
      path.push_back(at);
      at = owner_at_end(*waiting[at], facts);
    }
    auto begin = std::ranges::find(path, at);
    if (begin == path.end() || path.end() - begin < 2) continue;
    std::vector<Wait> cycle;
    for (; begin != path.end(); ++begin) cycle.push_back(*waiting[*begin]);
    findings.push_back(deadlock(words, facts, cycle));
  }
}

void find_lost_notifies(const WordsOf& words, const WaitFacts& facts, std::vector<Finding>& findings) {
  for (const Wait& wait : facts.waits) {
    if (wait.has_ended || wait.kind != Wait::Kind::object || wait.timed || words.is_in_library(wait.site)) continue;
    if (!words.is_own(wait.thread)) continue;
    auto notified = facts.notified.find(wait.object);
    bool is_lost = notified != facts.notified.end() && notified->second.last_event < wait.event &&
                   !notified->second.has_woken && notified->second.last_thread != wait.thread;
    if (!is_lost) continue;
    Finding finding{Topic::lost_notify,
                    true,
                    {{"Lost notify: "}, words.thread(wait), {" waits for a notify that came before it waited."}},
                    {}};
    const NotifyFacts& facts_of = notified->second;
    i64 at = words.recording().entries[facts_of.last_event].nanoseconds;
    finding.reasons.push_back({words.thread(facts_of.last_thread),
                               {" notified "},
                               words.object(wait.object, facts_of.last_event),
                               {" at "},
                               {words.line(facts_of.last_site),
                                {.view = "events", .thread = facts_of.last_thread, .event = facts_of.last_event}},
                               {", when no thread waited."}});
    finding.reasons.push_back({{fmt::format("{} later, ", duration(wait.begin - at))},
                               words.thread(wait),
                               {" began to wait at "},
                               words.line(wait.site, wait),
                               {fmt::format(", and waits to the end ({}).", duration(wait.length()))}});
    finding.reasons.push_back(
        {{"A notify is not kept for later. So set a field before the notify, and wait in a loop that tests it, both "
          "under the lock: `while (!ready) lock.wait();`."}});
    findings.push_back(std::move(finding));
  }
}

// A thread starves if it spends half of its life waiting for a lock, and the lock's most frequent owner hardly ever
// waits for the lock. In addition, the thread must wait many times, or other threads must acquire the lock many times
// while it waits. So a single long wait in a queue is no starvation.
void find_starvation(const WordsOf& words, const WaitFacts& facts, std::vector<Finding>& findings) {
  struct Starved {
    u64 waits = 0, overtaken = 0;
    i64 total = 0;
    const Wait* longest = nullptr;
    std::map<u32, u64> owners;
  };
  constexpr i64 least_total = 100 * millisecond;
  constexpr u64 least_times = 10;
  std::map<std::pair<u32, u32>, Starved> all;  // by thread and object
  for (const Wait& wait : facts.waits) {
    if (!wait.is_for_lock() || wait.object == 0) continue;
    Starved& starved = all[{wait.thread, wait.object}];
    ++starved.waits;
    ++starved.owners[wait.owner];
    starved.overtaken += wait.overtaken;
    starved.total += wait.length();
    if (starved.longest == nullptr || wait.length() > starved.longest->length()) starved.longest = &wait;
  }
  std::pair<u32, u32> worst;
  u32 greedy = 0;
  i64 most = 0;
  for (const auto& [key, starved] : all) {
    auto life = facts.lives.find(key.first);
    i64 lived = life == facts.lives.end() ? 0 : life->second.second - life->second.first;
    if (starved.total < least_total || starved.total < lived / 2) continue;
    if (std::max(starved.waits, starved.overtaken) < least_times) continue;
    if (starved.total <= most || !words.is_own(key.first)) continue;
    u32 owner = std::ranges::max_element(starved.owners, {}, [](const auto& each) { return each.second; })->first;
    auto of_owner = all.find({owner, key.second});
    if (owner == 0 || (of_owner != all.end() && of_owner->second.total > starved.total / 10)) continue;
    worst = key, greedy = owner, most = starved.total;
  }
  if (most == 0) return;
  const Starved& starved = all[worst];
  const Wait& longest = *starved.longest;
  const auto& life = facts.lives.at(worst.first);
  i64 lived = std::max<i64>(life.second - life.first, 1);
  Finding finding{Topic::starvation,
                  true,
                  {{"Starving thread: "},
                   words.thread(longest),
                   {fmt::format(" waited {:.0f} % of its time for ",
                                100.0 * static_cast<f64>(starved.total) / static_cast<f64>(lived))},
                   words.object(worst.second, longest.event),
                   {", which "},
                   words.thread(greedy),
                   {" acquires again and again."}},
                  {}};
  finding.reasons.push_back({{fmt::format("It waited {}, {} in all, {} at most, at ", times(starved.waits, "time"),
                                          duration(starved.total), duration(longest.length()))},
                             words.line(longest.site, longest),
                             {"."}});
  auto of_owner = all.find({greedy, worst.second});
  finding.reasons.push_back({words.thread(greedy),
                             {of_owner == all.end() || of_owner->second.total == 0
                                  ? " did not wait for it."
                                  : fmt::format(" waited {} for it in all.", duration(of_owner->second.total))}});
  if (starved.overtaken != 0)
    finding.reasons.back().push_back(
        {fmt::format(" Others acquired it again {} while {} waited.", times(starved.overtaken, "time"),
                     words.recording().thread_name(worst.first))});
  for (Sentence& sentence : holds_in_words(words, facts, worst.second).reasons)
    finding.reasons.push_back(std::move(sentence));
  finding.reasons.push_back(
      {{"A thread that releases a lock and acquires it again at once is faster than one that has to wake. Less time "
        "inside the lock helps, or a fair lock: `new ReentrantLock(true)`; Keyhole's option `-XX:+MonitorTurns` makes "
        "monitors fair."}});
  findings.push_back(std::move(finding));
}

void find_hot_locks(const WordsOf& words, const WaitFacts& facts, std::vector<Finding>& findings) {
  struct Hot {
    i64 total = 0;
    u64 waits = 0;
    u32 most_queued = 0;
    std::set<u32> threads;
    const Wait* longest = nullptr;
  };
  std::map<u32, Hot> all;   // by object
  std::set<u32> explained;  // objects of earlier findings that say why threads wait for these objects
  for (const Finding& each : findings) {
    if (each.topic == Topic::deadlock) {
      for (const Sentence& reason : each.reasons)
        for (const Words& part : reason) explained.insert(part.place.object);
    } else if (each.topic == Topic::starvation) {
      for (const Words& part : each.headline) explained.insert(part.place.object);
    }
  }
  for (const Wait& wait : facts.waits) {
    if (!wait.is_for_lock() || wait.object == 0 || explained.contains(wait.object)) continue;
    if (!words.is_own(wait.thread)) continue;
    Hot& hot = all[wait.object];
    hot.total += wait.length();
    ++hot.waits;
    hot.most_queued = std::max(hot.most_queued, wait.queued + 1);
    hot.threads.insert(wait.thread);
    if (hot.longest == nullptr || wait.length() > hot.longest->length()) hot.longest = &wait;
  }
  auto hottest = std::ranges::max_element(all, {}, [](const auto& each) { return each.second.total; });
  if (hottest == all.end()) return;
  const auto& [object, hot] = *hottest;
  if (hot.total < 20 * millisecond || hot.total < (facts.end - facts.begin) / 10) return;
  const Wait& longest = *hot.longest;
  Finding finding{Topic::hot_lock,
                  true,
                  {{"Hot lock: "},
                   {times(hot.threads.size(), "thread")},
                   {" waited "},
                   {fmt::format("{} in all for ", duration(hot.total))},
                   words.object(object, longest.event)},
                  {}};
  const HoldsInWords in_words = holds_in_words(words, facts, object);
  finding.reasons = in_words.reasons;
  auto held = facts.holds.find(object);
  if (held != facts.holds.end() && held->second.timed != 0) {
    const HoldFacts& holds = held->second;
    finding.headline.push_back({holds.average() >= millisecond
                                    ? fmt::format(", which is held for {} each time.", duration(holds.average()))
                                    : fmt::format(", which was acquired {}.", times(holds.enters, "time"))});
  } else finding.headline.push_back({"."});
  finding.reasons.push_back({{fmt::format("At most {} waited at once. The longest wait ({}) was that of ",
                                          times(hot.most_queued, "thread"), duration(longest.length()))},
                             words.thread(longest),
                             {" at "},
                             words.line(longest.site, longest)});
  if (longest.owner != 0)
    finding.reasons.back().insert(finding.reasons.back().end(), {{", behind "}, words.thread(longest.owner)});
  finding.reasons.back().push_back({"."});
  finding.reasons.push_back(
      {{in_words.is_idle
            ? "A thread that sleeps or waits should not hold a lock that others need: do that before or after."
            : "Do less while the lock is held, or divide what it protects among several locks."}});
  findings.push_back(std::move(finding));
}

void find_long_waits(const WordsOf& words, const WaitFacts& facts, std::vector<Finding>& findings) {
  auto explains_the_end = [](const Finding& each) {
    return each.topic == Topic::deadlock || each.topic == Topic::lost_notify || each.topic == Topic::stuck;
  };
  // Beside threads that wait for ever, a wait of milliseconds says nothing.
  if (std::ranges::any_of(findings, explains_the_end)) return;
  const Wait* longest = nullptr;
  for (const Wait& wait : facts.waits) {
    if (wait.kind == Wait::Kind::sleep || wait.object == 0 || words.is_in_library(wait.site) ||
        !words.is_own(wait.thread))
      continue;
    if (longest == nullptr || wait.length() > longest->length()) longest = &wait;
  }
  if (longest == nullptr || longest->length() < millisecond) return;
  Finding finding{Topic::long_wait, false, {{"Longest wait: "}, words.thread(*longest)}, {}};
  finding.headline.push_back({fmt::format(" {} ", verb_of(*longest))});
  finding.headline.push_back(words.object(longest->object, longest->event));
  finding.headline.push_back({fmt::format(" for {}", duration(longest->length()))});
  if (!longest->has_ended) finding.headline.push_back({", to the end"});
  else if (longest->woken_by != 0) {
    finding.headline.push_back({", until "});
    finding.headline.push_back(words.thread(longest->woken_by));
    finding.headline.push_back({longest->kind == Wait::Kind::park ? " unparked it" : " notified it"});
  } else if (longest->timed) finding.headline.push_back({", until its time was over"});
  finding.headline.push_back({"."});
  finding.reasons.push_back({{"It waited at "}, words.line(longest->site, *longest), {"."}});
  findings.push_back(std::move(finding));
}

}  // namespace keyhole::recording
