// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Registers of baseline code, in addition to the thread in r15 and the locals in r14 (jit/code/registers.h).
//
//   register               role
//   rbx r12 r13 r11        pinned locals: a copy of a local, newer than memory or the same (pinned_locals.h)
//   rsi rdi r8 r9 r10      operands of the block being compiled
//   rax rcx rdx            scratch within one instruction
//   xmm2 .. xmm7           operands;  xmm8 .. xmm15 pinned locals that are float or double;  xmm0, xmm1 scratch
//
// No register of the table is preserved across a call, or across a bytecode that the interpreter runs. Compiled code
// never changes rbp, which belongs to the C++ frame that entered the handlers (preserve_none). On the native stack
// compiled code has only the records of its calls (vm/code/compiled_code.h).
#pragma once

#include "jit/code/registers.h"
#include "runtime/base/types.h"

namespace keyhole::baseline {

using asmjit::imm;
using asmjit::Label;
using x86::Gp;
using x86::Mem;
using x86::Xmm;
namespace Inst = x86::Inst;

inline constexpr u8 operand_registers[] = {Gp::kIdSi, Gp::kIdDi, Gp::kIdR8, Gp::kIdR9, Gp::kIdR10};
inline constexpr u8 pinned_registers[] = {Gp::kIdBx, Gp::kIdR12, Gp::kIdR13, Gp::kIdR11};
inline constexpr u8 operand_xmms[] = {2, 3, 4, 5, 6, 7};
inline constexpr u8 pinned_xmms[] = {8, 9, 10, 11, 12, 13, 14, 15};

// Returns the whole register if `is_long`, otherwise its lower half.
inline Gp sized(const Gp& whole, bool is_long) { return is_long ? Gp(whole.r64()) : Gp(whole.r32()); }

// Register numbers of operands and pinned locals: general registers are 0..15, vector registers are 16..31.
inline constexpr u32 xmm_base = 16;
inline constexpr u32 register_count = 32;
inline constexpr bool is_vector(u32 number) { return number >= xmm_base; }
inline Xmm vector_register(u32 number) { return x86::xmm(number - xmm_base); }
inline u32 number_of(const Gp& general) { return general.id(); }
inline u32 number_of(const Xmm& vector) { return xmm_base + vector.id(); }

// Returns the operand for a field of the current JavaThread.
inline Mem thread_field(usize offset, u32 bytes = 8) {
  return x86::ptr(thread_register, static_cast<i32>(offset), bytes);
}

}  // namespace keyhole::baseline
