// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The optimising phases of a graph, one function each; pipeline.h has their order. Each phase keeps what the graph
// does, and all rules that verify() checks. A phase returns true when it has changed something.
#pragma once

#include "jit/graph/ir/graph.h"

namespace keyhole::graph {

// Constants folded, algebra, guards and branches whose condition is known, code that is not reached. True: it has
// changed something.
bool simplify(Graph& graph);
// Equal nodes are one, where the first dominates the others; so are guards of one condition, and loads with what has
// been loaded or stored before (memory.h). Conditions that guards or branches have decided are constants
// (conditions.h).
bool number_values(Graph& graph);
// New objects that nobody else sees are values of their fields (escape_analysis.cpp). -XX:±DoEscapeAnalysis
bool eliminate_allocations(Graph& graph);
// ... and those that are needed on some ways only are made there (partial_escape_analysis.cpp).
bool partial_escape_analysis(Graph& graph);
// Where the graph is entered at the header of an inner loop, the outer ones have that header, too. It becomes two: of
// the edges that leave most values alone, and of the others.
bool split_entered_loop(Graph& graph);
// Guards that ask the same in each iteration of a loop, and checks of indices that count, become guards before the loop
// (guard_hoisting.cpp).
bool hoist_guards(Graph& graph);
// Monitors that are held already are not entered again (nested_locks.cpp).
bool eliminate_nested_locks(Graph& graph);
// Locked regions of one object that follow each other become one (lock_coarsening.cpp).
bool coarsen_locks(Graph& graph);
// Loops that count poll once in many iterations (loop_strip_mining.cpp). Drops the nodes loop_entry.
bool strip_mine(Graph& graph);
// Loops that store references one after the other mark their cards before (coalesced_card_marks.cpp).
bool coalesce_card_marks(Graph& graph);
// Boxes are made where they are needed as objects, if at all (boxes.cpp). Phases before know no virtual ones.
bool place_boxes(Graph& graph);
// Monitors that are held over no call have no lock record (lock_record_elimination.cpp). Regions do not change behind
// it.
bool eliminate_lock_records(Graph& graph);
// Drops values that nobody uses, also no state.
void remove_unused(Graph& graph);

}  // namespace keyhole::graph
