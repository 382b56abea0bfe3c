// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// mutexbench: locks under the load of Dice & Kogan's MutexBench, on this machine or on the simulated one.
//
//   mutexbench --algorithm all --threads 1,2,4,8 --csl 1 --ncsl 200 --seconds 1 --runs 5 --json locks.json
//   mutexbench --algorithm lightweight,cjm-by --world simulated --cpus 72 --threads 1,8,36,72 --seconds 0.02
//
// --load OBJECT loads a lock from outside the VM, compiled by `keyhole lock` for the chosen world. --algorithm loaded
// measures this lock.
//
// This file is compiled with exceptions, which CLI11 needs; nothing else is.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>

#include "bench/command.h"
#include "bench/mutexbench/hand_overs.h"
#include "bench/mutexbench/hardware.h"
#include "bench/mutexbench/loaded_lock.h"
#include "bench/mutexbench/report.h"
#include "bench/mutexbench/simulated.h"
#include "runtime/base/flags.h"
#include "runtime/sync/monitor/monitor_settings.h"

using namespace keyhole;
using namespace keyhole::mutexbench;

namespace {

struct Command {
  std::vector<std::string> algorithms{"lightweight"};
  std::vector<u32> threads{1};
  std::string world = "hardware";
  std::string promiscuous;
  std::string header;
  std::string json_file;
  std::string object;  // of a loaded lock
  std::vector<std::string> flags;
  Parameters parameters;
  u32 runs = 1;
  bool list = false;
  bool where = false;
};

int fail(const std::string& sentence) {
  fmt::print(stderr, "mutexbench: {}\n", sentence);
  return 2;
}

int run(Command& command) {
  for (const std::string& flag : command.flags) {
    if (std::string complaint = flags::parse(flag); !complaint.empty()) return fail(complaint);
  }
  if (std::string complaint = sync::initialize_monitors(); !complaint.empty()) return fail(complaint);
  bool simulated = command.world == "simulated";
  if (!command.object.empty()) {
    std::string complaint = simulated ? load_simulated(command.object) : load_row(command.object);
    if (!complaint.empty()) return fail(complaint);
    std::ranges::replace(command.algorithms, "loaded", std::string(loaded_name()));
  }
  std::vector<std::string_view> known = simulated ? simulated_names() : hardware_names();
  if (command.list) {
    for (std::string_view name : known) fmt::print("{}\n", name);
    return 0;
  }
  Parameters& base = command.parameters;
  if (base.lockset > base.locks) return fail("a lockset cannot be larger than the number of locks");
  if (!command.promiscuous.empty()) {
    base.pattern = command.promiscuous == "own" ? Pattern::own : Pattern::rotate;
    if (base.lockset != 1) return fail("promiscuous threads take one lock at a time");
    if (base.locks == 1) base.locks = 1024;
  }
  if (base.virtual_threads && !simulated) return fail("virtual threads are those of the simulated machine");
  if (command.where && !simulated) return fail("only the simulated machine knows where a hand-over spends its time");
  if (command.where && (base.locks != 1 || base.fields != 0))
    return fail("--where takes one lock, whose critical section accesses no fields");
  if (base.dear_shared_writes && !simulated) return fail("shared writes have a cost on the simulated machine only");
  if (base.fields != 0 && !simulated) return fail("fields are those of simulated objects");
  base.header = command.header == "line-end" ? HeaderPlacement::line_end : HeaderPlacement::beside;
  std::vector<std::string_view> chosen;
  if (std::string complaint = bench::choose(command.algorithms, known, "algorithm", command.world, chosen);
      !complaint.empty())
    return fail(complaint);
  std::vector<Series> all;
  bool violated = false;
  bench::Progress progress(command.threads.size() * chosen.size() * command.runs);
  usize done = 0;
  fmt::print("{}", heading());
  fflush(stdout);
  for (u32 threads : command.threads) {
    for (std::string_view name : chosen) {
      // The pattern `own` needs a lock for each thread. With fewer locks, threads would share locks and contend.
      Parameters parameters = base;
      parameters.threads = threads;
      if (base.pattern == Pattern::own && threads > base.locks)
        return fail("own locks for each thread: more locks than threads, please");
      Series series{name, command.world, parameters, {}};
      HandOvers hand_overs;
      for (u32 i = 0; i < command.runs; ++i) {
        parameters.seed = base.seed + i;
        progress.show(done++, fmt::format("{}, {} threads", name, threads));
        parameters.hand_overs = command.where ? &hand_overs : nullptr;
        series.runs.push_back(simulated ? run_simulated(name, parameters) : run_on_hardware(name, parameters));
        violated = violated || series.runs.back().violation.find("critical section") != std::string::npos;
      }
      progress.clear();
      fmt::print("{}", line(series));
      if (command.where) fmt::print("{}", hand_overs.table());
      fflush(stdout);
      all.push_back(std::move(series));
    }
  }
  if (std::string complaint = bench::write_text(command.json_file, json(all)); !complaint.empty())
    return fail(complaint);
  return violated ? 1 : 0;
}

}  // namespace

int main(int argument_count, char** arguments) {
  Command command;
  Parameters& parameters = command.parameters;
  CLI::App app("Locks under contention: the MutexBench of Dice & Kogan over the algorithms of runtime/sync.");
  app.add_option("--algorithm", command.algorithms, "names, or all")->delimiter(',');
  app.add_option("--world", command.world, "this machine, or the one of the cost model")
      ->check(CLI::IsMember({"hardware", "simulated"}));
  app.add_option("--cpus", parameters.cpus, "of the simulated machine (default 72)")->check(CLI::Range(1, 72));
  app.add_flag("--virtual", parameters.virtual_threads, "its threads are virtual ones, and its CPUs their carriers");
  app.add_option("--threads", command.threads, "how many compete; a list runs one after the other")
      ->delimiter(',')
      ->check(CLI::Range(1, 4096));
  app.add_option("--locks", parameters.locks, "how many locks there are")->check(CLI::Range(1, 1000000));
  app.add_option("--lockset", parameters.lockset, "how many a thread holds at once")->check(CLI::Range(1, 1000));
  app.add_option("--csl", parameters.critical_steps, "generator steps in the critical section");
  app.add_option("--ncsl", parameters.outside_steps, "average generator steps outside")
      ->check(CLI::Range(0, 1000000000));
  app.add_option("--seconds", parameters.seconds, "length of a run, in the world's time")->check(CLI::PositiveNumber);
  app.add_option("--runs", command.runs, "number of runs; the median is reported")->check(CLI::Range(1, 1000));
  app.add_option("--seed", parameters.seed, "of the generators; run i takes seed + i");
  app.add_option("--promiscuous", command.promiscuous,
                 "rotate: the threads take all locks in turn, so that each lock has another owner each "
                 "time, without contention; own: each thread has its share of the locks for itself")
      ->check(CLI::IsMember({"rotate", "own"}));
  app.add_option("--fields", parameters.fields, "of the simulated object, read and written in each critical section")
      ->check(CLI::Range(0, 64));
  app.add_option(
         "--header", command.header,
         "beside: the header is the first word of the fields' cache line; line-end: the last word of the line before")
      ->check(CLI::IsMember({"beside", "line-end"}));
  app.add_option("--flag", command.flags,
                 "a -XX flag without its -XX:, such as SpinPauses=2500 or +UseObjectMonitorTable");
  app.add_option("--load", command.object, "the object of a lock outside the VM; --algorithm loaded means it");
  app.add_flag(
      "--dear-shared-writes", parameters.dear_shared_writes,
      "writing to a line that others share costs as much as to one that another has written; not the cost model");
  app.add_flag("--where", command.where, "what each line of a lock adds to a hand-over, on the simulated machine");
  app.add_option("--json", command.json_file, "write all runs to this file");
  app.add_flag("--list", command.list, "print the names of the algorithms and end");
  CLI11_PARSE(app, argument_count, arguments);
  return run(command);
}
