// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Nested lock elimination: a monitor that the graph already holds is not entered again (-XX:EliminateNestedLocks).
//
//     monitor_enter n1                          monitor_enter n1
//       monitor_enter n1                ──>
//       guard n5 @3 holds n1 n1                   guard n5 @3 holds n1 (eliminated) n1
//       monitor_exit n1
//     monitor_exit n1                           monitor_exit n1
//
// Deoptimization in the inner region enters the monitor once more, which never waits. Then lock records, recursion
// counts and lock stacks are as if the interpreter had entered twice, with every lock algorithm (lower/locks.cpp). The
// runtime does the same if the frame is deoptimized in a call, or if an exception reaches it
// (DebugInfo::eliminated_locks). During the call the thread holds one level only. That is enough: Object.wait releases
// and restores all levels that are held, and notify, holdsLock and other threads do not depend on the number of levels.
//
// N1: the outer region contains all of the inner one and has the same object, and the code holds the object's monitor
//     in it.
// N2: no other monitor is acquired inside the region. Deoptimization pushes this level's record last, so a real record
//     may not lie above it.
// N3: each remaining enter checks that the thread has room for the records of all eliminated levels
//     (Graph::eliminated_levels).
// N4: the inner region begins in this graph: a monitor that the frame holds at an OSR entry has been entered already.
#include <algorithm>

#include "jit/graph/optimize/lock_regions.h"
#include "jit/graph/optimize/phases.h"

namespace keyhole::graph {
namespace {

bool is_nested(const LockRegions& regions, const LockRegion& region) {
  if (region.object == nullptr || region.enters_others) return false;  // N2
  if (std::ranges::any_of(region.enters, [](const Node* enter) { return enter->op == Op::held_monitor; }))
    return false;  // N4
  return std::ranges::any_of(region.around, [&](u32 around) { return regions.all()[around].object == region.object; });
}

void eliminate(Graph& graph, const LockRegion& region) {
  for (HeldLock* lock : region.locks) lock->is_eliminated = true;
  auto erase = [](Node* node) { std::erase(node->block->nodes, node); };
  std::ranges::for_each(region.enters, erase);
  for (Node* exit : region.exits) {
    if (exit->op == Op::monitor_exit) {
      erase(exit);
    } else {
      exit->op = Op::constant;  // the release has succeeded
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
    eliminate(graph, *nested);
    changed = true;
  }
}

}  // namespace keyhole::graph
