// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Register conventions of compiled code and the stubs, by asmjit's names.
//
//   register   at all times
//   r15        this JavaThread, as in the interpreter
//   r14        local 0, when a frame changes hands: its operands and its header lie at constant distances from it
//   rbp        of the C++ frame that entered the handlers: every tier preserves it
//
// Every call is a machine `call`, whatever the two tiers are (vm/code/compiled_code.h). In LLVM the convention
// is `preserve_none`, with a result of three words.
//
//   in                                                  out
//   rdi  the caller's frame; its pc is the call site    eax  status
//   r13  stack slot of the last argument                rdx  the result; without one, the caller's new top operand
//   rdx  the Method                                     rcx  stack slot of the value in rdx
//
// The caller finds its locals from rcx. No register but r15, rbp and rsp is preserved.
//
//   eax                 means                                     rdx and rcx
//   status_returned     the callee has returned                   as above
//   status_exception    an exception is pending; the frame        undefined
//                       is the thread's top frame
//   status_deoptimize   the frame must be deoptimized             as above
//
// S1: compiled code sets eax when it returns, and the operation resume_compiled sets it when an interpreted callee
//     returns to compiled code. Only code of the optimising tier compares the status: it keeps native bytes beside its
//     call record, and must free them itself (L3 of vm/code/compiled_code.h). Interpreted and baseline frames keep
//     none, and do not compare. When an exception or a deoptimization reaches such a frame, the unwinder cuts the
//     native stack, and the frame continues at one of its entries (vm/frames/unwind.cpp, resume_in_code). In debug
//     builds baseline code checks that the status is status_returned.
//
// Other registers are each tier's own (jit/baseline/registers.h).
#pragma once

#include <asmjit/x86.h>

namespace keyhole {

namespace x86 = asmjit::x86;

inline constexpr x86::Gp thread_register = x86::r15;
inline constexpr x86::Gp locals_register = x86::r14;

}  // namespace keyhole
