// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Stubs: machine code that all compiled methods share.
#pragma once

#include "runtime/base/types.h"
#include "vm/interpreter/compiler.h"

namespace keyhole {

// Addresses in the code cache. Those of frames hand the frame to the interpreter, and drop its call record when that is
// return_to_interpreter's (vm/code/compiled_code.h, L2).
struct Stubs {
  // Of frames. In: r12 = the instruction, r13 = stack slot of the top operand, rdx = that operand, rdi = the frame.
  uptr fallback;             // interpreter fallback for one bytecode
  uptr fallback_unresolved;  // the same, by table_of_unresolved_fallbacks
  uptr side_exit;            // the interpreter continues at the instruction
  uptr deoptimize;           // the same, of the optimising tier: the handler also records the deoptimization
  uptr recompile;            // unresolved_left has run out: recompiles the method, then as `fallback`
  // Return addresses of obsolete code are patched to lead here. In: rdi = the frame, r14 = its locals, rcx and rdx as
  // the callee returned them.
  uptr deoptimize_obsolete;
  uptr hand_over;     // in: rax = the handler, other registers as the handler expects them
  uptr enter_slowly;  // a method's entry that found no room, or a poll; registers as at the entry
  // Of the optimising tier (jit/graph/lower/lower.h): after a call with a status other than status_returned; in an
  // inlined callee; when the monitor of a synchronized method is not free.
  uptr deoptimize_call, deoptimize_inlined, lock_and_start;
  // The same three for code without a handler for the exception: unwinds to the caller if that is optimised code, too;
  // otherwise as deoptimize_call, deoptimize and deoptimize_inlined.
  uptr deoptimize_or_unwind, throw_, throw_inlined;
  uptr search;  // called: finds the callee of an interface call that missed its cache; runs any handler
  interpreter::Linkage linkage;
};

// Once. Before there are threads.
void make_stubs();
const Stubs& stubs();

}  // namespace keyhole
