// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes all figures as one JSON object. Names of counters are those of -XX:+PrintLockStatistics.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "runtime/base/shown_text.h"
#include "vm/tools/compare/report.h"
#include "vm/tools/compare/rules.h"
#include "vm/tools/compare/significance.h"
#include "vm/tools/compare/simulation.h"
#include "vm/tools/recording/show.h"

namespace keyhole::compare {

namespace {

std::string json_of(const LockStatistics& statistics) {
  std::string text = "{";
  for (u32 i = 0; i < lock_counter_count; ++i)
    text += fmt::format("\"{}\": {}, ", lock_counter_names[i], statistics.counters[i]);
  return text + fmt::format("\"monitor_bytes\": {}, \"element_bytes\": {}}}", statistics.monitor_bytes,
                            statistics.element_bytes);
}

std::string json_of(const LockProfile& profile) {
  std::vector<std::string> causes, hot;
  for (const auto& [cause, count] : profile.inflations)
    causes.push_back(fmt::format("{}: {}", json_text(cause), count));
  for (const HotObject& each : profile.hot)
    hot.push_back(
        fmt::format("{{\"class\": {}, \"site\": {}, \"enters\": {}, \"contended\": {}, \"waited_ns\": {}, "
                    "\"threads\": {}, \"jain\": {}}}",
                    json_text(each.class_name), json_text(each.site), each.enters, each.contended, each.waited_ns,
                    each.threads, each.jain ? fmt::format("{:.4f}", *each.jain) : "null"));
  return fmt::format(
      "{{\"enters\": {}, \"contended\": {}, \"waits\": {}, \"futile_wake_ups\": {}, \"inflations\": {{{}}},\n"
      "      \"waited_ns\": {{\"p50\": {}, \"p99\": {}, \"p999\": {}, \"most\": {}}},\n"
      "      \"hot_class\": {{\"class\": {}, \"enters\": {}, \"objects\": {}}},\n      \"hot\": [{}]}}",
      profile.enters, profile.contended, profile.waits, profile.futile_wake_ups, fmt::join(causes, ", "),
      profile.waited_at(0.5), profile.waited_at(0.99), profile.waited_at(0.999),
      profile.waited_ns.empty() ? 0 : profile.waited_ns.back(), json_text(profile.hot_class.name),
      profile.hot_class.enters, profile.hot_class.objects, fmt::join(hot, ",\n        "));
}

std::string json_of(const SimulatedRun& run) {
  if (!run.is_done()) return "null";
  std::string text = fmt::format("{{\"nanoseconds\": {}, \"counters\": {{", run.nanoseconds);
  for (u32 i = 0; i < lock_counter_count; ++i)
    text += fmt::format("{}\"{}\": {}", i == 0 ? "" : ", ", lock_counter_names[i], run.counters[i]);
  return text + "}}";
}

std::string names_of(const ModeFigures& mode) {
  std::string text = fmt::format("\"mode\": {}, \"locking_mode\": {}", json_text(mode.name()), json_text(mode.mode));
  std::vector<std::string> flags;
  for (const std::string& flag : mode.flags) flags.push_back(json_text(flag));
  if (!flags.empty())
    text += fmt::format(", \"variant\": {}, \"flags\": [{}]", json_text(mode.variant), fmt::join(flags, ", "));
  return text;
}

std::string json_of(const ModeFigures& mode, f64 wall_chance, f64 cpu_chance) {
  if (!mode.refusal.empty()) return fmt::format("  {{{}, \"refuses\": {}}}", names_of(mode), json_text(mode.refusal));
  std::string text = fmt::format(
      "  {{{}, \"output_differs\": {}, \"wall_ms\": {:.3f}, \"cpu_ms\": {:.3f},\n"
      "    \"wall_chance\": {:.6f}, \"cpu_chance\": {:.6f},\n    \"runs\": [",
      names_of(mode), mode.output_differs, median(mode.wall()), median(mode.cpu()), wall_chance, cpu_chance);
  for (usize i = 0; i < mode.runs.size(); ++i)
    text += fmt::format("{}{{\"wall_ms\": {:.3f}, \"cpu_ms\": {:.3f}, \"counters\": {}}}", i == 0 ? "" : ",\n      ",
                        mode.runs[i].wall_ms, mode.runs[i].cpu_ms, json_of(mode.runs[i].statistics));
  text += "],\n    \"counters\": " + json_of(mode.statistics());
  if (mode.profile) text += ",\n    \"recorded\": " + json_of(*mode.profile);
  if (mode.simulated)
    text += fmt::format(",\n    \"simulated\": {{\"here\": {},\n      \"there\": {}}}", json_of(mode.simulated->here),
                        json_of(mode.simulated->there));
  return text + "}";
}

}  // namespace

std::string report_as_json(const Comparison& comparison) {
  Chances chances = chances_of(comparison);
  std::vector<std::string> modes, words;
  for (usize i = 0; i < comparison.modes.size(); ++i)
    modes.push_back(json_of(comparison.modes[i], chances.wall[i], chances.cpu[i]));
  for (const std::string& sentence : what_decided(comparison)) words.push_back(json_text(sentence));
  for (const std::string& sentence : what_is_simulated(comparison)) words.push_back(json_text(sentence));
  std::string simulation = "null";
  if (const auto& load = comparison.simulation)
    simulation = fmt::format(
        "{{\"cpus\": {}, \"threads\": {}, \"locks\": {}, \"objects\": {}, "
        "\"inside_ns\": {:.1f}, \"outside_ns\": {:.1f}}}",
        load->cpus, load->threads, load->locks, load->objects, load->inside_ns, load->outside_ns);
  std::string more =
      fmt::format("\"share_of_others\": {}, ",
                  comparison.share_of_others ? fmt::format("{:.4f}", *comparison.share_of_others) : "null");
  if (comparison.hotspot) more += fmt::format("\"hotspot\": {},\n", json_of(*comparison.hotspot, 1, 1));
  return fmt::format(
      "{{\"command\": {}, \"base\": {}, \"processors\": {}, {}\"simulation\": {}, \"modes\": [\n{}],\n\"words\": [\n  "
      "{}]}}\n",
      json_text(comparison.command), json_text(comparison.base), comparison.processors, more, simulation,
      fmt::join(modes, ",\n"), fmt::join(words, ",\n  "));
}

}  // namespace keyhole::compare
