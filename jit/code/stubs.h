// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Stubs: machine code that all compiled methods share.
#pragma once

#include "runtime/base/types.h"
#include "vm/interpreter/compiler.h"

namespace keyhole {

// Addresses of the stubs in the code cache. Stubs that take a frame pass this frame to the interpreter. If the frame's
// call record contains return_to_interpreter, they pop the record (vm/code/compiled_code.h, L2).
struct Stubs {
  // Stubs that take a frame. In: r12 = the instruction, r13 = stack slot of the top operand, rdx = that operand, rdi =
  // the frame.
  uptr fallback;             // executes the instruction in the interpreter (fallback for one bytecode)
  uptr fallback_unresolved;  // as `fallback`, with table_of_unresolved_fallbacks
  uptr side_exit;            // continues in the interpreter at the instruction
  uptr deoptimize;           // as `side_exit`, for the optimising tier; also records the deoptimization
  uptr recompile;            // CompiledCode::unresolved_left is 0: recompiles the method, then acts as `fallback`
  // Obsolete baseline code jumps here when a callee has returned to it (obsolete_code.h). In: rdi = the frame, r14 =
  // its locals, rcx and rdx as the callee returned them.
  uptr deoptimize_obsolete;
  uptr hand_over;     // continues at the handler in rax; other registers as this handler expects them
  uptr enter_slowly;  // slow path of a method's entry: stack full, or poll armed; registers as at the entry
  // Stubs of the optimising tier (jit/graph/lower/lower.h). deoptimize_call handles a call that returned a status other
  // than status_returned. deoptimize_inlined deoptimizes a frame in an inlined callee. lock_and_start enters a
  // synchronized method whose monitor is not free.
  uptr deoptimize_call, deoptimize_inlined, lock_and_start;
  // Stubs for an exception in optimised code that has no handler for it. If the caller runs optimised code, too, they
  // unwind to the caller. Otherwise they act as deoptimize_call, deoptimize and deoptimize_inlined, respectively.
  uptr deoptimize_or_unwind, throw_, throw_inlined;
  // Code calls this stub; it does not jump to it. The stub runs the handler of the call site's instruction, for example
  // to find the callee of an interface call after a miss in the inline cache.
  uptr search;
  interpreter::Linkage linkage;
};

// Generates all stubs. Called once, before there are threads.
void make_stubs();
const Stubs& stubs();

}  // namespace keyhole
