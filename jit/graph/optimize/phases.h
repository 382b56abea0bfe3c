// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The optimising phases of a graph, one function each; pipeline.h has their order. Each phase keeps what the graph
// does, and all rules that verify() checks. A phase returns true when it has changed something.
#pragma once

#include "jit/graph/ir/graph.h"

namespace keyhole::graph {

// Constant folding, algebra, guards and branches whose condition is known, unreachable code.
bool simplify(Graph& graph);
// Value numbering: merges a node with an equal one that dominates it, a guard with an earlier one of the same
// condition, and a load with an earlier load or store (memory.h). Conditions that guards or branches have decided
// become constants (conditions.h).
bool number_values(Graph& graph);
// Scalar replacement of objects that do not escape (escape_analysis.cpp). -XX:±DoEscapeAnalysis
bool eliminate_allocations(Graph& graph);
// Allocates an object only on the paths on which it escapes (partial_escape_analysis.cpp).
bool partial_escape_analysis(Graph& graph);
// For on-stack replacement in an inner loop, where one header serves the inner loop and the loops around it: splits the
// header in two. The inner one gets the back edges that change the fewest values.
bool split_entered_loop(Graph& graph);
// Moves guards with a loop-invariant condition, and bounds checks of counters, before the loop (guard_hoisting.cpp).
bool hoist_guards(Graph& graph);
// Eliminates enters of monitors that are already held (nested_locks.cpp).
bool eliminate_nested_locks(Graph& graph);
// Merges neighbouring locked regions of one object (lock_coarsening.cpp).
bool coarsen_locks(Graph& graph);
// Loop strip mining: counted loops poll once in many iterations (loop_strip_mining.cpp). Drops the nodes loop_entry.
bool strip_mine(Graph& graph);
// Marks the cards of stores to neighbouring elements before the loop (coalesced_card_marks.cpp).
bool coalesce_card_marks(Graph& graph);
// Allocates boxes before the places that need an object, if there are any (boxes.cpp). Earlier phases see no virtual
// boxes.
bool place_boxes(Graph& graph);
// Monitors whose region has no call get no lock record (lock_record_elimination.cpp). Later phases do not change
// regions.
bool eliminate_lock_records(Graph& graph);
// Drops values that no node and no frame state uses.
void remove_unused(Graph& graph);

}  // namespace keyhole::graph
