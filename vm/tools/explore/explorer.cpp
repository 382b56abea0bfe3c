// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements the searches: executes schedules, judges the executions, and learns from them.
#include "vm/tools/explore/explorer.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "runtime/base/print.h"
#include "vm/tools/explore/dpor.h"
#include "vm/tools/explore/profile.h"
#include "vm/tools/explore/races.h"
#include "vm/tools/explore/script.h"
#include "vm/tools/explore/search.h"
#include "vm/tools/explore/shrink.h"

namespace keyhole::explore {

std::atomic<bool> is_interrupted{false};

namespace {

constexpr f64 shrinking_seconds = 10;
constexpr u64 no_limit = UINT64_MAX;  // beside that of is_over()

constexpr Policy samplers[] = {Policy::priority, Policy::partial_order, Policy::weighted, Policy::random};

}  // namespace

std::string save_token(const Options& options, const Program& program, const std::string& text) {
  std::string file = options.save_file;
  if (file.empty()) file = std::filesystem::path(program.what).stem().string() + ".khs";
  if (text.empty()) return {};
  std::ofstream token(file);
  token << text;
  token.close();
  if (token) return file;
  print_text(stderr, "keyhole: cannot write {}\n", file);
  return {};
}

bool Explorer::is_over() {
  if (is_interrupted.load()) report_.stopped_by = fmt::format("by a signal after {:.1f} s", seconds());
  else if (seconds() >= options_.seconds) report_.stopped_by = fmt::format("after {:.0f} s", options_.seconds);
  else if (options_.schedules != 0 && report_.executed >= options_.schedules)
    report_.stopped_by = fmt::format("after {:.1f} s", seconds());
  return !report_.stopped_by.empty();
}

std::optional<Judgement> Explorer::judge(const Execution& execution) const {
  switch (execution.outcome.load()) {
    case Outcome::failed:
    case Outcome::stuck: return Judgement{execution.text, execution.where};
    case Outcome::ended: break;
    default: return {};
  }
  if (execution.exit_code != options_.expected_exit)
    return Judgement{fmt::format("exit code {} instead of {}", execution.exit_code, options_.expected_exit), ""};
  if (expected_output_ && engine_.output() != *expected_output_)
    return Judgement{fmt::format("the output is not that of {}", options_.expected_output_file), ""};
  return {};
}

// Learns from an execution that did not fail. Returns false if the exploration must end.
bool Explorer::learn(const Execution& execution) {
  Outcome outcome = execution.outcome.load();
  if (outcome == Outcome::redundant) return true;
  if (outcome != Outcome::ended) {
    report_.is_limit = outcome == Outcome::exhausted;
    report_.uncontrolled = outcome == Outcome::misfit ? fmt::format("does not repeat itself: {}", execution.text)
                                                      : std::string(execution.text);
    report_.uncontrolled_where = execution.where;
    return false;
  }
  report_.notified_many |= execution.notified_many;
  report_.timed_out |= execution.timed_out;
  report_.quiet_choices = std::max(report_.quiet_choices, execution.quiet_choices);
  choices_ = std::max(choices_, execution.choice_count);
  // Random sampling draws the same execution many times. So executions with the same order of operations are analysed
  // only once.
  auto [known, is_new] = kinds_of_orders_.try_emplace(order_.exact);
  if (is_new) {
    known->second = kind_of(execution);
    find_races(execution, [&](u64 place) {
      if (!is_settled_) engine_.add_place(place);
      else if (!has_place(execution, place)) late_places_.insert(place);
    });
  }
  if (is_foreign_) return true;
  kinds_.add(known->second, execution.policy != Policy::script);
  if (kinds_of_orders_.size() == max_orders) kinds_of_orders_.clear();
  if (options_.counts_outcomes) ++report_.outcomes[engine_.output()];
  return true;
}

// Notes that the last schedule was ended because the time was over, or by a signal (engine.h E3).
void Explorer::note_unfinished() {
  report_.unfinished = 1;
  is_over();
}

// Executes a schedule and judges it. Returns false if the exploration must end.
bool Explorer::execute(const Schedule& schedule) {
  const Execution& execution = engine_.run(schedule);
  if (execution.outcome.load() == Outcome::cut) {
    note_unfinished();
    return false;
  }
  ++report_.executed;
  order_ = order_of(execution);
  // The hashes are added, because the sum does not depend on the order in which shards execute the schedules.
  if (!is_foreign_) *history_ += (order_.without_locations ^ order_.without_locations >> 31) * 0x100000001B3;
  show_progress();
  if (std::optional<Judgement> judgement = judge(execution)) {
    report_failure(execution, *judgement, false);
    return false;
  }
  return learn(execution);
}

// Runs the preemption-bounded search for at most `most` further schedules. Returns false if the exploration must end.
bool Explorer::search_bounded(u32 bound, u64 most) {
  report_.strategy = "bounded";
  if (!bounded_) {
    if (options_.shards != 1 && !settle_places()) return false;
    bounded_.emplace(bound, options_.shard, options_.shards);
    bounded_places_ = engine_.place_count();
  }
  history_ = &bounded_history_;
  Schedule schedule;
  bool goes_on = true;
  for (u64 i = 0; i < most && goes_on && !is_over(); ++i) {
    if (bounded_places_ != engine_.place_count()) {
      bounded_->restart();
      bounded_places_ = engine_.place_count();
      bounded_history_ = 0;
    }
    if (!bounded_->next(schedule)) break;
    is_foreign_ = schedule.steps.empty() && options_.shard != 0;
    goes_on = execute(schedule);
    if (goes_on && is_foreign_) --report_.executed;
    if (goes_on && bounded_places_ == engine_.place_count()) bounded_->learn(engine_.last());
  }
  is_foreign_ = false;
  report_.is_sequential = goes_on && choices_ == 0 && report_.executed <= 1;
  report_.is_complete = goes_on && bounded_->is_complete() && !engine_.is_full();
  report_.counted = bounded_->executed();
  report_.finished_bound = bounded_->finished_bound();
  return goes_on && !report_.is_complete;
}

// Finds the places in the code whose accesses race. The shards will switch threads at these places. Every shard
// executes the same schedules for this, so that all shards get the same places; these schedules are not counted.
// Returns false if the exploration must end.
bool Explorer::settle_places() {
  constexpr u64 most = 500;
  Bounded bounded(1);
  Schedule schedule;
  is_foreign_ = true;
  auto has_time = [&] { return !is_interrupted.load() && seconds() < options_.seconds; };
  for (u64 i = 0; i < most && has_time() && bounded.next(schedule); ++i) {
    u32 places = engine_.place_count();
    if (!execute(schedule)) {
      if (report_.unfinished != 0) report_.executed = 0;
      return false;
    }
    if (places != engine_.place_count()) bounded.restart();
    else bounded.learn(engine_.last());
  }
  is_foreign_ = false;
  is_settled_ = true;
  kinds_of_orders_.clear();
  report_.executed = 0;
  return true;
}

// Runs the search with partial-order reduction for at most `most` further schedules. Returns false if the exploration
// must end.
bool Explorer::search_reduced(u64 most) {
  report_.strategy = "dpor";
  history_ = &reduced_history_;
  Schedule schedule;
  bool goes_on = true;
  for (u64 i = 0; i < most && goes_on && !is_over(); ++i) {
    // Stores at a new place enter store buffers, or have a history, from now on. This changes all executions, so the
    // search restarts.
    bool is_stale = options_.memory != controlled::Memory::sc && reduced_places_ != engine_.place_count();
    if (!dpor_ || is_stale) {
      dpor_.emplace();
      reduced_history_ = 0;
    }
    reduced_places_ = engine_.place_count();
    if (!dpor_->next(schedule)) break;
    goes_on = execute(schedule);
    bool has_new_places = reduced_places_ != engine_.place_count();
    if (goes_on && (!has_new_places || options_.memory == controlled::Memory::sc)) {
      dpor_->learn(engine_.last());
      reduced_places_ = engine_.place_count();
    }
  }
  report_.is_sequential = goes_on && choices_ == 0 && report_.executed == 1;
  report_.is_complete = goes_on && dpor_ && dpor_->is_complete();
  if (report_.is_complete) report_.counted = dpor_->executed();
  return goes_on && !report_.is_complete;
}

// Draws at most `most` further random schedules, by each of the policies in turn. Returns false if the exploration must
// end.
bool Explorer::search_random(std::span<const Policy> policies, u64 most) {
  constexpr std::string_view names[] = {"script", "random", "pct", "pos", "surw"};
  std::string name;
  for (Policy policy : policies) name += (name.empty() ? "" : ", ") + std::string(names[static_cast<usize>(policy)]);
  report_.strategy = name;
  history_ = &random_history_;
  if (draws_ == 0 && policies.size() == 1 && !execute({})) return false;
  for (u64 i = 0; i < most && !is_over(); ++i) {
    u64 seed = options_.seed + options_.shard + draws_++ * options_.shards;
    Policy policy = policies[seed % policies.size()];
    Schedule schedule{.policy = policy, .seed = seed, .depth = options_.depth, .length = choices_};
    if (policy == Policy::weighted) {
      if (!profile_ || profiled_places_ != engine_.place_count()) {
        profiled_places_ = engine_.place_count();
        if (!execute({})) return false;
        profile_.emplace(engine_.last());
      }
      if (is_over()) return false;
      schedule = profile_->schedule(seed / policies.size());
    }
    if (!execute(schedule)) return false;
  }
  return !is_over();
}

// The searches take turns, because each finds faults that another one would find late: first the faults that need few
// preemptions, then the others. Numbers of schedules, not time, limit the turns, so that explorations repeat.
void Explorer::search_in_turns(bool draws) {
  constexpr u64 first_turn = 128, longest_turn = 1 << 14;
  u32 bound = options_.bound.value_or(automatic_bound);
  for (u64 turn = first_turn; !is_over(); turn = std::min(2 * turn, longest_turn)) {
    u64 before = report_.executed;
    if (!search_bounded(bound, turn)) return;
    if (options_.shards == 1 && !search_reduced(turn)) return;
    if (draws && !search_random(samplers, turn)) return;
    if (report_.executed == before) return;  // the systematic searches have ended
  }
}

void Explorer::show_progress() {
  if (counted_in_ != nullptr) return counted_in_->store(report_.executed);
  if (isatty(STDERR_FILENO) == 0 || seconds() - shown_at_ < 0.5) return;
  shown_at_ = seconds();
  print_text(stderr, "\r{} schedules, {} kinds, {:.0f} s ", report_.executed, kinds_.count(), shown_at_);
}

// Shrinks the failing schedule, describes the failure, and writes its token. A replayed schedule is not shrunk.
void Explorer::report_failure(const Execution& execution, const Judgement& judgement, bool is_replay) {
  f64 found_after = seconds();
  std::vector<Step> script = script_of(execution);
  // If the failing script is short, its token is made now. The executions below, which shrink and describe the failure,
  // may reach a limit, and would then give no token.
  std::string text_of_token = script.size() > 1000 ? "" : token_text(execution);
  f64 end = seconds() + shrinking_seconds;
  u64 before = report_.executed;
  auto fails = [&](std::vector<Step>& shorter) {
    const Execution& tried = engine_.run({.steps = shorter});
    std::optional<Judgement> again = judge(tried);
    if (!again || !again->is_like(judgement)) return false;
    shorter = script_of(tried);
    return true;
  };
  auto is_late = [&] { return is_interrupted.load() || seconds() > end; };
  engine_.end_when(is_late);
  if (script.size() > 1 && !is_replay) shrink(script, fails, is_late);
  engine_.end_when({});  // the report needs the executions below, also after --for and a signal
  const Execution& shortest = engine_.run({.steps = script});
  std::optional<Judgement> last = judge(shortest);
  u64 hash = hash_of(shortest, shortest.event_count);
  const Execution& described = engine_.run({.steps = script}, true);
  std::optional<Judgement> again = judge(described);
  Failure failure;
  failure.found_after = found_after;
  if (described.outcome.load() == Outcome::exhausted) failure.not_replayed = described.text;
  else text_of_token = token_text(described);
  failure.is_replayed = last && again && again->is_like(*last) && hash_of(described, described.event_count) == hash;
  failure.text = (again ? *again : judgement).text;
  failure.where = (again ? *again : judgement).where;
  failure.counts = counts_of(described);
  Script lines = script_text(described, program_.source_file);
  failure.script = lines.text;
  failure.shown = lines.shown;
  failure.events = described.event_count;
  failure.hash = fmt::format("{:016x}", hash);
  report_.executed = before;
  report_.quiet_choices = std::max(report_.quiet_choices, described.quiet_choices);
  report_.notified_many |= described.notified_many;
  report_.timed_out |= described.timed_out;
  if (is_replay) failure.token_file = options_.schedule_file;
  else if (options_.is_worker) failure.token = text_of_token;
  else failure.token_file = save_token(options_, program_, text_of_token);
  report_.failure = std::move(failure);
}

void Explorer::finish_report() {
  constexpr std::string_view engines[] = {"rerun", "fork", "pages"};
  report_.seconds = seconds();
  report_.kinds = kinds_.count();
  report_.rollback = engines[static_cast<usize>(engine_.kind())];
  report_.refused_call = engine_.refused_call();
  report_.runs = engine_.runs();
  report_.late_places = static_cast<u32>(late_places_.size());
  report_.late.assign(late_places_.begin(), late_places_.end());
  if (report_.is_part) report_.parts_kinds = kinds_;
}

Report Explorer::explore() {
  choices_ = 0;
  switch (options_.strategy) {
    case Strategy::bounded: search_bounded(options_.bound.value_or(Bounded::unlimited), no_limit); break;
    case Strategy::dpor: search_reduced(no_limit); break;
    case Strategy::pct: search_random({&samplers[0], 1}, no_limit); break;
    case Strategy::pos: search_random({&samplers[1], 1}, no_limit); break;
    case Strategy::surw: search_random({&samplers[2], 1}, no_limit); break;
    case Strategy::random: search_random({&samplers[3], 1}, no_limit); break;
    case Strategy::samplers: search_random(samplers, no_limit); break;
    case Strategy::systematic: search_in_turns(false); break;
    case Strategy::automatic: search_in_turns(true); break;
  }
  report_.history = *history_;
  finish_report();
  report_.draws = kinds_.draws();
  report_.kinds_drawn_once = kinds_.drawn_once();
  report_.places = engine_.place_count();
  report_.are_places_full = engine_.is_full();
  return report_;
}

Report Explorer::replay(const Token& token) {
  report_.strategy = "replay";
  for (u64 place : token.places) engine_.add_place(place);
  const Execution& execution = engine_.run(token.schedule);
  if (execution.outcome.load() == Outcome::cut) {
    note_unfinished();
    finish_report();
    return report_;
  }
  ++report_.executed;
  order_ = order_of(execution);
  std::string difference = compare_with(token, execution);
  if (!difference.empty()) {
    report_.uncontrolled = fmt::format("does not fit the schedule: {}", difference);
  } else if (std::optional<Judgement> judgement = judge(execution)) {
    report_failure(execution, *judgement, true);
  } else if (!learn(execution)) {
  } else {
    report_.stopped_by = "after the schedule that was asked for";
  }
  finish_report();
  return report_;
}

}  // namespace keyhole::explore
