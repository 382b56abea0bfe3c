// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Moves and choices. Rules: stepper.h.
#include "vm/tools/step/stepper.h"

#include <fmt/format.h>

#include <cstdio>

#include "runtime/base/controlled/execution.h"

namespace keyhole::step {

using controlled::Outcome;

Stepper::Stepper(Machine& machine) : machine_(machine), first_tick_(machine.state().tick) {}

void Stepper::begin() {
  machine_.run({.goal = Goal::line, .includes_here = true});
  before_ = state();
}

void Stepper::restart() {
  State last = state();
  machine_.go_to(first_tick_);
  machine_.run({.goal = Goal::line, .includes_here = true});
  before_ = std::move(last);
}

std::string Stepper::move(Request request, bool is_backward) {
  if (!is_backward && machine_.has_ended()) return "The program has ended: go back (b).";
  State last = state();
  if (is_backward && !machine_.run_back(request)) return "There is nothing of that kind before.";
  if (!is_backward) machine_.run(request);
  before_ = std::move(last);
  return {};
}

std::string Stepper::move(Goal goal, bool is_backward) {
  Request request{.goal = goal, .strand = state().strand, .depth = state().depth};
  return move(request, is_backward);
}

std::string Stepper::move_to(const std::vector<StopAt>& stops, bool is_backward) {
  if (stops.size() > max_stops) return fmt::format("More than {} places and variables are not possible.", max_stops);
  Request request{.goal = Goal::stop};
  for (const StopAt& stop : stops) request.stops[request.stop_count++] = stop;
  return move(request, is_backward);
}

bool fits_stop(const std::string& name) { return name.size() < sizeof StopAt::name; }

StopAt stop_at(const std::string& name, u32 line) {
  StopAt stop{.line = line};
  snprintf(stop.name, sizeof stop.name, "%s", name.c_str());
  return stop;
}

std::string Stepper::go_to(u64 tick) {
  before_ = state();
  machine_.go_to(tick);
  return {};
}

// N3
void Stepper::choose_again(u32 strand) {
  u32 event = state().switch_event;
  machine_.go_to(state().switch_tick);
  machine_.change_script({event, strand});
}

std::string Stepper::choose(const ThreadState& thread) {
  u32 strand = thread.strand;
  std::string name = thread.name;
  if (machine_.has_ended()) return "The program has ended: go back (b).";
  if (strand == state().strand) return fmt::format("{} runs already.", name);
  if (!controlled::contains(state().enabled, strand)) return fmt::format("{} cannot go on.", name);
  State last = state();
  if (!state().is_first && !state().is_choice) {  // N2
    machine_.run({.goal = Goal::point, .strand = last.strand});
    if (machine_.has_ended() || (state().strand != strand && !controlled::contains(state().enabled, strand))) {
      bool has_ended = machine_.has_ended();
      machine_.go_to(last.tick);
      return fmt::format("{} cannot go on before {}.", name, has_ended ? "the program ends" : "another thread");
    }
  }
  if (state().strand != strand) {
    if (state().is_choice) machine_.change_script({state().event, strand});
    else choose_again(strand);
    machine_.run({.goal = Goal::strand, .strand = strand});
  }
  before_ = std::move(last);
  return {};
}

std::string Stepper::forget() {
  if (machine_.has_ended()) return "The program has ended: go back (b).";
  machine_.forget_script();
  return {};
}

std::string Stepper::end_text() const {
  const controlled::Execution& end = machine_.execution();
  std::string where = end.where[0] == '\0' ? "" : fmt::format(" ({})", end.where);
  switch (end.outcome.load()) {
    case Outcome::running:
    case Outcome::ended: return fmt::format("The program ends with exit code {}.", end.exit_code);
    case Outcome::failed: return fmt::format("The program fails: {}{}", end.text, where);
    case Outcome::stuck: return end.text;
    case Outcome::uncontrolled: return fmt::format("This cannot be controlled: {}{}", end.text, where);
    case Outcome::exhausted: return fmt::format("A limit is reached: {}{}", end.text, where);
    case Outcome::redundant:
    case Outcome::cut:
    case Outcome::misfit: return fmt::format("The schedule does not fit the program: {}", end.text);
  }
  return {};
}

}  // namespace keyhole::step
