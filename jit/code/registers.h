// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The registers that compiled code and the stubs agree on, by asmjit's names.
//
//   register   at an entry, at a call's return and when a frame changes hands
//   r15        this JavaThread, as in the interpreter
//   r14        local 0: the frame, its operands and its header lie at constant distances from it
//
// What else a tier keeps in registers is its own affair (jit/baseline/registers.h).
#pragma once

#include <asmjit/x86.h>

namespace keyhole {

namespace x86 = asmjit::x86;

inline constexpr x86::Gp thread_register = x86::r15;
inline constexpr x86::Gp locals_register = x86::r14;

}  // namespace keyhole
