// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Operand registers. An emitter reserves the registers that it needs, pops its operands, brings each into the form that
// its instruction needs, allocates a register for the result, and pushes this register:
//
//     registers_.reserve(2, 1);
//     Value right = stack_.pop(), left = stack_.pop();
//     Gp target = registers_.in_own_register(left);
//     a_.emit(Inst::kIdAdd, target.r32(), registers_.as_operand(right, 4));
//     stack_.push_int(target);
//
// O1: an emitter first reserves its registers. Then it may emit checks that jump to slow paths. Only after the last of
//     these may it change a register that holds an operand, because a slow path stores the operands.
// O2: if the code of one bytecode branches, neither arm alone may allocate a register or make the copy of a pinned
//     local good, because the compile-time state after the bytecode holds for both arms.
#pragma once

#include "jit/baseline/operand_stack.h"

namespace keyhole::baseline {

class OperandRegisters {
 public:
  OperandRegisters(ValueMover& values, OperandStack& stack, PinnedLocals& locals)
      : values_(values), stack_(stack), locals_(locals) {}

  // Ensures that `count` operand registers (vector registers) are free. Does not spill the operands in the top
  // `operands` slots.
  void reserve(u32 operands, u32 count);
  void reserve_xmm(u32 operands, u32 count);
  Gp allocate();
  Xmm allocate_xmm();

  Gp in_register(const Value& value);      // the caller must not change this register
  Gp in_own_register(const Value& value);  // the caller may change this register, because no other operand is in it
  Xmm in_xmm(const Value& value);
  Xmm in_own_xmm(const Value& value);
  // Returns a register for a result: the register of the popped operand if no other operand is in it, otherwise a new
  // register.
  Gp reuse(const Value& value) { return stack_.owns(value) ? Gp(x86::gpq(value.number)) : allocate(); }
  // Returns the value as the right operand of an instruction of 4 or 8 bytes: a register, memory, or an immediate.
  asmjit::Operand as_operand(const Value& value, u32 bytes);
  asmjit::Operand as_xmm_operand(const Value& value, u32 bytes);
  // Loads a value from its stack slot into a register, and keeps what is known about the value.
  void load_from_stack_slot(Value& value);
  void load_in_place(u32 from_top);  // as load_from_stack_slot, for an operand that stays on the stack

  // Whether a bytecode needed more registers than the machine has, so that the code is unusable.
  bool has_failed() const { return has_failed_; }

 private:
  std::optional<u32> deepest_general(u32 top) const;

  ValueMover& values_;
  OperandStack& stack_;
  PinnedLocals& locals_;
  bool has_failed_ = false;
};

}  // namespace keyhole::baseline
