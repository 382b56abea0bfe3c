// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// gangbench measures the cost of starting and awaiting the collector's workers, on this machine or on the simulated
// one.
//
//   gangbench --gang all --workers 1,2,4,8,16 --rounds 5 --json gangs.json
//   gangbench --gang semaphore,broadcast --world simulated --workers 2,8,36,72
//
// This file is compiled with exceptions, which CLI11 needs; nothing else is.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>

#include "bench/command.h"
#include "bench/gangbench/hardware.h"
#include "bench/gangbench/report.h"
#include "bench/gangbench/simulated.h"

using namespace keyhole;
using namespace keyhole::gangbench;

namespace {

struct Command {
  std::vector<std::string> gangs{"all"};
  std::vector<std::string> loads{"empty"};
  std::vector<u32> workers{1, 2, 4, 8, 16};
  std::string world = "hardware";
  std::string json_file;
  Parameters parameters;
  u32 rounds = 5;
  f64 gap_microseconds = 200;
  bool list = false;
};

int fail(const std::string& sentence) {
  fmt::print(stderr, "gangbench: {}\n", sentence);
  return 2;
}

int run(Command& command) {
  bool simulated = command.world == "simulated";
  std::vector<std::string_view> known = simulated ? simulated_names() : hardware_names();
  if (!simulated && !has_openmp())
    fmt::print(stderr,
               "gangbench: built without OpenMP (libomp-19-dev was not there): openmp-passive and openmp-active are "
               "left out\n");
  if (command.list) {
    for (std::string_view name : known) fmt::print("{}\n", name);
    return 0;
  }
  std::vector<std::string_view> chosen;
  if (std::string complaint = bench::choose(command.gangs, known, "gang", command.world, chosen); !complaint.empty())
    return fail(complaint);
  std::vector<Series> all;
  for (const std::string& load : command.loads) {
    for (u32 workers : command.workers) {
      for (std::string_view name : chosen) {
        Parameters parameters = command.parameters;
        parameters.workers = workers;
        parameters.gap_nanoseconds = static_cast<i64>(command.gap_microseconds * 1000);
        parameters.load =
            static_cast<Load>(std::find(std::begin(load_names), std::end(load_names), load) - std::begin(load_names));
        all.push_back({name, command.world, parameters, {}});
      }
    }
  }
  bench::Progress progress(command.rounds * all.size());
  usize done = 0;
  // Runs the gangs in interleaved rounds, so that a busy minute of the machine affects all gangs alike.
  for (u32 round = 0; round < command.rounds; ++round) {
    for (Series& series : all) {
      Parameters parameters = series.parameters;
      parameters.seed += round;
      progress.show(done++, fmt::format("{}, {} workers, round {}", series.gang, parameters.workers, round + 1));
      series.rounds.push_back(simulated ? run_simulated(series.gang, parameters)
                                        : run_on_hardware(series.gang, parameters));
    }
  }
  progress.clear();
  bool good = true;
  fmt::print("{}", heading());
  for (const Series& series : all) {
    fmt::print("{}", line(series));
    for (const Outcome& round : series.rounds) good = good && round.problem.empty();
  }
  if (std::string complaint = bench::write_text(command.json_file, json(all)); !complaint.empty())
    return fail(complaint);
  return good ? 0 : 1;
}

}  // namespace

int main(int argument_count, char** arguments) {
  Command command;
  Parameters& parameters = command.parameters;
  CLI::App app(
      "What it costs to start and to await a gang of workers: ten tasks for each collection, timed one by one.");
  app.add_option("--gang", command.gangs, "names, or all")->delimiter(',');
  app.add_option("--load", command.loads, "empty, brief (5 us for each worker), meeting (workers wait for each other)")
      ->delimiter(',')
      ->check(CLI::IsMember({"empty", "brief", "meeting"}));
  app.add_option("--world", command.world, "this machine, or the one of the cost model")
      ->check(CLI::IsMember({"hardware", "simulated"}));
  app.add_option("--cpus", parameters.cpus, "of the simulated machine (default 72)")->check(CLI::Range(1, 72));
  app.add_option("--workers", command.workers, "a list runs one after the other")
      ->delimiter(',')
      ->check(CLI::Range(1, 256));
  app.add_option("--collections", parameters.collections, "in a round")->check(CLI::Range(1, 1000000));
  app.add_option("--tasks", parameters.tasks, "of a collection")->check(CLI::Range(1, 1000));
  app.add_option("--gap", command.gap_microseconds, "between collections, in microseconds; 0: tasks without a break")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--rounds", command.rounds, "each gang runs once in each round")->check(CLI::Range(1, 1000));
  app.add_option("--seed", parameters.seed, "of the simulated machine; round i takes seed + i");
  app.add_option("--json", command.json_file, "write all results to this file");
  app.add_flag("--list", command.list, "print the names of the gangs and end");
  CLI11_PARSE(app, argument_count, arguments);
  return run(command);
}
