// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Findings about the runtime: pauses of collections, and code that is deoptimized again and again.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>

#include "runtime/recorder/stacks.h"
#include "vm/tools/recording/finding_words.h"
#include "vm/tools/recording/show.h"

namespace keyhole::recording {

namespace {

using recorder::Entry;
using Event = recorder::Kind;

struct Pause {
  i64 begin, end;
  u32 cause, event, kind;
  u32 phase = 0;         // its longest one
  i64 phase_length = 0;  // of that
};

struct Pauses {
  std::vector<Pause> all;
  i64 total = 0;
};

Pauses pauses_of(const recorder::Recording& recording) {
  Pauses found;
  std::optional<Pause> pause;
  u32 phase = 0;
  i64 phase_begin = 0;
  auto end_phase = [&](i64 now) {
    if (phase != 0 && now - phase_begin > pause->phase_length)
      pause->phase = phase, pause->phase_length = now - phase_begin;
  };
  for (usize i = 0; i < recording.entries.size(); ++i) {
    const Entry& entry = recording.entries[i];
    if (entry.kind == Event::pause_begin) {
      pause = Pause{entry.nanoseconds, entry.nanoseconds, entry.a, static_cast<u32>(i), 0};
      phase = 0;
    } else if (entry.kind == Event::phase && pause) {
      end_phase(entry.nanoseconds);
      phase = entry.a, phase_begin = entry.nanoseconds;
    } else if (entry.kind == Event::pause_end && pause) {
      end_phase(entry.nanoseconds);
      pause->end = entry.nanoseconds;
      pause->kind = entry.a;
      found.total += pause->end - pause->begin;
      found.all.push_back(*pause);
      pause.reset();
    }
  }
  return found;
}

struct Deoptimized {
  u64 count = 0, compiled = 0;
  std::map<std::pair<std::string, u32>, u64> reasons;  // by reason and site
  u32 last_event = 0, last_thread = 0;
};

// The line of the program where most execution samples are: at the line itself, or in methods of the class library that
// it calls.
struct HottestLine {
  u32 site = 0;
  u64 samples = 0, all = 0;
};
HottestLine hottest_line_of(const WordsOf& words) {
  std::map<u32, u64> samples;  // by site
  HottestLine hottest;
  for (const Entry& entry : words.recording().entries) {
    if (entry.kind != Event::execution_sample || !words.is_own(entry.thread)) continue;
    ++hottest.all;
    std::vector<u32> sites = recorder::sites_of_stack(words.recording(), entry.a);
    auto own = std::ranges::find_if(sites.rbegin(), sites.rend(), [&](u32 site) { return !words.is_in_library(site); });
    if (own != sites.rend() && ++samples[*own] > hottest.samples) hottest.site = *own, hottest.samples = samples[*own];
  }
  return hottest;
}

// Says what happened in the program for a deoptimization reason that find_deoptimizations counts.
std::string_view meaning_of(std::string_view reason) {
  constexpr std::pair<std::string_view, std::string_view> meanings[] = {
      {"unresolved", "the program reached an instruction that it had never executed before the compilation"},
      {"class", "an object was of a class that had not been seen there before the compilation"},
      {"untaken", "a branch went where it had never gone before the compilation"},
      {"hoisted", "a check that the compiler had moved in front of a loop failed"},
      {"intrinsic", "an intrinsic method met a case that its code does not cover"},
      {"throws", "an exception left the compiled code"},
      {"obsolete", "a class was loaded or redefined that the code did not allow for"},
  };
  auto found = std::ranges::find(meanings, reason, [](const auto& each) { return each.first; });
  return found == std::end(meanings) ? "an instruction threw an exception, or needed the interpreter" : found->second;
}

// Deoptimization reasons that say nothing about the code: the VM stopped the thread, or memory was full.
bool is_of_code(std::string_view reason) {
  constexpr std::string_view others[] = {"poll", "memory", "monitor"};
  return std::ranges::find(others, reason) == std::end(others);
}

}  // namespace

void find_pauses(const WordsOf& words, const WaitFacts& facts, std::vector<Finding>& findings) {
  Pauses pauses = pauses_of(words.recording());
  if (pauses.all.empty()) return;
  const Pause& longest =
      *std::ranges::max_element(pauses.all, {}, [](const Pause& each) { return each.end - each.begin; });
  i64 length = facts.end - facts.begin;
  bool is_problem = (pauses.total >= 20 * millisecond && pauses.total >= length / 10) ||
                    longest.end - longest.begin >= 100 * millisecond;
  if (!is_problem) return;
  const recorder::Recording& recording = words.recording();
  Place all{.view = "heap"};
  Place at{.view = "heap", .event = longest.event, .begin = longest.begin, .end = longest.end};
  Finding finding{Topic::pauses,
                  true,
                  {{"Long pauses: "},
                   {times(pauses.all.size(), "garbage collection"), all},
                   {fmt::format(" stopped the program for {:.0f} % of its time.",
                                100.0 * static_cast<f64>(pauses.total) / static_cast<f64>(std::max<i64>(length, 1)))}},
                  {}};
  std::map<std::string, u64> kinds;
  for (const Pause& each : pauses.all) ++kinds[recording.text(each.kind)];
  std::vector<std::pair<std::string, u64>> by_count(kinds.begin(), kinds.end());
  std::ranges::stable_sort(by_count, std::greater(), [](const auto& each) { return each.second; });
  std::vector<std::string> counts;
  for (const auto& [kind, count] : by_count) counts.push_back(fmt::format("{} \"{}\"", count, kind));
  finding.reasons.push_back(
      {{fmt::format("They took {} in all, {} on average: {}.", duration(pauses.total),
                    duration(pauses.total / static_cast<i64>(pauses.all.size())), fmt::join(counts, ", "))}});
  finding.reasons.push_back(
      {{"The longest"},
       {fmt::format(" took {}", duration(longest.end - longest.begin)), at},
       {fmt::format(": \"{}\"{}.", recording.text(longest.kind),
                    longest.phase == 0 ? ""
                                       : fmt::format("; the phase \"{}\" took {} of that",
                                                     recording.text(longest.phase), duration(longest.phase_length)))}});
  if (HottestLine hottest = hottest_line_of(words); hottest.samples * 4 > hottest.all)
    finding.reasons.push_back({{fmt::format("In {:.0f} % of the samples of the profile, the program was at ",
                                            100.0 * static_cast<f64>(hottest.samples) / static_cast<f64>(hottest.all))},
                               {words.line(hottest.site), {.view = "profile"}},
                               {", or in methods of the class library that this line calls."}});
  finding.reasons.push_back(
      {{"Fewer new objects, or a larger heap (-Xmx), make garbage collections rarer; fewer live objects make them "
        "shorter."}});
  findings.push_back(std::move(finding));
}

void find_deoptimizations(const WordsOf& words, const WaitFacts&, std::vector<Finding>& findings) {
  const recorder::Recording& recording = words.recording();
  std::map<u32, Deoptimized> all;  // by method
  for (usize i = 0; i < recording.entries.size(); ++i) {
    const Entry& entry = recording.entries[i];
    if (entry.kind == Event::compiled && entry.detail >= 4) ++all[entry.a].compiled;
    if (entry.kind != Event::deoptimized) continue;
    std::string reason = fields_of(recording, entry).back().text;
    if (!is_of_code(reason)) continue;
    Deoptimized& method = all[entry.b];
    ++method.count;
    ++method.reasons[{reason, entry.a}];
    method.last_event = static_cast<u32>(i), method.last_thread = entry.thread;
  }
  auto worst = std::ranges::max_element(all, {}, [](const auto& each) { return each.second.count; });
  if (worst == all.end()) return;
  const auto& [name, method] = *worst;
  if (method.count < 100 && (method.count < 3 || method.compiled < 3)) return;
  Place place{.view = "code", .thread = method.last_thread, .event = method.last_event};
  Finding finding{Topic::deoptimized,
                  true,
                  {{"Deoptimized again and again: "},
                   {recording.text(name), place},
                   {fmt::format(", {}.", times(method.count, "time"))}},
                  {}};
  auto often = std::ranges::max_element(method.reasons, {}, [](const auto& each) { return each.second; });
  const auto& [reason, site] = often->first;
  finding.reasons.push_back({{fmt::format("{} of them, at ", often->second)},
                             {words.line(site), place},
                             {fmt::format(", have the reason \"{}\": {}.", reason, meaning_of(reason))}});
  finding.reasons.push_back({{fmt::format(
      "Each time, the thread continues in the interpreter, which is slower; the result stays right. The optimising "
      "tier compiled the method {}. If the method is hot, give each kind of its callers or objects a method of its "
      "own.",
      times(method.compiled, "time"))}});
  findings.push_back(std::move(finding));
}

}  // namespace keyhole::recording
