// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Stubs: machine code that all compiled methods share.
#pragma once

#include "runtime/base/types.h"
#include "vm/interpreter/compiler.h"

namespace keyhole {

// Addresses of the stubs in the code cache. Those that take a frame pass it to the interpreter, and drop its call
// record if the record is return_to_interpreter's (vm/code/compiled_code.h, L2).
struct Stubs {
  // Stubs that take a frame. In: r12 = the instruction, r13 = stack slot of the top operand, rdx = that operand, rdi =
  // the frame.
  uptr fallback;             // interpreter fallback for one bytecode
  uptr fallback_unresolved;  // as `fallback`, but by table_of_unresolved_fallbacks
  uptr side_exit;            // the interpreter continues at the instruction
  uptr deoptimize;           // as `side_exit`, for the optimising tier: the handler also records the deoptimization
  uptr recompile;            // unresolved_left has run out: recompiles the method, then acts as `fallback`
  // The target of patched return addresses of obsolete code. In: rdi = the frame, r14 = its locals, rcx and rdx as the
  // callee returned them.
  uptr deoptimize_obsolete;
  uptr hand_over;     // in: rax = the handler, other registers as the handler expects them
  uptr enter_slowly;  // for a method's entry that found no room, or a poll; registers as at the entry
  // Stubs of the optimising tier (jit/graph/lower/lower.h): deoptimize_call is for a call that returned another status
  // than status_returned, deoptimize_inlined for deoptimization in an inlined callee, and lock_and_start for a
  // synchronized method whose monitor is not free.
  uptr deoptimize_call, deoptimize_inlined, lock_and_start;
  // Stubs for code that has no handler for an exception. They unwind to the caller if it is optimised code, too.
  // Otherwise they do what deoptimize_call, deoptimize and deoptimize_inlined do.
  uptr deoptimize_or_unwind, throw_, throw_inlined;
  // Called, not jumped to. Runs any handler, for example to find the callee of an interface call that missed its cache.
  uptr search;
  interpreter::Linkage linkage;
};

// Makes all stubs. Call it once, before there are threads.
void make_stubs();
const Stubs& stubs();

}  // namespace keyhole
