// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Lowering: a graph becomes a low graph (low_graph.h). The frame, its stack slots, object layouts and deoptimization
// become loads, stores and jumps.
//
//   entry ── no room, or a poll ──> enter_slowly                with everything as the entry found it
//     │
//     v
//   blocks ── a guard fails, a poll ──> deopt exit ──> deoptimize     the values go to their stack slots, and the
//     │  │                                                            interpreter executes the instruction
//     │  ├── a call returns abnormally ──> abnormal_return            all values are in their slots: an exception is
//     │  │                                                            dispatched, or the interpreter continues
//     v  └── the same, and catch_ follows ──> blocks                  the thread's top frame has a pending exception
//   return: status_returned, the result, the address of its slot
//
// M1: the header and the operands follow the locals at constant distances, as in every frame (runtime/threads/frame.h).
//     The address of the last argument gives local 0. Inlined frames follow (frame_state.h, S4).
// M2: a stack slot that already holds its value is not written (stack_slots.h): an argument that is still in its local,
//     for example.
// M3: before the first call, or in a deopt exit, the code writes those words of the header that baseline code writes at
//     its entry. The stub writes `locals`. A path without calls and deopt exits writes no header.
// M4: deopt points with one frame state share a deopt exit. Counted ones (CountedDeopt) share it only if they also have
//     one reason. Deopt exits in inlined methods share the writes of the outer frames (Lowering::Tail).
// M5: addresses have names (Lowered::symbols), so that code can be kept from run to run.
// M6: a value that lives across a call is a variable. It is set where it is defined, and after each call from its stack
//     slot. The code generator turns variables into values and phis.
// M7: the headers of inlined frames are not written. In a call, and after a deopt exit, such a frame has the kind
//     Inlining, and its pc is a site with the descriptions of all its activations.
// M8: code that calls keeps native bytes beside its call record. So code that ends a callee's frame returns
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

// symbol of the counters of Lowered::deopts
inline constexpr std::string_view deopt_counters_symbol = "deopt counters";

// Symbols of the stubs (jit/code/stubs.h), which the owner of the code resolves. Parameters not listed are undefined.
// `top` is the address of the top operand's slot, passed as the parameter `slot`.
//   deoptimize           pc, top, locals, frame; the top operand itself as `method`
//   deoptimize_inlined   top, locals, frame; the frame's site describes the inlined activations
//   enter_slowly         slot, frame, method: as the entry has found them
//   deoptimize_call      locals, frame; `slot` and `method` as the callee has returned them; its status as `table`.
//                        After an exception locals and frame are undefined: the unwinder knows them
//   deoptimize_or_unwind the same, if the activations have no handler and no lock: an exception goes to an
//                        optimised caller without the unwinder
//   lock_and_start       pc of the first instruction, address below the operands, locals, frame: the lock is contended
//   throw, throw_inlined as deoptimize and deoptimize_inlined, for an athrow without a handler in the frame
//   search               called with slot and frame: the interpreter's handler executes the site's instruction, which is
//                        an interface call that the caches do not know, or a fallback
inline constexpr std::string_view deoptimize_symbol = "stub deoptimize", enter_slowly_symbol = "stub enter_slowly",
                                  deoptimize_inlined_symbol = "stub deoptimize_inlined",
                                  deoptimize_call_symbol = "stub deoptimize_call",
                                  deoptimize_or_unwind_symbol = "stub deoptimize_or_unwind",
                                  throw_symbol = "stub throw", throw_inlined_symbol = "stub throw_inlined",
                                  lock_and_start_symbol = "stub lock_and_start", search_symbol = "stub search";

// Whether the deopt point is a speculation, or an instruction that was never executed: another version of the code
// might not deoptimize there.
bool is_speculation(DeoptReason reason);
// A deopt point that counts how often it is taken: every speculation, and with -Xlog:deoptimization=debug every deopt
// point that has a reason.
struct CountedDeopt {
  const Method* method;
  u32 bci;
  DeoptReason reason;
  bool is_speculation = true;  // is_speculation(reason), or an exception inside a handler's range
};

struct Lowered {
  low::Function function;
  // addresses of symbols, except those of stubs, callees and deopt counters
  std::map<std::string, uptr, std::less<>> symbols;
  std::vector<Method*> callees;  // the symbol "entry N" is the entry stub of method N
  // by site, as function.sites: the instruction at which the compiled method calls
  std::vector<u32> call_instructions;
  // deopt point N counts in the Nth u32 at the symbol "deopt counters"
  std::vector<CountedDeopt> deopts;
  std::vector<DebugInfo> debug_info;              // by site; empty without inlining
  std::vector<PrunedHandler> pruned_handlers;     // handlers that no exception had reached when the graph was built
  std::vector<UniqueConcreteMethod> assumptions;  // the graph's dependencies
  bool looks_whether_obsolete = false;            // after a call the code tests whether it is obsolete
  std::optional<u32> obsolete_site;               // its first word tells whether the code is obsolete (obsolete_code.h)
  std::string refusal;                            // the reason why there is no function; empty if there is one
};

// Whether short snippets become low nodes (expanded_snippets.cpp), for a back end that does not inline their bitcode.
enum class Snippets : u8 { Called, Expanded };

// The caller keeps the graph's class-loading units pinned while it uses the result.
// Whether polls note a request of the sampler, or drop it.
enum class Samples : u8 { Dropped, Noted };
Lowered lower(const Graph& graph, Snippets snippets = Snippets::Called, Samples samples = Samples::Dropped);

}  // namespace keyhole::graph
