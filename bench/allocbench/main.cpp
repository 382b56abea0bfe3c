// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// allocbench measures the allocation rate, and the latency that allocation adds to requests, for several ways to bump
// the allocation pointer (load.h).
//
//   allocbench                                              every mode at 1, 2, 4, 8 threads with small, middling and
//                                                           large objects
//   allocbench --mode cas,bare-cas --threads 1,2 --bytes 32 --seconds 1
//   allocbench --requests 100000 --threads 8                latency of requests, simple and metered
//   allocbench --world simulated --threads 1,24,96          the protocol alone, on 96 virtual CPUs
//
// One line of JSON for each run with --json -. This file is compiled with exceptions, which CLI11 needs; nothing else
// is.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>

#include "bench/allocbench/latency.h"
#include "bench/allocbench/simulated.h"

using namespace keyhole;
using namespace keyhole::allocbench;

namespace {

struct Command {
  std::vector<std::string> modes;
  std::vector<u32> threads{1, 2, 4, 8};
  std::vector<u64> bytes{32, 256, 4096};
  std::string world = "hardware";
  bool json = false;
  Parameters parameters;
  SimulatedParameters simulated;
};

std::string latency_json(const char* name, const Percentiles& p) {
  return fmt::format(
      R"("{}": {{"p50": {:.1f}, "p90": {:.1f}, "p99": {:.1f}, "p99.9": {:.1f}, "p99.99": {:.1f}, "max": {:.1f}}})",
      name, p.p50, p.p90, p.p99, p.p999, p.p9999, p.max);
}
std::string latency_text(const Percentiles& p) {
  return fmt::format("{:9.1f} {:9.1f} {:9.1f} {:9.1f} {:9.1f} {:9.1f}", p.p50, p.p90, p.p99, p.p999, p.p9999, p.max);
}

// Executes a run in a child process, because a heap is never freed.
int run_one(const Parameters& parameters, bool json) {
  Outcome outcome = run(parameters);
  std::string_view name = mode_names[static_cast<u32>(parameters.mode)];
  if (!outcome.problem.empty()) {
    fmt::print(stderr, "allocbench: {}: {}\n", name, outcome.problem);
    return 1;
  }
  f64 rate = outcome.megabytes_per_second(parameters);
  Percentiles simple = simple_latency(outcome.events), metered = metered_latency(outcome.events);
  if (json) {
    std::string latencies =
        parameters.requests == 0 ? "" : ", " + latency_json("simple", simple) + ", " + latency_json("metered", metered);
    fmt::print(
        R"({{"mode": "{}", "threads": {}, "bytes": {}, "mb_per_s": {:.1f}, "cpu_ns": {:.3f}, "cas_failures": {}, "slow_rounds": {}, "collections": {}{}}})"
        "\n",
        name, parameters.threads, parameters.object_bytes, rate, outcome.cpu_nanoseconds_per_object(),
        outcome.cas_failures, outcome.slow_rounds, outcome.collections, latencies);
  } else if (parameters.requests == 0) {
    fmt::print("{:<10} {:>7} {:>7} {:>10.0f} {:>10.2f} {:>12} {:>12} {:>6}\n", name, parameters.threads,
               parameters.object_bytes, rate, outcome.cpu_nanoseconds_per_object(), outcome.cas_failures,
               outcome.slow_rounds, outcome.collections);
  } else {
    fmt::print("{:<10} {:>7} {:>7} {:>10.0f}  simple  {}\n{:>38}metered {}\n", name, parameters.threads,
               parameters.object_bytes, rate, latency_text(simple), "", latency_text(metered));
  }
  fflush(stdout);
  return 0;
}

int run_all_on_hardware(const Command& command) {
  if (!command.json) {
    fmt::print("{}",
               command.parameters.requests == 0
                   ? fmt::format("{:<10} {:>7} {:>7} {:>10} {:>10} {:>12} {:>12} {:>6}\n", "mode", "threads", "bytes",
                                 "MB/s", "CPU ns", "CAS failures", "slow rounds", "GCs")
                   : fmt::format("{:<10} {:>7} {:>7} {:>10}  latency, us {:>7} {:>9} {:>9} {:>9} {:>9} {:>9}\n", "mode",
                                 "threads", "bytes", "MB/s", "p50", "p90", "p99", "p99.9", "p99.99", "max"));
  }
  fflush(stdout);
  bool failed = false;
  for (u64 bytes : command.bytes) {
    for (u32 threads : command.threads) {
      for (u32 mode = 0; mode < std::size(mode_names); ++mode) {
        if (!command.modes.empty() &&
            std::find(command.modes.begin(), command.modes.end(), mode_names[mode]) == command.modes.end())
          continue;
        Parameters parameters = command.parameters;
        parameters.mode = static_cast<Mode>(mode);
        parameters.threads = threads;
        parameters.object_bytes = bytes & ~u64{7};
        pid_t child = fork();
        if (child == 0) _exit(run_one(parameters, command.json));
        int status = 0;
        waitpid(child, &status, 0);
        failed |= !WIFEXITED(status) || WEXITSTATUS(status) != 0;
      }
    }
  }
  return failed ? 1 : 0;
}

int run_all_simulated(const Command& command) {
  if (!command.json) {
    fmt::print("{:<6} {:>7} {:>10} {:>12} {:>12} {:>12}  metered us: {:>6} {:>9} {:>9} {:>9} {:>9} {:>9}\n", "mode",
               "threads", "M pieces/s", "CAS failures", "slow rounds", "early", "p50", "p90", "p99", "p99.9", "p99.99",
               "max");
  }
  for (u32 threads : command.threads) {
    for (bool cas : {false, true}) {
      SimulatedParameters parameters = command.simulated;
      parameters.threads = threads;
      parameters.cas = cas;
      SimulatedOutcome outcome = simulate(parameters);
      Percentiles metered = metered_latency(outcome.events);
      f64 rate = static_cast<f64>(outcome.pieces) / parameters.seconds / 1e6;
      if (command.json) {
        fmt::print(
            R"({{"mode": "{}", "threads": {}, "cpus": {}, "million_pieces_per_s": {:.3f}, "cas_failures": {}, "slow_rounds": {}, "early_refills": {}, {}, {}}})"
            "\n",
            cas ? "cas" : "lock", threads, parameters.cpus, rate, outcome.cas_failures, outcome.slow_rounds,
            outcome.early_refills, latency_json("simple", simple_latency(outcome.events)),
            latency_json("metered", metered));
      } else {
        fmt::print("{:<6} {:>7} {:>10.2f} {:>12} {:>12} {:>12}       {}\n", cas ? "cas" : "lock", threads, rate,
                   outcome.cas_failures, outcome.slow_rounds, outcome.early_refills, latency_text(metered));
      }
      fflush(stdout);
    }
  }
  return 0;
}

}  // namespace

int main(int argument_count, char** arguments) {
  Command command;
  CLI::App app(
      "Allocation: the heap lock, CAS into shared regions, thread-local buffers; beside plain C++ that does the same.");
  std::vector<std::string> names(std::begin(mode_names), std::end(mode_names));
  app.add_option("--mode", command.modes, "lock, cas, lock+tlab, cas+tlab, bump, bare-cas, fetch-add (default: all)")
      ->delimiter(',')
      ->check(CLI::IsMember(names));
  app.add_option("--world", command.world, "this machine, or the one of the cost model")
      ->check(CLI::IsMember({"hardware", "simulated"}));
  app.add_option("--threads", command.threads, "a list runs one after the other")
      ->delimiter(',')
      ->check(CLI::Range(1, 1024));
  app.add_option("--bytes", command.bytes, "of each object; a list runs one after the other")
      ->delimiter(',')
      ->check(CLI::Range(16, 65536));
  app.add_option("--seconds", command.parameters.seconds, "length of a run");
  app.add_option("--requests", command.parameters.requests, "serve this many requests and report their latency");
  app.add_option("--objects", command.parameters.objects_per_request, "allocated in a request");
  app.add_option("--regions", command.parameters.regions, "-XX:MutatorAllocRegions");
  app.add_option("--cpus", command.simulated.cpus, "of the simulated machine (default 96)")->check(CLI::Range(1, 96));
  app.add_option("--virtual-seconds", command.simulated.seconds, "length of a simulated run");
  app.add_option("--piece", command.simulated.piece_bytes, "simulated: bytes of a piece, a buffer or an object");
  app.add_option("--work", command.simulated.work_nanoseconds,
                 "simulated: nanoseconds of computing between two pieces");
  app.add_option("--seed", command.simulated.seed, "simulated: of chance");
  app.add_flag("--json", command.json, "a line of JSON for each run");
  CLI11_PARSE(app, argument_count, arguments);
  if (command.parameters.regions != 0) command.simulated.regions = command.parameters.regions;
  return command.world == "simulated" ? run_all_simulated(command) : run_all_on_hardware(command);
}
