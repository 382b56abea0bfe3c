// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The result of an exploration, in words for people and as JSON for programs.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "vm/tools/explore/kinds.h"
#include "vm/tools/explore/schedule.h"

namespace keyhole::explore {

enum class Verdict { none, failure, uncontrolled };  // exit codes 0, 1, 2

struct Failure {
  std::string text, where;
  Counts counts;
  u32 events = 0, shown = 0;
  std::string script, token_file, hash;
  bool is_replayed = false;  // the replay had the same events
};

struct Report {
  std::string program;
  u64 executed = 0;  // schedules, all in all
  u64 runs = 0;      // with those that shrink and describe a failure
  u64 history = 0;   // a hash of the orders of all executed schedules
  f64 seconds = 0;
  std::string strategy;
  std::string rollback;  // the engine at the end
  i64 refused_call = 0;  // the system call for which `pages` became `fork`

  std::optional<Failure> failure;
  std::string uncontrolled, uncontrolled_where;  // what was not controlled, or the limit that was reached
  bool is_limit = false;

  // Without a failure
  bool is_complete = false, is_sequential = false;
  u64 counted = 0;  // schedules of the bounded search, each different
  std::optional<u32> finished_bound;
  u64 kinds = 0, draws = 0, kinds_drawn_once = 0;  // kinds.h
  std::string stopped_by;                          // "after 60 s"; empty: the search ended by itself

  u32 shard = 0, shards = 1;  // parts of an exploration (search.h B4)
  u32 late_places = 0;        // a shard: racing places found after its places were settled
  Kinds parts_kinds;          // a shard: for --merge

  u32 places = 0;  // places with plain accesses that race
  bool notified_many = false, timed_out = false, is_strict = false, are_places_full = false;
  u32 quiet_choices = 0;  // most in one schedule
  std::map<std::string, u64> outcomes;

  Verdict verdict() const;
  std::string text() const;
  std::string json() const;
};

}  // namespace keyhole::explore
