// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A graph becomes a lowered function (low_graph.h): the frame, homes, object layouts and exits as loads, stores and
// jumps.
//
//   entry ── no room, or a poll ──> enter_slowly           as it found everything
//     │
//     v
//   blocks ── a guard fails, a poll ──> exit ──> leave     the state's slots go to their homes, then the interpreter
//     │  │                                                 executes the state's cell
//     │  ├── a call does not return 0 ──> abnormal_return       everything is in its home: an exception is dispatched,
//     or │  │                                                 the interpreter goes on behind the call
//     v  └── it returns 1 to a catch_ ──> blocks           the exception is pending, the frame the thread's top frame
//   return: status 0, the result, its home
//
// M1: locals are at constant distances from the home of the last argument, the header and the operands behind them, as
//     in every frame (runtime/threads/frame.h); those of inlined methods above (frame_state.h, S4).
// M2: a home that holds its value already is not written (stack_slots.h): an argument that is still in its local, say.
// M3: the header's words that baseline code writes at its entry are written before the first call, or by an exit; the
//     stub writes `locals`. A path that neither calls nor leaves writes none.
// M4: exits with one state are one block; those that are counted (CountedDeopt) also of one reason. Exits in inlined
//     methods share what they write of the outer frames (Lowering::Tail).
// M5: addresses have names (Lowered::symbols), so that code can be kept apart from where things are.
// M6: a value that lives across a call is a variable: set where it is defined, and behind each call from its home. The
//     code generator makes values of variables, with the phis that they need.
// M7: the headers of inlined frames are not written. In a call, and where it leaves, the frame is Inlining then, and
//     its pc a site that knows its views.
// M8: code that calls keeps native bytes beside its call record. So whoever ends a frame that it has called returns
//     into it, with a status (jit/code/registers.h, S1).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "jit/graph/ir/graph.h"
#include "jit/graph/low/low_graph.h"
#include "vm/frames/layout/virtual_frame.h"

namespace keyhole::graph {

inline constexpr std::string_view deopt_counters_symbol = "deopt counters";   // of Lowered::deopts

// Symbols of the stubs (jit/code/stubs.h), which the owner of the code resolves.
// They get the parameters of the convention; what is not said is whatever.
//   leave          pc, home of the top operand, locals, frame, that operand as `method`
//   enter_slowly   home, frame, method: as the entry has found them
//   deoptimize_inlined  home of the top operand, locals, frame, whose site says what is inlined
//   abnormal_return     locals, frame; `home` and `method` as the callee has returned them; its status as `table`.
//   Behind an
//                  exception locals and frame are whatever: who unwinds knows them
//   lock_and_start pc of the first cell, home below the operands, locals, frame: the monitor is not free
//   abnormal_return_or_pass  as abnormal_return, where nothing catches and nothing is locked: an exception goes on in
//   optimised code
//                  that has called
//   throw, throw_inlined   as leave and deoptimize_inlined, of an athrow that nothing in the frame catches
//   search         called: executes the site's cell, by its handler. In place of a method that an interface call does
//                  not find in its cache, and of a step: home, frame
inline constexpr std::string_view deoptimize_symbol = "stub deoptimize", enter_slowly_symbol = "stub enter_slowly",
                                  deoptimize_inlined_symbol = "stub deoptimize_inlined",
                                  abnormal_return_symbol = "stub abnormal_return",
                                  abnormal_return_or_pass_symbol = "stub abnormal_return_or_pass",
                                  throw_symbol = "stub throw", throw_inlined_symbol = "stub throw_inlined",
                                  lock_and_start_symbol = "stub lock_and_start", search_symbol = "stub search";

// Might another version of the code not leave there? A guess, or what had not been executed.
bool is_speculation(DeoptReason reason);
// An exit at a guess; with -Xlog:deoptimization=debug each one that has a reason.
struct CountedDeopt {
  const Method* method;
  u32 bci;
  DeoptReason reason;
  bool is_speculation = true;   // is_speculation(reason), or raised where a handler is around
};

struct Lowered {
  low::Function function;
  std::map<std::string, uptr, std::less<>> symbols;   // but for those of the stubs, and:
  std::vector<Method*> callees;                       // number N's entry stub has the symbol "entry N"
  std::vector<u32> call_cells;                        // of function.sites: the frame's invoke
  std::vector<CountedDeopt> deopts;                    // number N counts in the Nth u32 at the symbol "deopt counters"
  std::vector<CallSiteViews> views;                   // of function.sites: none where nothing is inlined
  std::vector<PrunedHandler> pruned_handlers;         // handlers that would have been compiled, had they been entered
  std::vector<UniqueConcreteMethod> assumptions;                // as the graph's
  bool looks_whether_obsolete = false;                // behind each call (jit/code/obsolete_code.h): what is not the
  std::optional<u32> obsolete_site;                   // first word of this site, which is 0, leaves. None: no calls
  std::string refusal;                                // why there is none; empty: there is one
};

// The graph's units are pinned while the result is used.
Lowered lower(const Graph& graph);

}  // namespace keyhole::graph
