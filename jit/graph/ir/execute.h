// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Executes a graph node by node. Tests execute the graph before and after each phase.
//
//   Execution run = execute(thread, graph, arguments);
//   run.exit == nullptr        the graph has returned run.result
//   run.exit->state            the graph has deoptimized: run.locals, run.operands and run.locks are the values of this
//                              frame state; run.callers has those of its outer frame states
//     run.has_thrown           run.exit is a call; no handler of the graph caught its exception
//
// Monitors are not acquired, because tests execute graphs on one thread.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "jit/graph/ir/graph.h"
#include "runtime/threads/handles.h"

namespace keyhole::graph {

struct DeoptFrame {
  const FrameState* state = nullptr;
  // The values of the slots; references are raw pointers, valid until the next safepoint.
  std::vector<Slot> locals, operands;
  std::vector<Object*> locks;  // outermost first
};

struct Execution {
  u64 result = 0;
  const Node* exit = nullptr;
  bool has_thrown = false;
  std::vector<Slot> locals, operands;
  std::vector<Object*> locks;
  std::vector<DeoptFrame> callers;  // innermost first
  u64 deopts_passed = 0;            // number of deopt points that were executed without deoptimizing
  std::vector<u64> polls_passed;    // value of deopts_passed at each of the first 100 polls
};

// Executes the graph with the arguments that call_java would get. The execution deoptimizes when it has passed
// `forced_deopt` deopt points, even if the guard of the next deopt point holds.
Execution execute(JavaThread* thread, const Graph& graph, std::span<const Slot> arguments,
                  u64 forced_deopt = std::numeric_limits<u64>::max()) MAY_SAFEPOINT;

}  // namespace keyhole::graph
