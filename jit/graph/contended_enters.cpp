// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Enters of monitors that are not free are steps: the interpreter's handler waits, and the code goes on behind it. Left
// alone, an enter leaves: then the interpreter also executes what follows, while others wait for the monitor.
//
//     monitor_enter n1 @7                       n5 = try_enter n1
//     ...                                       branch n5 b3 b2
//                                       ──>     b2: call step n1 @7
//                                                   jump b3
//                                               b3: ...
//
// Not among the phases that improve a graph: what it makes of a region has two enters, of which those know nothing, and
// in a loop they would see a call.
//
// E1: the cell is a monitorenter. That of an inlined synchronized method is in an invoke, which no step may execute.
// E2: what lives behind the enter can be loaded behind a call (homes.h, H3).
// E3: the frames have what they hold: no region still held, nothing virtual (S7, S8 of state.h).
// E4: the algorithm has a fast path. Where it has none, or locks are recorded, all enters leave: regions are not
//     reached, and states in them may say what nobody settles (lower_locks.cpp).
#include <algorithm>

#include "jit/graph/homes.h"
#include "jit/graph/phases.h"
#include "runtime/sync/algorithm.h"
#include "runtime/sync/synchronizer.h"

namespace keyhole::graph {
namespace {

bool can_be_called(const Node* enter, const Homes& homes) {
  const State* state = enter->state;
  return state->still_held == nullptr && !names_unmade(state) && homes.survives_call(enter);
}

void call_when_contended(Graph& graph, Node* enter) {
  Block *before = enter->block, *waits = graph.make_block(), *behind = graph.make_block();
  auto place = std::ranges::find(before->nodes, enter);
  for (auto node = place + 1; node != before->nodes.end(); ++node) Graph::append(behind, *node);
  before->nodes.erase(place, before->nodes.end());
  std::swap(behind->successors, before->successors);
  for (Block* next : behind->successors) std::ranges::replace(next->predecessors, before, behind);

  auto make = [&](Block* block, Op op, Type type, std::initializer_list<Node*> inputs) {
    Node* node = graph.make(op, type, std::span(inputs.begin(), inputs.size()));
    node->origin = enter->origin;
    Graph::append(block, node);
    return node;
  };
  Node* entered = make(before, Op::try_enter, Type::Int, {enter->inputs[0]});
  entered->has_no_record = enter->has_no_record;
  make(before, Op::branch, Type::None, {entered});
  Graph::connect(before, behind);
  Graph::connect(before, waits);
  Node* step = make(waits, Op::call, Type::None, {enter->inputs[0]});
  step->state = enter->state;
  step->call = graph.make_data(CallTarget{CallKind::Step, 1, nullptr, 0, nullptr});
  if (enter->has_no_record) make(waits, Op::drop_record, Type::None, {});   // the handler has made one
  make(waits, Op::jump, Type::None, {});
  Graph::connect(waits, behind);
}

}  // namespace

bool call_contended_enters(Graph& graph) {
  if (sync::fast_path() == sync::FastPathKind::none) return false;   // E4
  std::vector<Node*> enters;
  for (const Block* block : graph.blocks) {
    for (Node* node : block->nodes) {
      if (is_monitorenter(node)) enters.push_back(node);   // E1
    }
  }
  if (enters.empty()) return false;
  Homes homes(graph);
  std::erase_if(enters, [&](const Node* enter) { return !can_be_called(enter, homes); });
  for (Node* enter : enters) call_when_contended(graph, enter);
  graph.order_blocks();
  return !enters.empty();
}

}  // namespace keyhole::graph
