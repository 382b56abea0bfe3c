// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Executes a graph node by node. Tests execute each phase's graph before and after it.
//
//   Execution run = execute(thread, graph, arguments);
//   run.exit == nullptr        the graph has returned run.result
//   run.exit->state            the graph has deoptimized: run.locals, run.operands and run.locks are the values of this
//                              frame state; run.callers has the frames that it is inlined in
//     run.has_thrown           run.exit is a call; no handler of the graph caught its exception
//
// Monitors are only noted down: other threads take no part.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "jit/graph/ir/graph.h"
#include "runtime/threads/handles.h"

namespace keyhole::graph {

struct DeoptFrame {
  const FrameState* state = nullptr;
  std::vector<Slot> locals, operands;  // raw: valid until the next safepoint
  std::vector<Object*> locks;          // outermost first
};

struct Execution {
  u64 result = 0;
  const Node* exit = nullptr;
  bool has_thrown = false;
  std::vector<Slot> locals, operands;
  std::vector<Object*> locks;
  std::vector<DeoptFrame> callers;  // innermost first
  u64 deopts_passed = 0;            // number of deopt points that were passed
  std::vector<u64> polls_passed;    // for the first polls: how many deopt points were passed before each
};

// Arguments as for call_java. The deopt point with the number `forced_deopt` is taken even if its guard holds.
Execution execute(JavaThread* thread, const Graph& graph, std::span<const Slot> arguments,
                  u64 forced_deopt = std::numeric_limits<u64>::max()) MAY_SAFEPOINT;

}  // namespace keyhole::graph
