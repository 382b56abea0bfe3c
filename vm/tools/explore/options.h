// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The command line: keyhole --explore [options] PROGRAM [arguments]
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "vm/tools/explore/engine.h"

namespace keyhole::explore {

// `samplers`: the four before it. `systematic`: bounded and dpor in turns. `automatic`: all of them in turns.
enum class Strategy { automatic, bounded, dpor, pct, pos, surw, random, samplers, systematic };

struct Options {
  Strategy strategy = Strategy::automatic;
  std::optional<u32> bound;
  u32 depth = 3;
  u64 seed = 1;
  f64 seconds = 60;
  u64 schedules = 0;  // 0: no limit
  controlled::Memory memory = controlled::Memory::sc;
  int expected_exit = 0;
  std::string expected_output_file;
  bool counts_outcomes = false;
  bool is_strict = false;
  std::string schedule_file, save_file, json_file;
  std::optional<u32> jobs;          // --jobs: number of workers; none: one worker for each processor
  std::vector<u64> places;          // places whose plain accesses race, found by other workers
  bool is_worker = false;           // the report goes to another process (jobs.h)
  u32 shard = 0, shards = 1;        // --shard=I/N: I - 1, N
  std::vector<std::string> merged;  // --merge: reports of shards
  Engine::Kind engine = Engine::fastest();
  bool verifies_rollback = false;
  bool help = false;
  std::vector<std::string> program;  // words for the VM
};

extern const std::string_view usage;

// Returns the empty string, or an error message.
std::string parse_options(std::span<char*> words, Options& options);
// Returns the command line of the controlled VM: the flags that exploring needs, then the user's arguments.
std::vector<std::string> words_of_vm(const Options& options);
// Called after the VM's flags are parsed. Returns the empty string, or why a flag is incompatible with --explore.
std::string check_flags();

}  // namespace keyhole::explore
