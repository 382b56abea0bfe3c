// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Litmus tests for the store buffers of a controlled VM: short programs of a few strands, without Java.
//
//   {"x=1 y", "y=1 x"}     two strands: a store to x, then a load of y; and the other way round
//   {"x=1 | y", ...}       | is a full fence; capitals X, Y and Z are volatile; "x+" adds one to x atomically
//   {"( x=1 ) y", ...}     ( and ) enter and leave one monitor
//
// An outcome is the text of the values that the loads return, in the order of the strands: "0 0".
#pragma once

#include <set>
#include <string>
#include <vector>

namespace keyhole::litmus {

using Threads = std::vector<std::string>;

struct Result {
  std::set<std::string> outcomes;
  std::string problem;  // empty, or why the exploration was not complete
};

// Strands, store buffers and partial-order reduction, compiled as they are or with one deliberate fault
// (mutants.def).
struct Subject {
  const char* name;
  const char* what;                       // the fault; empty: none
  Result (*run)(const Threads& threads);  // executes all schedules
};
std::vector<Subject>& subjects();

// Returns the outcomes that total store order permits. This is a model of its own: it shares no code with the VM.
std::set<std::string> outcomes_of_model(const Threads& threads);

}  // namespace keyhole::litmus
