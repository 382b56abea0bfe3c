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
//     v  └── a call throws before catch_ ──> blocks                   the exception is pending in the thread
//   return: status_returned, the result, the address of its slot
//
// M1: the header and the operands follow the locals at constant distances, as in every frame (runtime/threads/frame.h).
//     The code computes the address of local 0 from that of the last argument. Inlined frames follow (frame_state.h,
//     S4).
// M2: a stack slot that already holds its value is not written (stack_slots.h). An example is an argument that is still
//     in its local.
// M3: before its first call, or in a deopt exit, the code writes the words of the frame's header that baseline code
//     writes at its entry. The stub of a deopt exit writes the header's word `locals`. A path without calls and deopt
//     exits writes no header.
// M4: deopt points with the same frame state share a deopt exit. Deopt points with a counter (CountedDeopt) share it
//     only if they have the same reason, too. Deopt exits of inlined methods share the code that writes the outer
//     frames (Lowering::Tail).
// M5: the low graph names addresses by symbols (Lowered::symbols), so that code can be kept from run to run.
// M6: a value that lives across a call is a variable of the low graph. The code sets the variable where the value is
//     defined, and again from the stack slot after each call. The code generator turns variables into values and phis.
// M7: the headers of inlined frames are not written. In a call in an inlined method, and after a deopt exit there, the
//     compiled method's frame has the kind Inlining. Its pc is a site that describes all its activations.
// M8: code with calls owns bytes of the native stack besides its call record, and only this code can free them. So a
//     callee's frame always ends with a return into this code, with a status, also for an exception or a deoptimization
//     (jit/code/registers.h, S1).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "jit/graph/ir/graph.h"
#include "jit/graph/low/low_graph.h"
#include "vm/frames/layout/virtual_frame.h"

namespace keyhole::graph {

// Symbol of the array with the counters of Lowered::deopts.
inline constexpr std::string_view deopt_counters_symbol = "deopt counters";

// Symbols of the stubs (jit/code/stubs.h), which the owner of the code resolves. The code jumps to a stub with the
// parameters of the interpreter's convention (low::Parameter). Each row says which value a parameter holds. A bare name
// is a parameter that holds its own value, as in the interpreter. The thread is in all rows, and parameters that a row
// does not list are undefined.
//
//   stub                  parameters
//   deoptimize            pc, slot = address of the top operand, locals, frame, method = the top operand
//   deoptimize_inlined    slot = address of the top operand, locals, frame
//   enter_slowly          slot, frame, method
//   deoptimize_call       slot = slot that the call returned, locals, frame, table = its status, method = its result
//   deoptimize_or_unwind  as deoptimize_call
//   lock_and_start        pc = the method's first instruction, slot = address below the operands, locals, frame
//   throw                 as deoptimize
//   throw_inlined         as deoptimize_inlined
//   search                slot = address of the last argument, frame
//
// deoptimize_inlined: the site of the frame describes the inlined activations.
// deoptimize_call: after an exception slot, locals, frame and method are undefined; the stub finds the frame in the
// thread.
// deoptimize_or_unwind: for a call in activations without handlers and locks. If the caller is optimised code, the stub
// passes an exception to the caller without the unwinder.
// lock_and_start: for the entry of a synchronized method whose monitor is not free.
// throw, throw_inlined: for an athrow that no handler covers.
// search: the code calls this stub. The interpreter's handler executes the instruction of the call site: a fallback, or
// an interface call whose target is not in the tables of the receiver's class.
inline constexpr std::string_view deoptimize_symbol = "stub deoptimize", enter_slowly_symbol = "stub enter_slowly",
                                  deoptimize_inlined_symbol = "stub deoptimize_inlined",
                                  deoptimize_call_symbol = "stub deoptimize_call",
                                  deoptimize_or_unwind_symbol = "stub deoptimize_or_unwind",
                                  throw_symbol = "stub throw", throw_inlined_symbol = "stub throw_inlined",
                                  lock_and_start_symbol = "stub lock_and_start", search_symbol = "stub search";

// Whether recompiled code may avoid deoptimizations for this reason. It may for a failed speculation, and for an
// instruction that had never been executed when the method was compiled.
bool is_speculation(DeoptReason reason);
// A deopt point with a counter. Every speculation has a counter. With -Xlog:deoptimization=debug, every deopt point
// with a reason has one.
struct CountedDeopt {
  const Method* method;
  u32 bci;
  DeoptReason reason;
  bool is_speculation = true;  // whether recompiled code may avoid this deoptimization
};

struct Lowered {
  low::Function function;
  // addresses of symbols, except those of stubs, callees and deopt counters
  std::map<std::string, uptr, std::less<>> symbols;
  std::vector<Method*> callees;  // methods that the code calls; the symbol "entry N" is the entry stub of callees[N]
  // by index in function.sites, the call sites: the compiled method's instruction that calls
  std::vector<u32> call_instructions;
  // the deopt points with counters; deopts[N] has the Nth u32 at the symbol "deopt counters"
  std::vector<CountedDeopt> deopts;
  std::vector<DebugInfo> debug_info;              // by site; empty without inlining
  std::vector<PrunedHandler> pruned_handlers;     // handlers that no exception had reached when the graph was built
  std::vector<UniqueConcreteMethod> assumptions;  // the graph's dependencies
  bool looks_whether_obsolete = false;  // whether the code tests after each call whether this code has become obsolete
  std::optional<u32> obsolete_site;  // the element of function.sites whose first word says whether the code is obsolete
  std::string refusal;               // the reason why there is no function; empty if there is one
};

// How to lower a short snippet: as a call, or as low nodes (expanded_snippets.cpp) for a back end that does not inline
// the snippets' bitcode.
enum class Snippets : u8 { Called, Expanded };

// What a poll does with a request of the sampler: drops it, or counts it as a sample.
enum class Samples : u8 { Dropped, Noted };
// Lowers the graph. While the caller uses the result, it has to keep the class units of the graph's classes pinned.
Lowered lower(const Graph& graph, Snippets snippets = Snippets::Called, Samples samples = Samples::Dropped);

}  // namespace keyhole::graph
