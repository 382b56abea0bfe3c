// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Reports average, median, 99.9th percentile and maximum over all tasks of all rounds. The JSON also has the median of
// each round.
#include "bench/gangbench/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace keyhole::gangbench {

Summary summarise(const std::vector<Outcome>& rounds) {
  std::vector<i64> all;
  f64 wake_ups = 0, switches = 0, cpu = 0;
  bool has_wake_ups = true, has_switches = true, has_cpu = true;
  for (const Outcome& round : rounds) {
    all.insert(all.end(), round.task_nanoseconds.begin(), round.task_nanoseconds.end());
    has_wake_ups = has_wake_ups && round.wake_ups >= 0;
    has_switches = has_switches && round.context_switches >= 0;
    has_cpu = has_cpu && round.cpu_nanoseconds >= 0;
    wake_ups += round.wake_ups;
    switches += round.context_switches;
    cpu += round.cpu_nanoseconds;
  }
  Summary summary;
  summary.tasks = all.size();
  if (all.empty()) return summary;
  std::sort(all.begin(), all.end());
  f64 sum = 0;
  for (i64 one : all) sum += static_cast<f64>(one);
  f64 count = static_cast<f64>(all.size());
  auto microseconds = [](i64 nanoseconds) { return static_cast<f64>(nanoseconds) * 1e-3; };
  summary.average = sum / count * 1e-3;
  summary.median = microseconds(all[all.size() / 2]);
  summary.permille_999 = microseconds(all[std::min(all.size() - 1, all.size() * 999 / 1000)]);
  summary.most = microseconds(all.back());
  if (has_wake_ups) summary.wake_ups = wake_ups / count;
  if (has_switches) summary.context_switches = switches / count;
  if (has_cpu) summary.cpu_microseconds = cpu / count * 1e-3;
  return summary;
}

namespace {
std::string problem_of(const Series& series) {
  for (const Outcome& round : series.rounds) {
    if (!round.problem.empty()) return round.problem;
  }
  return {};
}
std::string or_dash(f64 value) { return value < 0 ? "-" : fmt::format("{:.2f}", value); }
}  // namespace

std::string heading() {
  return fmt::format("{:<16} {:>3} {:<8} {:>10} {:>10} {:>10} {:>10}   {:>8} {:>8} {:>8}\n", "gang", "n", "load",
                     "average us", "median", "99.9 %", "most", "wake-ups", "switches", "cpu us");
}

std::string line(const Series& series) {
  std::string head = fmt::format("{:<16} {:>3} {:<8}", series.gang, series.parameters.workers,
                                 load_names[static_cast<usize>(series.parameters.load)]);
  if (std::string problem = problem_of(series); !problem.empty()) return fmt::format("{} {}\n", head, problem);
  Summary s = summarise(series.rounds);
  return fmt::format("{} {:>10.2f} {:>10.2f} {:>10.2f} {:>10.2f}   {:>8} {:>8} {:>8}\n", head, s.average, s.median,
                     s.permille_999, s.most, or_dash(s.wake_ups), or_dash(s.context_switches),
                     or_dash(s.cpu_microseconds));
}

std::string json(const std::vector<Series>& all) {
  std::string text = "{\"results\": [\n";
  for (const Series& series : all) {
    const Parameters& p = series.parameters;
    Summary s = summarise(series.rounds);
    std::vector<f64> averages, medians;
    for (const Outcome& round : series.rounds) {
      Summary one = summarise({round});
      averages.push_back(one.average);
      medians.push_back(one.median);
    }
    text += fmt::format(
        "  {{\"gang\": \"{}\", \"world\": \"{}\", \"workers\": {}, \"load\": \"{}\", \"cpus\": {}, \"collections\": "
        "{}, \"tasks\": {}, \"gap_nanoseconds\": {}, "
        "\"problem\": \"{}\",\n   \"average_us\": {:.4f}, \"median_us\": {:.4f}, \"permille_999_us\": {:.4f}, "
        "\"most_us\": {:.4f}, "
        "\"wake_ups\": {:.4f}, \"context_switches\": {:.4f}, \"cpu_us\": {:.4f},\n   \"round_averages_us\": [{:.4f}], "
        "\"round_medians_us\": [{:.4f}]}}{}\n",
        series.gang, series.world, p.workers, load_names[static_cast<usize>(p.load)], p.cpus, p.collections, p.tasks,
        p.gap_nanoseconds, problem_of(series), s.average, s.median, s.permille_999, s.most, s.wake_ups,
        s.context_switches, s.cpu_microseconds, fmt::join(averages, ", "), fmt::join(medians, ", "),
        &series == &all.back() ? "" : ",");
  }
  return text + "]}\n";
}

}  // namespace keyhole::gangbench
