// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The result of an exploration, as text for people and as JSON for programs.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "vm/tools/explore/kinds.h"
#include "vm/tools/explore/schedule.h"

namespace keyhole::explore {

enum class Verdict { none, failure, uncontrolled };  // exit codes 0, 1, 2

struct Failure {
  std::string text, where;
  Counts counts;
  u32 events = 0, shown = 0;
  std::string script, token_file, hash;
  bool is_replayed = false;  // the replay of the failing schedule had the same events
  std::string token;         // the text of the schedule, in the report of a worker
  std::string not_replayed;  // why there was no replay: the limit that was reached before it
};

struct Report {
  std::string program;
  u64 executed = 0;  // schedules, all in all
  u64 runs = 0;      // number of executions, including those that shrink and describe a failure
  u64 history = 0;   // sum of one hash for each schedule of the last search: the hash of its order of operations
  f64 seconds = 0;
  std::string strategy;
  std::string rollback;  // the engine at the end
  i64 refused_call = 0;  // the system call that made the engine switch from `pages` to `fork`

  std::optional<Failure> failure;
  // the operation that could not be controlled, or the limit that was reached
  std::string uncontrolled, uncontrolled_where;
  bool is_limit = false;

  // Without a failure
  bool is_complete = false, is_sequential = false;
  u64 counted = 0;  // number of different schedules that the systematic search executed
  std::optional<u32> finished_bound;
  u64 kinds = 0, draws = 0, kinds_drawn_once = 0;  // kinds.h
  std::string stopped_by;                          // for example "after 60 s"; empty: the search was not stopped

  u32 shard = 0, shards = 1;  // number of shards of the exploration (search.h B4)
  u32 late_places = 0;        // number of racing places that a shard found after it had fixed its choice points
  bool is_part = false;       // a shard's or a worker's report: its JSON includes the data for merging it
  std::vector<u64> late;      // the numbers of these late places
  Kinds parts_kinds;          // of a shard's schedules, for --merge

  controlled::Memory memory = controlled::Memory::sc;
  u32 places = 0;  // number of places whose plain accesses race
  bool notified_many = false, timed_out = false, is_strict = false, are_places_full = false;
  u32 quiet_choices = 0;  // most in one schedule
  std::map<std::string, u64> outcomes;

  Verdict verdict() const;
  std::string text() const;
  std::string json() const;
};

}  // namespace keyhole::explore
