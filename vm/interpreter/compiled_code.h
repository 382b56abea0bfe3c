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
// out by compiled code (java_frames.h, locals_of).
//
// L1: while a frame runs compiled code, its record is on top of the native stack. Compiled code returns by `ret`,
//     whoever called.
// L2: while a frame is interpreted, its record is there if, and only if, its caller's pc is a compiled call site
//     (calls_from_code).
// So what goes from code to the interpreter drops the record when it is return_to_interpreter's (`Linkage`,
// jit/code/stubs.cpp), what goes to code makes one when it has to (handlers_compiled.cpp), and unwinding counts the
// records of the frames that it pops (unwind.cpp).
#pragma once

#include "vm/interpreter/handlers.h"
#include "vm/link/frame_views.h"

namespace keyhole {

struct CompiledCallSite {
  Cell call;
  Cell resume;   // a = which cell of the method the call stands for
};

// Once a method that is in it has another body (vm/link/redefinition.h), code is obsolete: it has no entries, and a
// call that it is in returns to the interpreter, because the instructions behind its calls have been overwritten
// (jit/code/obsolete_code.h). Frames, records and call sites stay as they are.
//
// Freed at safepoints only, when no frame is in a call that it has made: all other frames are the interpreter's then.
struct CompiledCode {
  Method* method;
  CompiledCode* previous;          // what it replaces, as long as frames are in that
  bool is_obsolete;                // world stopped
  u32 version;                     // of the method's, from 0
  u32 number;                      // of all code, from 1
  u32* entries;                    // per cell: an address (the code cache lies below 4 GiB), or 0
  const CompiledCallSite* sites;
  u32 site_count;
  CallSiteViews* site_views;       // of each site, when frames that are in one are Inlining; else null
  const u32* returns;              // behind each call: where it can be led to the interpreter, as distance from `entry`
  u32 return_count;
  Method* const* inlined;          // methods that it has in place of calls
  u32 inlined_count;
  u32 entry;                       // the method's
  u32 code_bytes;
  bool is_asked;                   // jit/code/sweeper.h. Under the compiler's lock
  // How often cells that were unresolved may run before the method is compiled again.
  std::atomic<i32> unresolved_left;
};

namespace interpreter {

// Single-step table: every operation goes to resume_at_entry. A handler that is dispatched with it runs its cell, and
// what follows is compiled code again where there is an entry, else interpreted.
extern const Handler step_table[operation_count];

inline constexpr usize call_record_bytes = 16;

// Is the frame in a call that its compiled code has made?
inline bool calls_from_code(const Frame* frame) {
  return frame->runs_bytecode() && operation_of(load_cell(frame->pc + 1)) == Operation::resume_compiled;
}

}  // namespace interpreter
}  // namespace keyhole
