// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Litmus tests for the memory models of a controlled VM: short programs of a few strands, without Java.
//
//   {"x=1 y", "y=1 x"}     two strands: a store to x, then a load of y; and the other way round
//   {"x=1 | y", ...}       | is a full fence; capitals X, Y and Z are volatile; "x+" adds one to x atomically
//   {"( x=1 ) y", ...}     ( and ) enter and leave one monitor
//
// Only with the Java memory model:
//
//   {"x=1 yr=1", "ya x"}   accesses that are o opaque, a acquire, r release, v volatile
//   {"x=1 > yo=1", ...}    > is a release fence, < an acquire fence
//
// An outcome is the text of the values that the loads return, in the order of the strands: "0 0".
#pragma once

#include <set>
#include <string>
#include <vector>

#include "runtime/base/types.h"

namespace keyhole::litmus {

using Threads = std::vector<std::string>;

struct Result {
  std::set<std::string> outcomes;
  std::string problem;  // empty, or why the exploration was not complete
};

enum class Model : u8 { total_store_order, java };

// Strands, store buffers, write histories and partial-order reduction, compiled as they are or with one deliberate
// fault (mutants.def).
struct Subject {
  const char* name;
  const char* what;                                    // the fault; empty: none
  Result (*run)(const Threads& threads, Model model);  // executes all schedules
};
std::vector<Subject>& subjects();

// Returns the outcomes that the memory model permits. These models share no code with the VM.
std::set<std::string> outcomes_of_buffers(const Threads& threads);
std::set<std::string> outcomes_of_java(const Threads& threads);
inline std::set<std::string> outcomes_of(const Threads& threads, Model model) {
  return model == Model::java ? outcomes_of_java(threads) : outcomes_of_buffers(threads);
}
std::vector<std::string> words_of(const std::string& thread);

}  // namespace keyhole::litmus
