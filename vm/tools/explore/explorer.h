// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Explorer: one process's search. It chooses a schedule, executes it, judges the execution and learns from it.
#pragma once

#include <atomic>
#include <chrono>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>

#include "vm/tools/explore/dpor.h"
#include "vm/tools/explore/explore.h"
#include "vm/tools/explore/kinds.h"
#include "vm/tools/explore/profile.h"
#include "vm/tools/explore/report.h"
#include "vm/tools/explore/search.h"
#include "vm/tools/explore/token.h"

namespace keyhole::explore {

inline constexpr u32 automatic_bound = 2;  // of `auto`

// Set by signal handlers. The exploration then ends, and reports what it has found so far.
extern std::atomic<bool> is_interrupted;

// How an execution fails.
struct Judgement {
  std::string text, where;
  // Returns whether two failures are of the same kind. The messages of exceptions are not compared, because they may
  // depend on the schedule.
  bool is_like(const Judgement& other) const {
    auto head = [](const std::string& whole) { return whole.substr(0, whole.find_first_of(":\n")); };
    return head(text) == head(other.text) && where == other.where;
  }
};

// Writes the token of a failing schedule. Returns the file's name, or the empty string if there is none.
std::string save_token(const Options& options, const Program& program, const std::string& text);

class Explorer {
 public:
  Explorer(const Options& options, const Program& program, std::optional<std::string> expected_output)
      : options_(options), program_(program), engine_(options.engine, options.is_strict, program.run, options.memory),
        expected_output_(std::move(expected_output)) {
    report_.program = program.what;
    report_.is_strict = options.is_strict;
    report_.memory = options.memory;
    report_.shard = options.shard;
    report_.shards = options.shards;
    report_.is_part = options.is_worker || options.shards != 1;
    for (u64 place : options.places) engine_.add_place(place);
    if (options.verifies_rollback) engine_.verify_rollbacks();
    engine_.end_when([this] { return is_interrupted.load() || seconds() >= schedules_end_; });
  }

  Report explore();
  Report replay(const Token& token);
  // Sets the moment at which a running schedule is ended, in seconds since the beginning. By default this is the moment
  // after which no schedule begins, --for. It is later if the exploration continues in another search.
  void end_schedules_after(f64 seconds) { schedules_end_ = seconds; }
  // Counts executed schedules in `schedules`, for the process that shows the progress.
  void count_in(std::atomic<u64>& schedules) { counted_in_ = &schedules; }

 private:
  using Clock = std::chrono::steady_clock;

  f64 seconds() const { return std::chrono::duration<f64>(Clock::now() - begin_).count(); }
  bool is_over();
  bool execute(const Schedule& schedule);
  void note_unfinished();
  std::optional<Judgement> judge(const Execution& execution) const;
  bool learn(const Execution& execution);
  bool search_bounded(u32 bound, u64 most);
  bool settle_places();
  bool search_reduced(u64 most);
  bool search_random(std::span<const Policy> policies, u64 most);
  void search_in_turns(bool draws);
  void report_failure(const Execution& execution, const Judgement& judgement, bool is_replay);
  void finish_report();
  void show_progress();

  const Options& options_;
  const Program& program_;
  Engine engine_;
  Report report_;
  Kinds kinds_;
  Order order_{};  // of the last execution
  static constexpr usize max_orders = 1u << 20;
  std::unordered_map<u64, u64> kinds_of_orders_;  // by Order::exact
  std::optional<std::string> expected_output_;
  Clock::time_point begin_ = Clock::now();
  std::atomic<u64>* counted_in_ = nullptr;
  f64 schedules_end_ = options_.seconds;
  f64 shown_at_ = 0;
  u32 choices_ = 1;          // of the longest execution
  bool is_foreign_ = false;  // the current schedule is not counted, because another shard counts it
  bool is_settled_ = false;  // this shard's set of racing places is final (settle_places)
  std::set<u64> late_places_;

  // The searches, which can be continued, with the number of racing places that each one knows.
  std::optional<Bounded> bounded_;
  u32 bounded_places_ = 0;
  std::optional<Dpor> dpor_;
  u32 reduced_places_ = 0;
  u64 draws_ = 0;
  std::optional<Profile> profile_;
  u32 profiled_places_ = 0;
  u64 bounded_history_ = 0, reduced_history_ = 0, random_history_ = 0;
  u64* history_ = &random_history_;  // that of the running search (Report::history)
};

}  // namespace keyhole::explore
