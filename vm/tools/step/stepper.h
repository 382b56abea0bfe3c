// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Stepper: moves a machine forwards and backwards, and chooses the thread that runs next. It is used by the commands
// (commands.h), the debug adapter (dap.h) and the page (page.h).
//
// N1: a forward move ends at the next tick that meets its goal. A backward move ends at the last earlier tick that
//     meets its goal.
// N2: the user can choose another thread at any tick. The running thread first continues to its next operation that
//     other threads can observe, and stops before it. The instructions up to there are invisible to other threads, so
//     every schedule remains possible.
// N3: if the program stands directly after a thread switch, a new choice replaces that switch.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "vm/tools/step/machine.h"

namespace keyhole::step {

// Returns whether the name is short enough for a stop (StopAt::name).
bool fits_stop(const std::string& name);
// Parses a stop: "FILE:LINE" is a source line, a name without a line is a variable.
StopAt stop_at(const std::string& name, u32 line = 0);

class Stepper {
 public:
  explicit Stepper(Machine& machine);

  const State& state() const { return machine_.state(); }
  // The state before the last move.
  const State& before() const { return before_; }
  Machine& machine() { return machine_; }

  // Goes to the program's first line.
  void begin();
  void restart();
  // The functions below that return a string return the empty string, or why the machine did not move.
  std::string move(Goal goal, bool is_backward);
  // Moves to the next tick at which a thread reaches one of these lines or is about to write one of these variables.
  // There are at most `max_stops` of them.
  std::string move_to(const std::vector<StopAt>& stops, bool is_backward);
  std::string go_to(u64 tick);
  std::string choose(const ThreadState& thread);
  // Removes the choices of threads from the current position on.
  std::string forget();
  // Returns a text that says why the program has ended.
  std::string end_text() const;

 private:
  std::string move(Request request, bool is_backward);
  void choose_again(u32 strand);

  Machine& machine_;
  u64 first_tick_;
  State before_;
};

}  // namespace keyhole::step
