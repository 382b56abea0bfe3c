// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// From the options to the report: one explorer, or one for each worker.
#include "vm/tools/explore/explore.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <sstream>

#include "runtime/base/platform/processors.h"
#include "runtime/base/print.h"
#include "vm/tools/explore/explorer.h"
#include "vm/tools/explore/jobs.h"
#include "vm/tools/explore/merge.h"

namespace keyhole::explore {

namespace {

constexpr int usage_error = 3;

std::string read_file(const std::string& path, bool& is_good) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  is_good = static_cast<bool>(file);
  return text.str();
}

// One exploration by several workers (jobs.h). The strategy `bounded` is divided into shards of its tree, and the
// random strategies into seeds. `dpor` cannot be divided: with the strategy `auto` the first worker runs `bounded` and
// `dpor`, while the others draw schedules at random.
class Jobs {
 public:
  Jobs(const Options& options, const Program& program, const std::optional<std::string>& expected_output)
      : options_(options), program_(program), expected_output_(expected_output) {}

  Report explore();

 private:
  using Clock = std::chrono::steady_clock;

  f64 seconds() const { return std::chrono::duration<f64>(Clock::now() - begin_).count(); }
  Report explore_alone(const Options& options) const;
  std::vector<Report> run(u32 count, const std::function<Options(u32 worker)>& options_of);
  Report search_in_shards(Options options, u32 jobs);
  Report search_by_roles(u32 jobs);
  Report explore_with(u32 jobs);
  void share(Options& options, u32 worker, u32 jobs) const;
  static bool is_decided(const Report& report) {
    return report.failure || !report.uncontrolled.empty() || report.is_complete || report.is_sequential;
  }

  const Options& options_;
  const Program& program_;
  const std::optional<std::string>& expected_output_;
  Clock::time_point begin_ = Clock::now();
  f64 shown_at_ = 0;
};

Report Jobs::explore_alone(const Options& options) const {
  Explorer explorer(options, program_, expected_output_);
  explorer.end_schedules_after(options_.seconds);
  return explorer.explore();
}

// Explores without workers at first: most explorations end before the workers' VMs would have booted.
Report Jobs::explore() {
  constexpr f64 alone_seconds = 2;
  u32 jobs = std::min(options_.jobs.value_or(hardware::available_processors()), max_jobs);
  bool has_no_parts = options_.strategy == Strategy::dpor || options_.memory != controlled::Memory::sc;
  if (options_.shards > 1 || has_no_parts) jobs = 1;
  if (options_.schedules != 0) jobs = static_cast<u32>(std::min<u64>(jobs, options_.schedules));
  // Without --jobs, a given number of schedules is executed by one process. So every run of keyhole draws the same
  // schedules.
  bool is_short = options_.schedules != 0 || options_.seconds <= alone_seconds;
  if (jobs == 1 || (!options_.jobs && is_short)) return explore_alone(options_);
  if (options_.jobs) return explore_with(jobs);
  Options first = options_;
  first.seconds = alone_seconds;
  Report report = explore_alone(first);
  bool has_ended = is_decided(report) || report.stopped_by.empty() || is_interrupted.load();
  if (has_ended) return report;
  if (seconds() < options_.seconds) return explore_with(jobs);
  report.stopped_by = fmt::format("after {:.0f} s", options_.seconds);
  return report;
}

std::vector<Report> Jobs::run(u32 count, const std::function<Options(u32 worker)>& options_of) {
  return run_workers({.count = count,
                      .explore =
                          [&](u32 worker, std::atomic<u64>& schedules) {
                            Options options = options_of(worker);
                            options.is_worker = true;
                            Explorer explorer(options, program_, expected_output_);
                            explorer.count_in(schedules);
                            return explorer.explore();
                          },
                      .ends_all =
                          [&](u32, const Report& report) {
                            bool is_whole = report.is_complete && options_.strategy == Strategy::automatic;
                            return is_whole || report.failure || !report.uncontrolled.empty();
                          },
                      .is_interrupted = [] { return is_interrupted.load(); },
                      .show_progress =
                          [&](u64 schedules) {
                            if (isatty(STDERR_FILENO) == 0 || seconds() - shown_at_ < 0.5) return;
                            shown_at_ = seconds();
                            print_text(stderr, "\r{} schedules, {} jobs, {:.0f} s ", schedules, count, shown_at_);
                          }});
}

// Gives a worker its part of the seeds and of the schedules.
void Jobs::share(Options& options, u32 worker, u32 jobs) const {
  options.shard = worker;
  options.shards = jobs;
  options.seconds = std::max(options.seconds - seconds(), 0.01);
  if (options.schedules != 0)
    options.schedules = std::max<u64>(options.schedules / jobs + (worker < options.schedules % jobs ? 1 : 0), 1);
}

// Searches in parallel shards. If a shard finds a racing place only after the shards have agreed on their choice
// points, all shards restart with that place as a choice point.
Report Jobs::search_in_shards(Options options, u32 jobs) {
  for (;;) {
    std::vector<Report> parts = run(jobs, [&](u32 worker) {
      Options own = options;
      share(own, worker, jobs);
      return own;
    });
    Report whole = sum_of(parts);
    if (whole.late.empty() || is_decided(whole) || is_interrupted.load() || seconds() >= options.seconds) return whole;
    if (options.schedules != 0) return whole;
    options.places.insert(options.places.end(), whole.late.begin(), whole.late.end());
  }
}

// The first worker searches systematically, while the others draw schedules at random.
Report Jobs::search_by_roles(u32 jobs) {
  std::vector<Report> parts = run(jobs, [&](u32 worker) {
    Options own = options_;
    share(own, worker, jobs);
    own.shard = worker == 0 ? 0 : worker - 1;
    own.shards = worker == 0 ? 1 : jobs - 1;
    own.strategy = worker == 0 ? Strategy::systematic : Strategy::samplers;
    return own;
  });
  const Report& systematic = parts[0];
  Report whole = sum_of(parts);
  whole.is_complete = systematic.is_complete;
  whole.is_sequential = systematic.is_sequential;
  whole.counted = systematic.counted;
  whole.history = systematic.history;
  whole.finished_bound = systematic.finished_bound;
  if (!whole.is_complete) whole.strategy = "bounded, dpor, pct, pos, surw, random";
  return whole;
}

Report Jobs::explore_with(u32 jobs) {
  f64 start = seconds();
  Report report = options_.strategy == Strategy::automatic ? search_by_roles(jobs) : search_in_shards(options_, jobs);
  if (report.failure) report.failure->found_after += start;  // the workers' clocks begin with the workers
  report.program = program_.what;
  report.seconds = seconds();
  if (is_interrupted.load()) report.stopped_by = fmt::format("by a signal after {:.1f} s", seconds());
  else if (!report.stopped_by.empty() && seconds() >= options_.seconds)
    report.stopped_by = fmt::format("after {:.0f} s", options_.seconds);
  else if (!report.stopped_by.empty()) report.stopped_by = fmt::format("after {:.1f} s", seconds());
  if (report.failure) report.failure->token_file = save_token(options_, program_, report.failure->token);
  return report;
}

int fail_usage(const std::string& problem) {
  print_text(stderr, "keyhole: {}\n", problem);
  return usage_error;
}

int print_report(const Options& options, const Report& report) {
  print_text("{}", report.text());
  if (!options.json_file.empty()) {
    std::ofstream json(options.json_file);
    json << report.json();
    json.close();
    if (!json) return fail_usage(fmt::format("cannot write {}", options.json_file));
  }
  return static_cast<int>(report.verdict());
}

}  // namespace

int explore(const Options& options, const Program& program) {
  Token token;
  bool is_good = true;
  if (!options.schedule_file.empty()) {
    std::string text = read_file(options.schedule_file, is_good);
    if (!is_good) return fail_usage(fmt::format("cannot read {}", options.schedule_file));
    if (std::string problem = read_token(text, token); !problem.empty())
      return fail_usage(fmt::format("{} is no schedule: {}", options.schedule_file, problem));
  }
  Options settled = options;
  settled.is_strict |= token.is_strict;
  if (!options.schedule_file.empty()) settled.memory = token.memory;
  struct sigaction action{};
  action.sa_handler = [](int) { is_interrupted.store(true); };
  action.sa_flags = SA_RESTART;  // restarts the engine's reads of pipes after a signal
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) sigaction(signal, &action, nullptr);
  signal(SIGPIPE, SIG_IGN);
  std::optional<std::string> expected_output;
  if (!options.expected_output_file.empty()) {
    expected_output = read_file(options.expected_output_file, is_good);
    if (!is_good) return fail_usage(fmt::format("cannot read {}", options.expected_output_file));
  }
  Report report;
  if (options.schedule_file.empty()) {
    report = Jobs(settled, program, expected_output).explore();
  } else {
    Explorer explorer(settled, program, expected_output);
    report = explorer.replay(token);
  }
  if (isatty(STDERR_FILENO) != 0) print_text(stderr, "\r{:60}\r", "");
  return print_report(options, report);
}

int merge(const Options& options) {
  Report whole;
  bool is_good = true;
  std::vector<Report> parts;
  for (const std::string& file : options.merged) {
    std::string text = read_file(file, is_good);
    if (!is_good) return fail_usage(fmt::format("cannot read {}", file));
    ReadProblem problem = read_report(text, parts.emplace_back());
    if (problem.is_damage) {
      print_text(stderr, "keyhole: {} is damaged: {}\n", file, problem.text);
      return static_cast<int>(Verdict::uncontrolled);
    }
    if (!problem.text.empty()) return fail_usage(fmt::format("{} is no report of a shard: {}", file, problem.text));
  }
  if (std::string problem = merge_reports(parts, whole); !problem.empty()) return fail_usage(problem);
  return print_report(options, whole);
}

}  // namespace keyhole::explore
