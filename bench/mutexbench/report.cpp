// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Reports medians over runs, fairness, the number of acquisitions in a row, and counters per thousand iterations.
#include "bench/mutexbench/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace keyhole::mutexbench {

namespace {

constexpr std::string_view pattern_names[] = {"random", "rotate", "own"};

template <typename Value> std::vector<f64> of_runs(const Series& series, Value value) {
  std::vector<f64> values;
  for (const Outcome& run : series.runs) values.push_back(value(run));
  return values;
}

std::string rate(f64 per_second) {
  if (per_second >= 1e7) return fmt::format("{:.1f}M", per_second / 1e6);
  if (per_second >= 1e6) return fmt::format("{:.2f}M", per_second / 1e6);
  if (per_second >= 1e4) return fmt::format("{:.0f}k", per_second / 1e3);
  return fmt::format("{:.0f}", per_second);
}

std::string in_quotes(std::string_view text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

f64 most_by_least(const Outcome& run) {
  auto [least, most] = std::minmax_element(run.iterations.begin(), run.iterations.end());
  return *least == 0 ? HUGE_VAL : static_cast<f64>(*most) / static_cast<f64>(*least);
}

}  // namespace

f64 median(std::vector<f64> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  usize middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

std::string heading() {
  return fmt::format(
      "{:<20} {:>3} {:>6} {:>6}  {:>9} {:>9} {:>9} {:>8} {:>8} {:>7} {:>7} {:>8}\n      below: slow paths in 1000 "
      "iterations\n",
      "algorithm", "T", "csl", "ncsl", "median/s", "least", "most", "ns/iter", "cpu ns", "max/min", "Jain", "run");
}

std::string line(const Series& series) {
  const Parameters& p = series.parameters;
  std::string problem;
  for (const Outcome& run : series.runs) {
    if (!run.violation.empty()) problem = run.violation;
  }
  std::string head =
      fmt::format("{:<20} {:>3} {:>6} {:>6}", series.algorithm, p.threads, p.critical_steps, p.outside_steps);
  if (!problem.empty()) return fmt::format("{}  {}\n", head, problem);
  std::vector<f64> rates = of_runs(series, [](const Outcome& run) { return run.per_second(); });
  auto [least, most] = std::minmax_element(rates.begin(), rates.end());
  // Prints the counters in a second line, as many as fit.
  std::string counted, counters;
  for (u32 i = 0; i < lock_counter_count; ++i) {
    f64 sum = 0, total = 0;
    for (const Outcome& run : series.runs) {
      sum += static_cast<f64>(run.counters[i]);
      total += static_cast<f64>(run.total());
    }
    if (sum == 0 || total == 0) continue;
    std::string one = fmt::format(" {} {:.3g}", lock_counter_names[i], sum * 1000 / total);
    if (counters.size() + one.size() > 110) counted += fmt::format("     {}\n", counters), counters.clear();
    counters += one;
  }
  if (!counters.empty()) counted += fmt::format("     {}\n", counters);
  f64 middle = median(rates);
  // Returns the time of an iteration from the view of one thread.
  f64 nanoseconds = middle == 0 ? 0 : 1e9 * p.threads / middle;
  return fmt::format(
      "{}  {:>9} {:>9} {:>9} {:>8.1f} {:>8.1f} {:>7.2f} {:>7.4f} {:>8.2f}\n{}", head, rate(middle), rate(*least),
      rate(*most), nanoseconds, median(of_runs(series, [](const Outcome& run) { return run.cpu_nanoseconds(); })),
      median(of_runs(series, most_by_least)), median(of_runs(series, [](const Outcome& run) { return run.jain(); })),
      median(of_runs(series, [](const Outcome& run) { return run.run_length(); })), counted);
}

std::string json(const std::vector<Series>& all) {
  std::string text = "{\"results\": [\n";
  for (const Series& series : all) {
    const Parameters& p = series.parameters;
    text += fmt::format(
        "  {{\"algorithm\": {}, \"world\": {}, \"pattern\": {}, \"cpus\": {}, \"threads\": {}, "
        "\"virtual_threads\": {}, \"locks\": {}, \"lockset\": {}, "
        "\"csl\": {}, \"ncsl\": {}, \"fields\": {}, \"header\": \"{}\", \"seed\": {},\n   \"median_per_second\": "
        "{:.1f}, \"runs\": [\n",
        in_quotes(series.algorithm), in_quotes(series.world), in_quotes(pattern_names[static_cast<usize>(p.pattern)]),
        p.cpus, p.threads, p.virtual_threads, p.locks, p.lockset, p.critical_steps, p.outside_steps, p.fields,
        p.header == HeaderPlacement::line_end ? "line-end" : "beside", p.seed,
        median(of_runs(series, [](const Outcome& run) { return run.per_second(); })));
    for (const Outcome& run : series.runs) {
      text += fmt::format(
          "    {{\"seconds\": {:.6f}, \"cpu_seconds\": {:.6f}, \"per_second\": {:.1f}, \"jain\": {:.6f}, "
          "\"run_length\": {:.3f}, \"acquisitions\": {}, "
          "\"violation\": {}, \"iterations\": [{}], \"counters\": {{",
          run.seconds, run.cpu_seconds, run.per_second(), run.jain(), run.run_length(), run.acquisitions,
          in_quotes(run.violation), fmt::join(run.iterations, ", "));
      for (u32 i = 0; i < lock_counter_count; ++i)
        text += fmt::format("{}{}: {}", i == 0 ? "" : ", ", in_quotes(lock_counter_names[i]), run.counters[i]);
      text += &run == &series.runs.back() ? "}}\n" : "}},\n";
    }
    text += &series == &all.back() ? "  ]}\n" : "  ]},\n";
  }
  return text + "]}\n";
}

}  // namespace keyhole::mutexbench
