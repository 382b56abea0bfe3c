// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The pass pipeline: every phase by name, and the order in which they run.
//
//   settle: simplify <-> number_values, until nothing changes
//
//   settle ── eliminate_allocations ── partial_escape_analysis ── eliminate_nested_locks ── coarsen_locks ── settle
//      ── split_entered_loop ── hoist_guards ── strip_mine ── coalesce_card_marks ── settle
//      ── place_boxes ── eliminate_lock_records
//
// Escape analysis comes before the lock phases, because a scalar-replaced object needs no lock. The loop phases come
// after these, so that they do not hoist nodes that are eliminated anyway. The phases of boxes and lock records come
// last, because no other phase knows virtual boxes and monitors without records.
#include "jit/graph/pipeline.h"

#include <algorithm>

#include "jit/graph/lower/contended_enters.h"
#include "jit/graph/optimize/phases.h"
#include "runtime/base/flags.h"

namespace keyhole::graph {
namespace {

constexpr Phase phases[] = {
    {"simplify", simplify},
    {"number_values", number_values},
    {"remove_unused",
     [](Graph& graph) {
       remove_unused(graph);
       return false;
     }},
    {"eliminate_allocations", eliminate_allocations},
    {"partial_escape_analysis", partial_escape_analysis},
    {"eliminate_nested_locks", eliminate_nested_locks},
    {"coarsen_locks", coarsen_locks},
    {"split_entered_loop", split_entered_loop},
    {"hoist_guards", hoist_guards},
    {"strip_mine", strip_mine},
    {"coalesce_card_marks", coalesce_card_marks},
    {"place_boxes", place_boxes},
    {"eliminate_lock_records", eliminate_lock_records},
    {"contended_enters", call_contended_enters},
};

void there_is_no_such_phase() {}

// A reference to a phase by its name. The compiler looks the name up in the table of phases; a name that is not in the
// table does not compile.
struct Known {
  consteval Known(const char* name) : phase(std::ranges::find(phases, std::string_view(name), &Phase::name)) {
    if (phase == std::end(phases)) there_is_no_such_phase();
  }
  const Phase* phase;
};

}  // namespace

const Phase* find_phase(std::string_view name) {
  auto found = std::ranges::find(phases, name, &Phase::name);
  return found == std::end(phases) ? nullptr : found;
}

void optimise(Graph& graph, const std::function<void(std::string_view phase)>& look) {
  auto run = [&](Known known) {
    bool changes = known.phase->run(graph);
    if (changes && look) look(known.phase->name);
    return changes;
  };
  auto settle = [&] {
    bool changed = true;
    while (changed) {
      changed = run("simplify");
      changed = run("number_values") || changed;
    }
  };
  settle();
  remove_unused(graph);
  // If one round replaces an object by the values of its fields, the next round may do the same with objects that the
  // fields refer to.
  constexpr u32 most_rounds = 3;
  auto eliminate = [&] {
    for (u32 round = 0; round < most_rounds && run("eliminate_allocations"); ++round) {
      settle();
      remove_unused(graph);
    }
  };
  eliminate();
  for (u32 round = 0; round < most_rounds && run("partial_escape_analysis"); ++round) eliminate();
  bool fewer_locks = flags::EliminateNestedLocks && run("eliminate_nested_locks");
  fewer_locks |= flags::EliminateLocks && run("coarsen_locks");
  if (fewer_locks) settle();
  bool is_split = split_entered_loop(graph);
  bool is_new = run("hoist_guards");
  is_new = run("strip_mine") || is_new;
  is_new = run("coalesce_card_marks") || is_new;
  if (is_new || is_split) settle();
  remove_unused(graph);
  run("place_boxes");
  run("eliminate_lock_records");
}

}  // namespace keyhole::graph
