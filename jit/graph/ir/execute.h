// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Executes a graph, node by node: the tests run each phase's graph before and after it.
//
//   Execution run = execute(thread, graph, arguments);
//   run.exit == nullptr        it has returned run.result
//   run.exit->state            it has left: run.locals, run.operands and run.locks are the values there; of the frames
//                              that the state's is inlined in: run.callers
//     run.has_thrown             the exit is a call: nothing in the graph has caught what is pending in the thread
//
// Monitors are only noted: other threads take no part.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "jit/graph/ir/graph.h"
#include "runtime/threads/handles.h"

namespace keyhole::graph {

struct LeftFrame {
  const FrameState* state = nullptr;
  std::vector<Slot> locals, operands;    // raw: good until the next safepoint
  std::vector<Object*> locks;            // outermost first
};

struct Execution {
  u64 result = 0;
  const Node* exit = nullptr;
  bool has_thrown = false;
  std::vector<Slot> locals, operands;
  std::vector<Object*> locks;
  std::vector<LeftFrame> callers;        // innermost first
  u64 exits_passed = 0;                  // nodes that might have left and did not
  std::vector<u64> polls_passed;         // which of them have been polls, the first ones
};

// Arguments as for call_java. The exit of that number leaves, whatever its guard says.
Execution execute(JavaThread* thread, const Graph& graph, std::span<const Slot> arguments,
                  u64 forced_deopt = std::numeric_limits<u64>::max()) MAY_SAFEPOINT;

}  // namespace keyhole::graph
