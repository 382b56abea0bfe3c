// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Compiled code as frames see it: the entries at which a frame can continue in code, and the instruction that a call
// site stands for.
//
// A frame of a compiled method is laid out like the interpreter's, slot by slot. So a frame may change tiers at any
// instruction before which all of its values are in memory:
//
//   interpreter -> compiled   `entries`: for some instructions, the address to continue at, with locals in r14, the
//                             thread in r15 and every operand in its stack slot: for loop headers, exception handlers,
//                             and after instructions that fall back to the interpreter
//   compiled -> interpreter   anywhere: the code spills and dispatches the instruction's handler
//
// Calls. Compiled code uses the machine's `call`. During the call the frame's pc points to a pair of instructions that
// belongs to the call site:
//
//     call      a copy of the invoke's word: only its address matters, it stands for the invoke (index_of_call_site)
//     resume    resume_compiled: a callee that returns to `pc + 1`, interpreted, native or intrinsic, executes a `ret`
//
// So entries, natives and stack walks need not know about compiled code. On the native stack a call leaves a record of
// two words: the return address, and above it a word that keeps the stack aligned. When the caller is interpreted, the
// two words are the address of `Linkage::return_to_interpreter` and the caller. Compiled code leaves two words of the
// frame itself unwritten (vm/frames/layout/make_frame.h).
//
// L1: while a frame runs compiled code, its record is on top of the native stack. Compiled code returns by `ret`,
//     whatever tier the caller is in.
// L2: while a frame is interpreted, its record is there if, and only if, its caller's pc is a compiled call site
//     (calls_from_code).
// L3: code of the optimising tier owns native bytes between its record and that of the call it is in, and only the code
//     knows how many. An unwinder that would cut the native stack down to such a frame returns into the code instead,
//     with a status (jit/code/registers.h, S1). The code frees its bytes and deoptimizes
//     (vm/interpreter/handlers/handlers_deoptimize.cpp).
//
// So a transition from code to the interpreter drops the record if it is the one of return_to_interpreter (`Linkage`,
// jit/code/stubs.cpp). A transition to code makes a record if there is none
// (vm/interpreter/handlers/handlers_compiled.cpp). Unwinding counts the records of the frames that it pops
// (vm/frames/unwind.cpp).
//
// A method may have several codes. Optimised code comes before baseline code in the chain. A frame that has been
// deoptimized continues in code at a loop's header: in code of this loop, or in baseline code.
//
//   MethodCode::compiled ──> newest optimised ──previous──> newest of baseline ──> ... ──> oldest
//
//             installed                    retired                    nobody is in it, a safepoint
//   (none) ─────────────────> in use ─────────────────> retired ─────────────────────────────────────> freed
//
// C1: code leaves the chain only while the world is stopped (jit/code/sweeper.h); new code becomes the newest at any
//     time. So a thread may read the chain without a lock until its next safepoint.
// C2: retired code stays in the chain while frames are in calls that it has made, because their call sites are found
//     through the chain.
// C3: only place_to_continue() decides where a frame continues, and only jit/code/method_codes.h decides which code a
//     call of the method enters. Neither selects retired code. Retired code stays retired.
// C4: a frame that is in code when the code is retired continues in it until it deoptimizes or returns. So does a
//     thread that has read the code's address before. Code that is Redefined or Invalidated is the exception: it is
//     left earlier (jit/code/obsolete_code.h).
#pragma once

#include "vm/code/call_sites.h"

namespace keyhole {

// The reasons why code is not entered any more.
enum class Retired : u8 {
  No,
  Replaced,   // newer code has compiled instructions that were unresolved in this code
  Redefined,  // the method, or an inlined one, has been redefined (vm/link/redefinition.h)
  // Invalidated dependency: a class that it assumed not to exist is linked (vm/link/loading/class_hierarchy.h).
  Invalidated,
  Failing,  // it has deoptimized too often (jit/optimised/failed_speculations.h)
  Unused,   // the code cache is full, and the code has not been called for long
};

// Code is freed only at safepoints, when no frame is in a call that it has made. At a safepoint all other frames are in
// the interpreter.
struct CompiledCode {
  Method* method;
  std::atomic<CompiledCode*> previous;  // the next code in the chain; see C1
  std::atomic<Retired> retired;         // written under the compiler's lock
  bool has_entry;    // calls enter at `entry`; else the interpreter's entry locks, then continues here
  u8 level;          // 1, 3: baseline; middle_level; optimised_level
  bool is_of_loop;   // OSR code: entered only at a loop's header, never by calls
  bool is_profiled;  // true until its profiling interval ends (jit/code/policy.h)
  u32 version;       // number of recompilations for instructions that were unresolved
  u32 number;        // of all code, from 1
  u32* entries;      // by instruction: an address (the code cache lies below 4 GiB), or 0
  Sites sites;
  Method* const* inlined;  // the methods that it has inlined
  u32 inlined_count;
  u32 entry;                    // the method's
  u32 begin, code_bytes;        // its place in the code cache
  bool looks_whether_obsolete;  // optimised code: compares `obsolete` after each call
  bool has_assumptions;         // jit/code/assumptions.h
  u32* obsolete;                // the word that it compares after its calls; null: it compares none, or calls nothing
  void* resource;               // data of the optimising tier, freed with the code; null: none
  bool is_watched;              // used by jit/code/sweeper.h, under the compiler's lock
  // The number of times that unresolved instructions may still be executed before the method is recompiled.
  std::atomic<i32> unresolved_left;

  // Frees the tables, which belong to the code.
  ~CompiledCode() {
    delete[] entries;
    delete[] sites.debug_info;
    delete[] sites.returns;
    delete[] inlined;
  }
  // Code from graphs, by either back end: it owns native bytes (L3), and deoptimizes.
  bool is_optimised() const { return (level & 1) == 0; }
  bool is_retired() const { return retired.load(std::memory_order_relaxed) != Retired::No; }
};

inline constexpr u8 middle_level = 2, optimised_level = 4;

// The next code in the chain.
inline CompiledCode* previous_of(const CompiledCode* code) { return code->previous.load(std::memory_order_acquire); }
// The first code in the chain that is not retired, from `code` on, or null.
inline CompiledCode* in_use(CompiledCode* code) {
  while (code != nullptr && code->is_retired()) code = previous_of(code);
  return code;
}
// The first code of the method's chain that is not retired, or null.
inline CompiledCode* first_in_use(const MethodCode* body) {
  return in_use(body->compiled.load(std::memory_order_acquire));
}
// The code that calls of the method enter.
inline CompiledCode* newest_in_use(const MethodCode* body) {
  CompiledCode* code = first_in_use(body);
  while (code != nullptr && code->is_of_loop) code = in_use(previous_of(code));
  return code;
}
inline CompiledCode* newest_of_baseline(const MethodCode* body) {
  CompiledCode* code = newest_in_use(body);
  while (code != nullptr && code->is_optimised()) code = in_use(previous_of(code));
  return code;
}

namespace interpreter {

// Is the frame in a call that optimised code has made? Then the code owns native bytes (L3).
inline bool owns_native_bytes(const Frame* frame) {
  return calls_from_code(frame) && operand_b(load_instruction(frame->pc + 1)) == optimised_site;
}

// The place where the frame continues when `pc` is executed next: in the newest code that has an entry there. Null and
// 0: the frame continues in the interpreter.
struct PlaceInCode {
  const CompiledCode* code;
  uptr address;
};
inline PlaceInCode place_to_continue(const Frame* frame, const Instruction* pc) {
  if (frame->kind != FrameKind::Interpreted) return {nullptr, 0};
  const MethodCode* body = frame->method->body.load(std::memory_order_relaxed);
  if (!body->contains(pc)) return {nullptr, 0};
  for (CompiledCode* code = first_in_use(body); code != nullptr; code = in_use(previous_of(code))) {
    if (u32 entry = code->entries[pc - body->instructions()]) return {code, entry};
  }
  return {nullptr, 0};
}
inline uptr where_to_continue(const Frame* frame, const Instruction* pc) {
  return place_to_continue(frame, pc).address;
}

}  // namespace interpreter
}  // namespace keyhole
