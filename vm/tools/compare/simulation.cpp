// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Parses the output of bench/lockreplay, and states the conclusions.
#include "vm/tools/compare/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <sstream>

#include "runtime/base/process/executable.h"

namespace keyhole::compare {

namespace {

// smaller differences of times are ignored, as in the comparison of real runs
constexpr f64 least_simulated_difference = 0.03;

}  // namespace

std::string replayer() { return executable_folder() + "/lockreplay"; }

bool parse_replay(const std::string& output, std::string_view mode, SimulatedRun& run) {
  std::istringstream words(output);
  std::string name, end;
  if (!(words >> name >> end) || name != mode) return false;
  run = {};
  if (end == "unknown") run.end = SimulatedRun::End::unknown;
  else if (end == "stuck") run.end = SimulatedRun::End::stuck;
  else if (end == "done" && words >> run.nanoseconds) run.end = SimulatedRun::End::done;
  else return false;
  for (std::string word; words >> word;) {
    usize at = word.find('=');
    if (at == std::string::npos) return false;
    for (u32 i = 0; i < lock_counter_count; ++i) {
      if (lock_counter_names[i] == std::string_view(word).substr(0, at))
        std::from_chars(word.data() + at + 1, word.data() + word.size(), run.counters[i]);
    }
  }
  return true;
}

std::vector<std::string> what_is_simulated(const Comparison& comparison) {
  const ModeFigures* base = comparison.find(comparison.base);
  if (!comparison.simulation || base == nullptr || !base->simulated) return {};
  const SimulatedRun &here = base->simulated->here, &there = base->simulated->there;
  u32 cpus = comparison.simulation->cpus;
  if (!here.is_done() || !there.is_done())
    return {
        fmt::format("The simulation of {} CPUs does not come to an end in `{}`: what its threads wait for is not "
                    "among the locks that were recorded.",
                    cpus, base->mode)};
  auto ratio_of = [&](const ModeFigures& mode) {
    return static_cast<f64>(mode.simulated->there.nanoseconds) / static_cast<f64>(there.nanoseconds);
  };
  std::vector<std::string> words{fmt::format(
      "A simulation: on {} CPUs `{}` would take {:.2f} times as long for these locks as on {}.", cpus, base->mode,
      static_cast<f64>(there.nanoseconds) / static_cast<f64>(here.nanoseconds), comparison.processors)};
  const ModeFigures *fastest = base, *slowest = base;
  for (const ModeFigures& mode : comparison.modes) {
    if (!mode.simulated || !mode.simulated->there.is_done()) continue;
    if (ratio_of(mode) < ratio_of(*fastest)) fastest = &mode;
    if (ratio_of(mode) > ratio_of(*slowest)) slowest = &mode;
  }
  auto sentence = [&](const ModeFigures& mode, std::string_view which) {
    words.push_back(fmt::format("There `{}` would be the {}: {:.2f} times as long as `{}`.", mode.mode, which,
                                ratio_of(mode), base->mode));
  };
  bool some_faster = ratio_of(*fastest) < 1 - least_simulated_difference;
  bool some_slower = ratio_of(*slowest) > 1 + least_simulated_difference;
  if (some_faster) sentence(*fastest, "fastest");
  if (some_slower) sentence(*slowest, "slowest");
  if (!some_faster && comparison.modes.size() > 1)
    words.push_back(
        fmt::format("There no mode would be faster than `{}`{}.", base->mode, some_slower ? "" : ", and none slower"));
  return words;
}

}  // namespace keyhole::compare
