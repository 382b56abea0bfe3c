// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The registers that compiled code and the stubs agree on, by asmjit's names.
//
//   register   at all times
//   r15        this JavaThread, as in the interpreter
//   r14        local 0, when a frame changes hands: its operands and its header lie at constant distances from it
//   rbp        the C++ frame's that entered the handlers: preserved by everybody
//
// A call is a `call`, whoever calls whom (vm/interpreter/compiled_code.h). LLVM has the same one: `preserve_none`, with
// a result of three words.
//
//   in                                                  out
//   rdi  the caller's frame; its pc is the call site    eax  status
//   r13  home of the last argument, on the Java stack   rdx  the result; without one, the caller's new top operand
//   rdx  the Method                                     rcx  home of what is in rdx
//
// The caller finds its locals from rcx. No register but r15, rbp and rsp is preserved.
//
//   eax   means                                       the other two
//   0     the callee has returned                     as above
//   1     an exception is pending; the frame is the   whatever
//         thread's top frame
//   2     the frame's code must be left               as above
//
// S1: who returns sets eax, be it code or resume_compiled. A status other than 0 is for callers that compare: code of
//     the optimising tier, which owns native bytes beside its call record that only it can take down (L3). Interpreted
//     frames (return_to_interpreter) and baseline frames own none and do not compare: an exception, or a frame that
//     changes hands, cuts the native stack down to them and goes on at one of their entries (vm/interpreter/unwind.cpp,
//     resume_in_code). In debug builds baseline code compares, and stops.
//
// What else a tier keeps in registers is its own affair (jit/baseline/registers.h).
#pragma once

#include <asmjit/x86.h>

namespace keyhole {

namespace x86 = asmjit::x86;

inline constexpr x86::Gp thread_register = x86::r15;
inline constexpr x86::Gp locals_register = x86::r14;

}  // namespace keyhole
