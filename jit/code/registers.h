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
// Compiled code calls methods of every tier by a machine `call` (vm/code/compiled_code.h). In LLVM the calling
// convention is `preserve_none`, with a result of three words.
//
//   in                                                  out
//   rdi  the caller's frame; its pc is the call site    eax  status
//   r13  stack slot of the last argument                rdx  the result; without one, the caller's new top operand
//   rdx  the Method                                     rcx  stack slot of the value in rdx
//
// The caller computes the address of its locals from rcx. The callee preserves only r15, rbp and rsp.
//
//   eax                 means                                     rdx and rcx
//   status_returned     the callee has returned                   as above
//   status_exception    an exception is pending; the frame        undefined
//                       is the thread's top frame
//   status_deoptimize   the frame must be deoptimized             as above
//
// S1: compiled code sets the status in eax when it returns. When an interpreted callee returns to compiled code, the
//     operation resume_compiled sets it. Only code of the optimising tier compares the status: its frames own native
//     stack bytes besides the call record, which only the code can free (L3 of vm/code/compiled_code.h). Interpreted
//     and baseline frames own no such bytes, and their code does not compare the status. When an exception or a
//     deoptimization reaches such a frame, the unwinder cuts the native stack, and the frame continues at one of its
//     entries (vm/frames/unwind.cpp, resume_in_code). In debug builds baseline code checks that the status is
//     status_returned.
//
// Each tier uses the other registers as it likes (for example jit/baseline/registers.h).
#pragma once

#include <asmjit/x86.h>

namespace keyhole {

namespace x86 = asmjit::x86;

inline constexpr x86::Gp thread_register = x86::r15;
inline constexpr x86::Gp locals_register = x86::r14;

}  // namespace keyhole
