// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// What is done to a graph before it is lowered. Each phase leaves a graph that verify() accepts, and that does the
// same.
#pragma once

#include <functional>
#include <string_view>

#include "jit/graph/graph.h"

namespace keyhole::graph {

// Constants folded, algebra, guards and branches whose condition is known, code that is not reached. True: it has
// changed something.
bool simplify(Graph& graph);
// Equal nodes are one, where the first dominates the others; so are guards of one condition, and loads with what has
// been loaded or stored before (memory.h). Conditions that guards or branches have decided are constants
// (conditions.h).
bool number_values(Graph& graph);
// New objects that nobody else sees are values of their fields (escape.cpp). -XX:±DoEscapeAnalysis
bool eliminate_allocations(Graph& graph);
// ... and those that are needed on some ways only are made there (make_where_needed.cpp).
bool make_where_needed(Graph& graph);
// Where the graph is entered at the header of an inner loop, the outer ones have that header, too. It becomes two: of
// the edges that leave most values alone, and of the others.
bool split_entered_loop(Graph& graph);
// Guards that ask the same in each iteration of a loop, and checks of indices that count, become guards before the loop
// (hoist.cpp).
bool hoist(Graph& graph);
// Monitors that are held already are not entered again (nested_locks.cpp).
bool leave_out_nested_locks(Graph& graph);
// Locked regions of one object that follow each other become one (coarsen_locks.cpp).
bool coarsen_locks(Graph& graph);
// Loops that count poll once in many iterations (strip_mine.cpp). Drops the nodes loop_entry.
bool strip_mine(Graph& graph);
// Loops that store references one after the other mark their cards before (gather_marks.cpp).
bool gather_marks(Graph& graph);
// Boxes are made where they are needed as objects, if at all (boxes.cpp). Phases before know no virtual ones.
bool place_boxes(Graph& graph);
// Monitors that are held over no call have no lock record (unrecorded_locks.cpp). Regions do not change behind it.
bool leave_out_records(Graph& graph);
// Drops values that nobody uses, also no state.
void remove_unused(Graph& graph);

// By its name in -XX:PrintIR and in tests; null: no such phase.
struct Phase {
  std::string_view name;
  bool (*run)(Graph& graph);   // true: it has changed something
};
const Phase* find_phase(std::string_view name);

// All of them in the order of pipeline.cpp. `look` is called with the name of each phase that has changed something.
void optimise(Graph& graph, const std::function<void(std::string_view phase)>& look = {});

// Then: enters of monitors wait in the code where they can, and recorded exits are told in it (contended_enters.cpp).
bool call_contended_enters(Graph& graph);

}  // namespace keyhole::graph
