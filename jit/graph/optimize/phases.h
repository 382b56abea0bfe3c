// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The optimising phases of a graph, one function each. pipeline.cpp has their order. Each phase preserves the meaning
// of the graph and the rules that verify() checks. It returns true if it has changed something.
#pragma once

#include "jit/graph/ir/graph.h"

namespace keyhole::graph {

// Simplification: constant folding, algebraic rules, guards and branches whose condition is known, unreachable code.
bool simplify(Graph& graph);
// Value numbering. Merges a node with an equal node that dominates it, a guard with an earlier guard of the same
// condition, and a load with an earlier load or store of the same address (memory.h). If the result of a condition
// follows from a guard or branch, the condition becomes a constant (conditions.h).
bool number_values(Graph& graph);
// Scalar replacement: objects that do not escape become values (escape_analysis.cpp, -XX:+DoEscapeAnalysis).
bool eliminate_allocations(Graph& graph);
// Allocates an object only on the paths on which it escapes (partial_escape_analysis.cpp).
bool partial_escape_analysis(Graph& graph);
// Loop splitting. If a graph for on-stack replacement starts in an inner loop, this loop and the loops around it have
// one header. The phase splits this header in two: the back edges that change the fewest values lead to the inner
// header, and the other back edges lead to the outer header.
bool split_entered_loop(Graph& graph);
// Moves guards with a loop-invariant condition, and bounds checks of counters, to the loop's preheader
// (guard_hoisting.cpp).
bool hoist_guards(Graph& graph);
// Eliminates enters of monitors that are already held (nested_locks.cpp).
bool eliminate_nested_locks(Graph& graph);
// Merges neighbouring locked regions of one object (lock_coarsening.cpp).
bool coarsen_locks(Graph& graph);
// Loop strip mining: counted loops poll once in 1024 iterations (loop_strip_mining.cpp). Also drops all loop_entry
// nodes.
bool strip_mine(Graph& graph);
// Coalesced card marks: if a loop stores references into neighbouring elements, all their cards are marked before the
// loop (coalesced_card_marks.cpp).
bool coalesce_card_marks(Graph& graph);
// Moves the allocation of a box to the place that needs the object, or drops the allocation (boxes.cpp). Earlier phases
// see no virtual boxes.
bool place_boxes(Graph& graph);
// Lock record elimination: a monitor whose region has no call gets no lock record (lock_record_elimination.cpp). No
// later phase may change locked regions.
bool eliminate_lock_records(Graph& graph);
// Drops values that no node and no frame state uses.
void remove_unused(Graph& graph);

}  // namespace keyhole::graph
