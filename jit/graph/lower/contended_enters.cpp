// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Contended enters: if the fast path of an enter fails, compiled code calls the interpreter's handler, which waits for
// the monitor, and then continues. If it deoptimized instead, the interpreter would execute the locked region, slowly,
// while other threads wait for the monitor.
//
//     monitor_enter n1 @7                       n5 = try_enter n1
//     ...                                       branch n5 b3 b2
//                                       ──>     b2: call fallback n1 @7
//                                                   jump b3
//                                               b3: ...
//
// The step runs after the optimising phases. They do not expect a locked region with two enters, and would take the
// fallback for an ordinary call in a loop.
//
// E1: only the enter of a monitorenter may call the handler. The enter of an inlined synchronized method belongs to an
//     invoke, which the handler must not execute again.
// E2: every value that lives after the enter can be reloaded after a call (stack_slots.h, H3).
// E3: the enter's frame state has no coarsened lock, and names no virtual object (S7, S8 of frame_state.h).
// E4: the lock algorithm has a fast path. Without a fast path all enters deoptimize, so compiled code never executes a
//     locked region. settle_locks (locks.cpp) relies on this: at a deopt exit it changes lock records only if there is
//     a fast path.
// E5: while locks are recorded (recorded_locks.h), the handler also records each pair of enter and exit that is not
//     coalesced. So monitor exits become `release`, and call the handler if that fails. E3 is relaxed: the frame state
//     of an enter or exit may name virtual objects whose monitors are not held. Without recording, an enter with such a
//     frame state deoptimizes, because a call would be slower: threads would contend more often, and one program that
//     locks tables lost a quarter of its throughput.
#include "jit/graph/lower/contended_enters.h"

#include <algorithm>

#include "jit/graph/ir/recorded_locks.h"
#include "jit/graph/lower/stack_slots.h"
#include "runtime/sync/algorithm.h"
#include "runtime/sync/synchronizer.h"

namespace keyhole::graph {
namespace {

bool can_be_called(const Node* node, const StackSlots& slots) {
  const FrameState* state = node->state;
  bool may_name_scalar_replaced = recorded_locks::calls_may_name_virtual_objects() ? scalar_replaced_locks(state) == 0
                                                                                   : !names_scalar_replaced(state);
  return state->coarsened_lock == nullptr && may_name_scalar_replaced && slots.survives_call(node);
}

void call_when_contended(Graph& graph, Node* node) {
  const bool is_exit = node->op == Op::monitor_exit;
  Block *before = node->block, *waits = graph.make_block(), *after = graph.make_block();
  auto place = std::ranges::find(before->nodes, node);
  for (auto each = place + 1; each != before->nodes.end(); ++each) Graph::append(after, *each);
  before->nodes.erase(place, before->nodes.end());
  std::swap(after->successors, before->successors);
  for (Block* next : after->successors) std::ranges::replace(next->predecessors, before, after);

  auto make = [&](Block* block, Op op, Type type, std::initializer_list<Node*> inputs) {
    Node* made = graph.make(op, type, std::span(inputs.begin(), inputs.size()));
    made->origin = node->origin;
    Graph::append(block, made);
    return made;
  };
  Node* done = make(before, is_exit ? Op::release : Op::try_enter, Type::Int, {node->inputs[0]});
  done->has_no_record = node->has_no_record;
  make(before, Op::branch, Type::None, {done});
  Graph::connect(before, after);
  Graph::connect(before, waits);
  Node* fallback = make(waits, Op::call, Type::None, {node->inputs[0]});
  fallback->state = node->state;
  fallback->call = graph.make_data(CallTarget{CallKind::Fallback, 1, nullptr, 0, nullptr});
  if (node->has_no_record) make(waits, Op::drop_record, Type::None, {});  // the handler has added one
  make(waits, Op::jump, Type::None, {});
  Graph::connect(waits, after);
}

}  // namespace

bool call_contended_enters(Graph& graph) {
  if (sync::fast_path().is_none()) return false;  // E4
  const bool exits_call = recorded_locks::exits_call_handler();
  std::vector<Node*> enters;
  for (const Block* block : graph.blocks) {
    for (Node* node : block->nodes) {
      if (is_monitorenter(node) || (exits_call && is_monitorexit(node))) enters.push_back(node);  // E1, E5
    }
  }
  if (enters.empty()) return false;
  StackSlots slots(graph);
  std::erase_if(enters, [&](const Node* node) { return !can_be_called(node, slots); });
  for (Node* node : enters) call_when_contended(graph, node);
  graph.order_blocks();
  return !enters.empty();
}

}  // namespace keyhole::graph
