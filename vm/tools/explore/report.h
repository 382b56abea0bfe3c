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
  f64 found_after = 0;  // seconds since the beginning, without the shrinking that follows
  u32 events = 0, shown = 0;
  std::string script, token_file, hash;
  bool is_replayed = false;  // the failing schedule was executed again, with the same events and the same failure
  std::string token;         // only in the report of a worker: the failing schedule as the text of a token file
  std::string not_replayed;  // the limit that the replay of the failing schedule reached; empty: it reached none
};

struct Report {
  std::string program;
  u64 executed = 0;  // schedules, all in all
  u64 runs = 0;      // number of executions, including those that shrink and describe a failure
  // the sum over all schedules of the last search: each adds the hash of its order of operations
  u64 history = 0;
  f64 seconds = 0;
  std::string strategy;
  std::string rollback;  // the kind of engine that executed the last schedule
  i64 refused_call = 0;  // number of the system call due to which the engine switched from `pages` to `fork`

  std::optional<Failure> failure;
  // the operation that could not be controlled, or the limit that was reached
  std::string uncontrolled, uncontrolled_where;
  bool is_limit = false;

  // Without a failure
  bool is_complete = false, is_sequential = false;
  u64 counted = 0;  // number of different schedules that the systematic search executed
  std::optional<u32> finished_bound;
  u64 kinds = 0, draws = 0, kinds_drawn_once = 0;  // kinds.h
  std::string stopped_by;  // when or by what the search was stopped: "after 60 s"; empty: it ended on its own

  u64 unfinished = 0;  // schedules that were running when the search was stopped; no other number counts them

  u32 shard = 0, shards = 1;  // number of shards of the exploration (search.h B4)
  u32 late_places = 0;        // number of racing places that a shard found too late to make them choice points
  bool is_part = false;       // this report covers a part of an exploration, so its JSON includes data for merging
  std::vector<u64> late;      // the racing places that `late_places` counts, as numbers
  Kinds parts_kinds;          // the kinds of schedules that this part has executed, for merging

  controlled::Memory memory = controlled::Memory::sc;
  u32 places = 0;  // number of places whose plain accesses race
  bool notified_many = false, timed_out = false, is_strict = false, are_places_full = false;
  u32 quiet_choices = 0;  // largest number in one schedule
  std::map<std::string, u64> outcomes;

  Verdict verdict() const;
  std::string text() const;
  std::string json() const;
};

}  // namespace keyhole::explore
