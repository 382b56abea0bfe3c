// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Explores all executions of a Program: with 0 preemptions, with 1, ... and, where that ends in time, with any number.
//
// E1: executions are replayed from the start up to the choice that is to differ; nothing is ever restored.
// E2: a state that was seen before with as many preemptions left is not explored again. States are identified by 64-bit
//     hashes (checked_engine.h M4): among a million states the probability of a collision is about 1 in 30 million.
// E3: without a bound, steps that commute are explored in one order only (sleep sets). With a bound they are not: the
//     omitted order may be the only one within the bound.
// E4: bounds are tried from below, so a finding has as few preemptions as possible.
// E5: when the limit of states did not suffice for the required number of preemptions, the missing bounds are explored
//     with stores that reach memory at once. Each such execution is one of those not explored.
#pragma once

#include <optional>
#include <string>

#include "runtime/base/platform/checked_engine.h"

namespace keyhole::checked {

struct Limits {
  u64 states = 100'000;  // the budget for one bound; a bound that exceeds it counts as not explored
  // The budget for the bounds 0 and 1, and with stores at once, if it is larger: most errors need no more preemptions.
  u64 states_to_one_preemption = 0;
  u32 preemptions = 4;          // the highest bound tried before the exploration without a bound
  u32 wanted_preemptions = 0;   // E5
  bool stores_at_once = false;  // explores all bounds with stores at once, as in E5
};

struct Finding {
  std::string what;
  std::string schedule;  // replays it
  std::string script;    // the threads' operations, side by side
  u32 preemptions;
};

struct Report {
  static constexpr u32 unbounded = ~0u;
  u32 bound = 0;          // the highest bound that was explored completely
  u32 bound_at_once = 0;  // the highest bound explored with stores at once (E5); 0: not needed
  bool ran_out = false;   // the limit of states prevented higher bounds
  u64 states = 0, executions = 0, operations = 0;
  std::optional<Finding> finding;
};

Report explore(Program& program, const Limits& limits);
// Runs one schedule again. Without a finding, `script` shows the operations.
Finding replay(Program& program, const std::string& schedule);

}  // namespace keyhole::checked
