// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Stepper: moves a machine in both directions, and chooses the thread that goes on. Commands, the debug adapter and the
// page use it (commands.h, dap.h, page.h).
//
// N1: a move ends at the next tick that meets its goal; the same move backwards at the last one before.
// N2: a thread can be chosen wherever the program stands. The running thread goes on to its next operation that others
//     can see, and stands before it: what lies between is invisible to others, so each schedule can be made.
// N3: if another thread was chosen just now, a choice takes the place of that one.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "vm/tools/step/machine.h"

namespace keyhole::step {

// A line of a file; without a line, a variable.
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
  // All moves return the empty string, or why nothing happened.
  std::string move(Goal goal, bool is_backward);
  // To the next place or write of these.
  std::string move_to(const std::vector<StopAt>& stops, bool is_backward);
  std::string go_to(u64 tick);
  std::string choose(const ThreadState& thread);
  // Drops the choices from here on.
  std::string forget();
  // Why the program has ended, in words.
  std::string end_text() const;

 private:
  std::string move(Request request, bool is_backward);
  void choose_again(u32 strand);

  Machine& machine_;
  u64 first_tick_;
  State before_;
};

}  // namespace keyhole::step
