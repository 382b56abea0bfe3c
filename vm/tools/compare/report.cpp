// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Prints the tables: times, counts, waits, hot objects, the simulation.
#include "vm/tools/compare/report.h"
#include "runtime/base/shown_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "vm/tools/compare/busy_machine.h"
#include "vm/tools/compare/rules.h"
#include "vm/tools/compare/significance.h"
#include "vm/tools/compare/simulation.h"
#include "vm/tools/terminal.h"

namespace keyhole::compare {

namespace {

// Formats a count in at most six characters: 99999, 123.4k, 12.34M.
std::string short_count(u64 count) {
  f64 value = static_cast<f64>(count);
  if (count < 100'000) return std::to_string(count);
  for (auto [unit, letter] : {std::pair(1e3, 'k'), {1e6, 'M'}, {1e9, 'G'}}) {
    f64 scaled = value / unit;
    if (scaled < 999.95) return fmt::format("{:.{}f}{}", scaled, scaled < 9.995 ? 2 : 1, letter);
  }
  return fmt::format("{:.0f}G", value / 1e9);
}

std::string share(u64 part, u64 whole) {
  if (whole == 0) return "-";
  f64 percents = 100 * static_cast<f64>(part) / static_cast<f64>(whole);
  if (part == 0) return "0%";
  return percents < 0.1 ? "<0.1%" : fmt::format("{:.{}f}%", percents, percents < 9.95 ? 1 : 0);
}

std::string milliseconds(f64 value) { return fmt::format("{:.{}f}", value, value < 9999.5 ? 1 : 0); }

// Formats a time in microseconds, in at most seven characters.
std::string microseconds(i64 nanoseconds) {
  f64 value = static_cast<f64>(nanoseconds) / 1e3;
  return fmt::format("{:.{}f}", value, value < 99.95 ? 1 : 0);
}

std::string with_spread(const std::vector<f64>& samples) {
  return fmt::format("{:>9} {:>5}", milliseconds(median(samples)), fmt::format("+-{:.0f}%", 100 * spread(samples)));
}

std::string ratio(const std::vector<f64>& samples, const std::vector<f64>& base, f64 chance) {
  return fmt::format("{:>7.2f} {:<2}", median(samples) / median(base), mark_of(chance));
}

std::string plural(u64 count, std::string_view noun) {
  return fmt::format("{} {}{}", grouped(count), noun, count == 1 ? "" : "s");
}

// Formats a cell of several lines. The cell begins after `columns` columns of its row, and its further lines are
// indented to that column.
std::string cell_after(usize columns, std::string_view text) {
  return wrapped(std::string(columns, '.').append(text), std::string(columns, ' ')).substr(columns);
}

// Writes the first cell of a row: the name of a mode, or of a variant, which is indented below its mode.
class RowNames {
 public:
  std::string operator()(const ModeFigures& mode) {
    std::string heading = !mode.variant.empty() && mode.mode != last_ ? mode.mode + "\n" : "";
    last_ = mode.mode;
    return heading + fmt::format("{:<19}", mode.variant.empty() ? mode.mode : "  " + mode.variant);
  }

 private:
  std::string last_;
};

std::string times(const Comparison& comparison) {
  RowNames name;
  std::string text = fmt::format("{:<19} {:>9} {:>5} {:>7}    {:>9} {:>5} {:>7}\n", "mode", "wall ms", "+-", "ratio",
                                 "CPU ms", "+-", "ratio");
  const ModeFigures& base = *comparison.find(comparison.base);
  Chances chances = chances_of(comparison);
  for (usize i = 0; i < comparison.modes.size(); ++i) {
    const ModeFigures& mode = comparison.modes[i];
    if (!mode.refusal.empty()) {
      text += name(mode) + " " + cell_after(20, (mode.is_over_time ? "" : "refuses: ") + mode.refusal);
      continue;
    }
    text += fmt::format("{} {} {} {} {}", name(mode), with_spread(mode.wall()),
                        ratio(mode.wall(), base.wall(), chances.wall[i]), with_spread(mode.cpu()),
                        ratio(mode.cpu(), base.cpu(), chances.cpu[i]));
    text.erase(text.find_last_not_of(' ') + 1);
    text += mode.output_differs ? "\n  its output differs from that of the first run\n" : "\n";
  }
  if (!comparison.hotspot) return text;
  const ModeFigures& hotspot = *comparison.hotspot;
  if (!hotspot.refusal.empty()) return text + fmt::format("{:<19} ", hotspot.mode) + cell_after(20, hotspot.refusal);
  if (!hotspot.has_run() || !base.has_run()) return text;
  text += fmt::format("{:<19} {} {} {} {}", hotspot.mode, with_spread(hotspot.wall()),
                      ratio(hotspot.wall(), base.wall(), 1), with_spread(hotspot.cpu()),
                      ratio(hotspot.cpu(), base.cpu(), 1));
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

// The ratios with their intervals.
std::string intervals(const Comparison& comparison) {
  const ModeFigures& base = *comparison.find(comparison.base);
  RowNames name;
  std::string rows;
  auto cell = [](const std::vector<f64>& values, const std::vector<f64>& others) {
    auto [from, to] = ratio_interval(values, others);
    std::string range = std::isfinite(to) ? fmt::format("{:.2f} to {:.2f}", from, to) : "too few runs";
    return fmt::format("{:>10.2f} {:>16}", median(values) / median(others), range);
  };
  auto add = [&](const std::string& heading, const ModeFigures& mode) {
    rows += fmt::format("{}{}{}\n", heading, cell(mode.wall(), base.wall()), cell(mode.cpu(), base.cpu()));
  };
  for (const ModeFigures& mode : comparison.modes) {
    if (&mode != &base && mode.has_run()) add(name(mode), mode);
  }
  if (comparison.hotspot && comparison.hotspot->has_run())
    add(fmt::format("{:<19}", comparison.hotspot->mode), *comparison.hotspot);
  if (rows.empty()) return {};
  return fmt::format("{:<19}{:>10} {:>16}{:>10} {:>16}\n", "95 % confidence", "wall", "of ratio", "CPU", "of ratio") +
         rows;
}

std::string counts(const Comparison& comparison) {
  constexpr std::string_view row = "{:<19} {:>6} {:>5} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>5}\n";
  std::string text =
      fmt::format(row, "", "", "cont-", "spins", "spins", "", "hand-", "futile", "infla-", "lock") +
      fmt::format(row, "mode", "enters", "ended", "won", "lost", "parks", "overs", "wakes", "tions", "KiB");
  RowNames name;
  for (const ModeFigures& mode : comparison.modes) {
    if (!mode.refusal.empty()) continue;
    LockStatistics s = mode.statistics();
    auto count = [&](LockCounter counter) { return short_count(s.of(counter)); };
    const LockProfile* profile = mode.profile ? &*mode.profile : nullptr;
    text += fmt::format(fmt::runtime(row), name(mode), profile ? short_count(profile->enters) : "-",
                        profile ? share(s.of(LockCounter::contended_enters), profile->enters) : "-",
                        count(LockCounter::spins_won), count(LockCounter::spins_lost), count(LockCounter::parks),
                        count(LockCounter::hand_overs), profile ? short_count(profile->futile_wake_ups) : "-",
                        count(LockCounter::inflations), short_count(s.bytes() / 1024));
  }
  return text;
}

std::string waits(const Comparison& comparison) {
  RowNames name;
  std::string rows;
  for (const ModeFigures& mode : comparison.modes) {
    if (!mode.profile) continue;
    const LockProfile& profile = *mode.profile;
    std::string causes;
    for (const auto& [cause, count] : profile.inflations)
      causes += fmt::format("{}{} {}", causes.empty() ? "" : ", ", cause, grouped(count));
    if (profile.waited_ns.empty() && causes.empty()) continue;
    bool waited = !profile.waited_ns.empty();
    std::string parts;
    for (f64 part : {0.5, 0.99, 0.999, 1.0})
      parts += fmt::format(" {:>7}", waited ? microseconds(profile.waited_at(part)) : "-");
    rows += name(mode) + parts + "  " + cell_after(19 + parts.size() + 2, causes);
    if (causes.empty()) rows.erase(rows.find_last_not_of(" \n") + 1) += "\n";
  }
  if (rows.empty()) return {};
  return fmt::format("{:<19} {:>7} {:>7} {:>7} {:>7}  {}\n", "recorded: waits, us", "median", "99 %", "99.9 %",
                     "longest", "inflations by cause") +
         rows;
}

std::string simulated_row(const ModeFigures& mode, const ModeFigures& base) {
  const SimulatedRuns &own = *mode.simulated, &others = *base.simulated;
  std::string text = fmt::format("{:<19}", mode.mode);
  auto add = [&](const SimulatedRun& run, const SimulatedRun& base_run) {
    std::string ratio =
        run.is_done() && base_run.is_done()
            ? fmt::format("{:.2f}", static_cast<f64>(run.nanoseconds) / static_cast<f64>(base_run.nanoseconds))
            : "-";
    text += fmt::format(" {:>8} {:>6}", run.is_done() ? milliseconds(static_cast<f64>(run.nanoseconds) / 1e6) : "stuck",
                        ratio);
  };
  add(own.here, others.here);
  add(own.there, others.there);
  for (LockCounter counter :
       {LockCounter::contended_enters, LockCounter::spins_lost, LockCounter::parks, LockCounter::hand_overs})
    text += fmt::format(" {:>6}", short_count(own.there.of(counter)));
  return text + "\n";
}

std::string simulated(const Comparison& comparison) {
  const ModeFigures& base = *comparison.find(comparison.base);
  if (!comparison.simulation || !base.simulated) return {};
  const Simulation& load = *comparison.simulation;
  std::string text = wrapped(
      fmt::format(
          "Simulated: {} that take{} {} of {}, as recorded in {}. Work for each lock: {} us inside, {} us outside.",
          plural(load.threads, "thread"), load.threads == 1 ? "s" : "", plural(load.locks, "lock"),
          plural(load.objects, "object"), base.mode, microseconds(std::llround(load.inside_ns)),
          microseconds(std::llround(load.outside_ns))),
      "");
  text += fmt::format("{:<19} {:>8} {:>6} {:>8} {:>6} {:>6} {:>6} {:>6} {:>6}\n", "", "ms on", "", "ms on", "", "cont-",
                      "spins", "", "hand-");
  text += fmt::format("{:<19} {:>8} {:>6} {:>8} {:>6} {:>6} {:>6} {:>6} {:>6}\n", "mode",
                      fmt::format("{} CPUs", comparison.processors), "ratio", fmt::format("{} CPUs", load.cpus),
                      "ratio", "ended", "lost", "parks", "overs");
  for (const ModeFigures& mode : comparison.modes) {
    if (mode.simulated && mode.simulated->there.end != SimulatedRun::End::unknown) text += simulated_row(mode, base);
  }
  return text;
}

// Finds the counterpart of a hot object in the recording of another mode. Counterparts have the same class, and the
// same rank among the hot objects of that class.
const HotObject* counterpart(const HotObject& object, const LockProfile& own, const LockProfile& other) {
  usize rank = 0;
  for (const HotObject& each : own.hot) {
    if (each.number == object.number) break;
    if (each.class_name == object.class_name) ++rank;
  }
  for (const HotObject& each : other.hot) {
    if (each.class_name == object.class_name && rank-- == 0) return &each;
  }
  return nullptr;
}

std::string hot_objects(const Comparison& comparison) {
  const ModeFigures& base = *comparison.find(comparison.base);
  if (!base.profile || base.profile->hot.empty()) return {};
  const LockProfile& profile = *base.profile;
  std::string text = fmt::format("The hottest objects, in {}:\n", base.mode) +
                     fmt::format("  {:>6} {:>9} {:>10} {:>7}  {}\n", "enters", "contended", "waited ms", "threads",
                                 "class, and where it is taken most");
  for (usize i = 0; i < profile.hot.size(); ++i) {
    const HotObject& hot = profile.hot[i];
    std::string facts =
        fmt::format("{} {:>6} {:>9} {:>10} {:>7}  ", i + 1, short_count(hot.enters), share(hot.contended, hot.enters),
                    milliseconds(static_cast<f64>(hot.waited_ns) / 1e6), hot.threads);
    std::string_view name = hot.class_name;
    if (facts.size() + name.size() > terminal_columns) name.remove_prefix(name.rfind('.') + 1);
    text += facts + for_terminal(name) + "\n";
    text += fmt::format("      {}\n", for_terminal(std::string_view(hot.site).substr(0, hot.site.find(" bci "))));
  }
  const HotClass& of_class = profile.hot_class;
  text += wrapped(fmt::format("The hottest class is {}: {} enters, {} object{}.", for_terminal(of_class.name),
                              grouped(of_class.enters), grouped(of_class.objects), of_class.objects == 1 ? "" : "s"),
                  "");
  RowNames name;
  std::string rows;
  for (const ModeFigures& mode : comparison.modes) {
    if (!mode.profile) continue;
    std::string row;
    for (const HotObject& hot : profile.hot) {
      const HotObject* same = counterpart(hot, profile, *mode.profile);
      row += fmt::format(" {:>6}", same == nullptr || !same->jain ? "-" : fmt::format("{:.2f}", *same->jain));
    }
    if (row.find('.') != std::string::npos) rows += name(mode) + row + "\n";
  }
  if (rows.empty()) return text;
  text +=
      fmt::format("\nFairness: Jain's index of these objects; 1: all threads got them equally often\n{:<19}", "mode");
  for (usize i = 0; i < profile.hot.size(); ++i) text += fmt::format(" {:>6}", i + 1);
  return text + "\n" + rows;
}

}  // namespace

std::string report_as_text(const Comparison& comparison) {
  const ModeFigures* base = comparison.find(comparison.base);
  std::string text = wrapped(comparison.command, "  ");
  if (base == nullptr || !base->refusal.empty()) return text;
  text += wrapped(fmt::format("{} in each locking mode, in turn, on {} processors; medians. Ratios are to {}; {}.",
                              plural(base->runs.size(), "run"), comparison.processors, base->mode,
                              "** and *: differs, by chance with a probability below 1 % and 5 %"),
                  "");
  usize compared = comparison.modes.empty() ? 0 : comparison.modes.size() - 1;
  if (u32 needed = needed_runs(compared); compared != 0)
    text += wrapped(
        fmt::format("With {}, a difference can be significant from {} runs on{}.", plural(compared, "comparison"),
                    needed, base->runs.size() < needed ? ": there were too few (--runs)" : ""),
        "");
  if (comparison.share_of_others.value_or(0) >= busy_share)
    text +=
        wrapped(fmt::format("The machine was busy: other processes used {:.0f} % of its processors meanwhile. Compare "
                            "CPU times, or measure again.",
                            100 * *comparison.share_of_others),
                "");
  text += "\n" + times(comparison) + "\n";
  if (std::string part = intervals(comparison); !part.empty()) text += part + "\n";
  text += counts(comparison);
  if (std::string part = waits(comparison); !part.empty()) text += "\n" + part;
  if (std::string part = hot_objects(comparison); !part.empty()) text += "\n" + part;
  if (std::string part = simulated(comparison); !part.empty()) text += "\n" + part;
  text += "\nWhat decided\n";
  for (const std::string& sentence : what_decided(comparison)) text += wrapped("- " + sentence, "  ");
  for (const std::string& sentence : what_is_simulated(comparison)) text += wrapped("- " + sentence, "  ");
  return text;
}

}  // namespace keyhole::compare
