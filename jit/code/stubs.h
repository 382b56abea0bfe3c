// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Code that all methods share.
#pragma once

#include "runtime/base/types.h"
#include "vm/interpreter/compiler.h"

namespace keyhole {

// Addresses in the code cache. The first seven hand the frame to the interpreter and drop its call record when it is
// return_to_interpreter's (vm/interpreter/compiled_code.h, L2).
struct Stubs {
  // In: r12 = the cell, r13 = home of the top operand, rdx = that operand, rdi = the frame.
  uptr step, step_unresolved, leave, leave_code, recompile;   // step_unresolved: by table_of_unresolved_steps;
                                                              // leave_code: a recording tells of it
  // Behind a call of obsolete code. In: rdi = the frame, r14 = its locals, rcx and rdx as the callee returned them.
  uptr deoptimize;
  uptr hand_over;   // in: rax = the handler; all else as the handler wants it
  uptr enter_slowly;   // a method's entry, as it found everything: no room, or a poll
  // Of the optimising tier (jit/graph/lower/lower.h). Behind a call with a status other than 0; in what is inlined;
  // when the monitor of a synchronized method is not free.
  uptr leave_call, leave_inlined, lock_and_start;
  // The same of code that does not care about exceptions: its caller gets them, if that is optimised, too; else
  // leave_call, leave and leave_inlined.
  uptr leave_or_pass, throw_, throw_inlined;
  uptr search;         // called: the callee of an interface call whose cache has another class, or any cell's handler
  interpreter::Linkage linkage;
};

// Once. Before there are threads.
void make_stubs();
const Stubs& stubs();

}  // namespace keyhole
