// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A monitor that the graph holds already is not entered again (-XX:EliminateNestedLocks).
//
//     monitor_enter n1                          monitor_enter n1
//       monitor_enter n1                ──>
//       guard n5 @3 holds n1 n1                   guard n5 @3 holds n1 (eliminated) n1
//       monitor_exit n1
//     monitor_exit n1                           monitor_exit n1
//
// Who leaves in the inner region enters the monitor once more, which takes no waiting: then records, recursion counts
// and lock stacks are what the interpreter would have made of both enters, whatever the algorithm (lower/locks.cpp). So
// does whoever makes frames of a call in it: an exception leaves them, or the interpreter goes on behind the call
// (DebugInfo::left_out). While the call lasts, one level is held: wait gives back and takes what is held, and
// notify, holdsLock and other threads ask for no more.
//
// N1: the outer region is around all of the inner one: it has the same object, and its monitor is really held.
// N2: no other monitor is really entered in it: its record would lie below the one that who leaves makes.
// N3: where the outermost region is entered there is room for a record of each level left out
//     (Graph::eliminated_levels).
// N4: the inner region is entered in this graph: what the frame holds where a loop is entered is entered already.
#include <algorithm>

#include "jit/graph/optimize/lock_regions.h"
#include "jit/graph/optimize/phases.h"

namespace keyhole::graph {
namespace {

bool is_nested(const LockRegions& regions, const LockRegion& region) {
  if (region.object == nullptr || region.enters_others) return false;   // N2
  if (std::ranges::any_of(region.enters, [](const Node* enter) { return enter->op == Op::held_monitor; }))
    return false;   // N4
  return std::ranges::any_of(region.around, [&](u32 around) { return regions.all()[around].object == region.object; });
}

void leave_out(Graph& graph, const LockRegion& region) {
  for (HeldLock* lock : region.locks) lock->is_eliminated = true;
  auto erase = [](Node* node) { std::erase(node->block->nodes, node); };
  std::ranges::for_each(region.enters, erase);
  for (Node* exit : region.exits) {
    if (exit->op == Op::monitor_exit) {
      erase(exit);
    } else {
      exit->op = Op::constant;   // a release, which is done
      exit->bits = 1;
      exit->inputs = {};
    }
  }
  ++graph.eliminated_levels;
}

}  // namespace

bool eliminate_nested_locks(Graph& graph) {
  bool changed = false;
  for (;;) {
    LockRegions regions(graph);
    if (!regions.are_known()) return changed;
    auto nested = std::ranges::find_if(regions.all(), [&](const LockRegion& each) { return is_nested(regions, each); });
    if (nested == regions.all().end()) return changed;
    leave_out(graph, *nested);
    changed = true;
  }
}

}  // namespace keyhole::graph
