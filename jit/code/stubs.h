// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Stubs: machine code that all compiled methods share.
#pragma once

#include "runtime/base/types.h"
#include "vm/interpreter/compiler.h"

namespace keyhole {

// Addresses of the stubs in the code cache. A stub that takes a frame continues with this frame in the interpreter. If
// the frame's call record contains return_to_interpreter, the stub pops the record (vm/code/compiled_code.h L2).
struct Stubs {
  // Stubs that take a frame. In: r12 = the instruction, r13 = stack slot of the top operand, rdx = that operand, rdi =
  // the frame.
  uptr fallback;             // executes one instruction of compiled code in the interpreter (fallback for one bytecode)
  uptr fallback_unresolved;  // as `fallback`, with table_of_unresolved_fallbacks
  uptr side_exit;            // continues the frame in the interpreter, at this instruction, instead of in compiled code
  uptr deoptimize;           // does the same as `side_exit` for the optimising tier, and records the deoptimization
  // Code jumps to this stub when CompiledCode::unresolved_left is 0. The stub recompiles the method, then acts as
  // `fallback`.
  uptr recompile;
  // Obsolete baseline code jumps here when a callee has returned to it (obsolete_code.h). In: rdi = the frame, r14 =
  // its locals, rcx and rdx as the callee returned them.
  uptr deoptimize_obsolete;
  // Continues at the interpreter's handler in rax; the other registers are as this handler expects them.
  uptr hand_over;
  // The slow path of a method's entry, for a full stack or a requested poll. The registers are as at the entry.
  uptr enter_slowly;
  // Stubs of the optimising tier (jit/graph/lower/lower.h). deoptimize_call handles a call that returned a status other
  // than status_returned. deoptimize_inlined deoptimizes a frame in an inlined callee. lock_and_start enters a
  // synchronized method whose monitor is not free.
  uptr deoptimize_call, deoptimize_inlined, lock_and_start;
  // Optimised code uses these stubs if an exception occurs for which its method has no handler. If the caller runs
  // optimised code, too, the stubs unwind to the caller. Otherwise they act as deoptimize_call, deoptimize and
  // deoptimize_inlined, respectively.
  uptr deoptimize_or_unwind, throw_, throw_inlined;
  // Code reaches this stub by a call instruction, not by a jump. The stub runs the handler of the call site's
  // instruction, which finds, for example, the callee of an interface call after a miss in the inline cache.
  uptr search;
  interpreter::Linkage linkage;
};

// Generates all stubs. Called once, before there are threads.
void make_stubs();
const Stubs& stubs();

}  // namespace keyhole
