// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Compiled code, as the interpreter sees it: where a frame can be handed over, and which cell a call site stands for.
//
// A compiled method has the interpreter's frame, slot by slot, so a frame changes hands at any cell where all of it is
// in memory:
//
//   interpreter -> compiled   `entries`: for some cells, the address to go on at with locals in r14, the thread in r15
//                             and every operand in its home (loop headers, exception handlers, and what follows a cell
//                             that the interpreter runs)
//   compiled -> interpreter   anywhere: the code spills and dispatches the cell's handler
//
// Calls. Compiled code calls with the machine's `call`, and a frame that does so has a pc of its own making, a pair of
// cells:
//
//     call      a copy of the invoke's word: only its address matters, it stands for the invoke (index_of_call_site)
//     resume    resume_compiled: whoever returns to `pc + 1`, interpreted, native or intrinsic, executes a `ret`
//
// so entries, natives and stack walks know nothing of compiled code. On the native stack a call leaves a record of two
// words: the return address, and above it a word that keeps the stack aligned; or, when an interpreted frame has
// called, the caller, below it the address of `Linkage::return_to_interpreter`. Two words of the frame itself are left
// out by compiled code (make_frame.h, locals_of).
//
// L1: while a frame runs compiled code, its record is on top of the native stack. Compiled code returns by `ret`,
//     whoever called.
// L2: while a frame is interpreted, its record is there if, and only if, its caller's pc is a compiled call site
//     (calls_from_code).
// L3: code of the optimising tier owns native bytes between its record and that of the call it is in, and nobody but
//     itself knows how many. Who would cut the stack down to such a frame returns into it instead, with a status
//     (registers.h, S1): the code takes down what it owns, and then leaves the frame (handlers_deoptimize.cpp).
// So what goes from code to the interpreter drops the record when it is return_to_interpreter's (`Linkage`,
// jit/code/stubs.cpp), what goes to code makes one when it has to (handlers_compiled.cpp), and unwinding counts the
// records of the frames that it pops (unwind.cpp).
//
// A method may have several codes. What the optimising tier has made comes before what baseline has. Frames that leave
// it continue at a loop's header: in code of this loop, or in baseline code.
//
//   MethodCode::compiled ──> newest optimised ──previous──> newest of baseline ──> ... ──> oldest
//
//             installed                    retired                    nobody is in it, a safepoint
//   (none) ─────────────────> in use ─────────────────> retired ─────────────────────────────────────> freed
//
// C1: code leaves the chain only while the world is stopped (jit/code/sweeper.h); new code becomes the newest at any
//     time. So a thread may read the chain without a lock until its next safepoint.
// C2: retired code stays in the chain while frames are in calls that it has made: their sites are found through it.
// C3: place_to_continue() alone decides where a frame continues, and jit/code/method_codes.h where a call of the method
//     leads. Neither leads to retired code. Retired code stays retired.
// C4: a frame that is in code when it retires continues in it until it leaves. So does a thread that has read an
//     address of the code before. The exception is code that is Redefined or Contradicted (jit/code/obsolete_code.h).
#pragma once

#include "vm/code/call_sites.h"

namespace keyhole {

// Why code is not entered any more.
enum class Retired : u8 {
  No,
  Replaced,    // newer code has what was unresolved in this one
  Redefined,   // a method that is in it has another body (vm/link/redefinition.h)
  Contradicted,   // a class is linked of which it assumed that there is none (vm/link/class_hierarchy.h)
  Failing,     // it has deoptimized too often (jit/optimised/failed_speculations.h)
  Unused,      // there is no room, and it has not been called for long
};

// Freed at safepoints only, when no frame is in a call that it has made: all other frames are the interpreter's then.
struct CompiledCode {
  Method* method;
  std::atomic<CompiledCode*> previous;   // the next one in the chain. C1
  std::atomic<Retired> retired;    // written under the compiler's lock
  bool has_entry;                  // calls may lead to `entry`; else the interpreter's entry locks, then continues here
  u8 level;                        // as -XX:+PrintCompilation shows it
  bool is_of_loop;                 // entered at a loop's header alone: calls do not lead to it
  bool is_profiled;                // until its profiling interval ends (jit/code/policy.h)
  u32 version;                     // how often what was unresolved has been compiled again before
  u32 number;                      // of all code, from 1
  u32* entries;                    // per cell: an address (the code cache lies below 4 GiB), or 0
  Sites sites;
  Method* const* inlined;          // methods that it has in place of calls
  u32 inlined_count;
  u32 entry;                       // the method's
  u32 begin, code_bytes;           // its piece of the code cache
  bool looks_whether_obsolete;     // optimising tier: behind each call
  bool has_assumptions;            // jit/code/assumptions.h
  u32* obsolete;                   // what it looks at there: not 0 any more when it is. null: it does not look or call
  void* resource;                  // what the optimising tier frees with it; null: nothing
  bool is_asked;                   // jit/code/sweeper.h. Under the compiler's lock
  // How often cells that were unresolved may run before the method is compiled again.
  std::atomic<i32> unresolved_left;

  // Its tables are its own.
  ~CompiledCode() {
    delete[] entries;
    delete[] sites.debug_info;
    delete[] sites.returns;
    delete[] inlined;
  }
  bool is_retired() const { return retired.load(std::memory_order_relaxed) != Retired::No; }
};

inline constexpr u8 optimised_level = 4;

// The next one in the chain.
inline CompiledCode* previous_of(const CompiledCode* code) { return code->previous.load(std::memory_order_acquire); }
// The first that is not retired, from `code` on; null: there is none.
inline CompiledCode* in_use(CompiledCode* code) {
  while (code != nullptr && code->is_retired()) code = previous_of(code);
  return code;
}
// The same of the whole chain.
inline CompiledCode* first_in_use(const MethodCode* body) {
  return in_use(body->compiled.load(std::memory_order_acquire));
}
// The one to which calls lead.
inline CompiledCode* newest_in_use(const MethodCode* body) {
  CompiledCode* code = first_in_use(body);
  while (code != nullptr && code->is_of_loop) code = in_use(previous_of(code));
  return code;
}
inline CompiledCode* newest_of_baseline(const MethodCode* body) {
  CompiledCode* code = newest_in_use(body);
  while (code != nullptr && code->level == optimised_level) code = in_use(previous_of(code));
  return code;
}

namespace interpreter {

// L3: is it in a call of code that has native bytes beside its record?
inline bool owns_native_bytes(const Frame* frame) {
  return calls_from_code(frame) && operand_b(load_cell(frame->pc + 1)) == optimised_site;
}

// Where the frame continues when `pc` is next: in the newest code that has an entry there; null and 0: in the
// interpreter.
struct PlaceInCode {
  const CompiledCode* code;
  uptr address;
};
inline PlaceInCode place_to_continue(const Frame* frame, const Cell* pc) {
  if (frame->kind != FrameKind::Interpreted) return {nullptr, 0};
  const MethodCode* body = frame->method->body.load(std::memory_order_relaxed);
  if (!body->contains(pc)) return {nullptr, 0};
  for (CompiledCode* code = first_in_use(body); code != nullptr; code = in_use(previous_of(code))) {
    if (u32 entry = code->entries[pc - body->cells()]) return {code, entry};
  }
  return {nullptr, 0};
}
inline uptr where_to_continue(const Frame* frame, const Cell* pc) { return place_to_continue(frame, pc).address; }

}  // namespace interpreter
}  // namespace keyhole
