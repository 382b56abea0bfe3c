// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Reserves, loads and spills operand registers.
#include "jit/baseline/operand_registers.h"

#include <algorithm>

namespace keyhole::baseline {

using Kind = Value::Kind;

// Returns the register of the deepest slot below `top`. Skips registers that an operand of the current bytecode shares.
std::optional<u32> OperandRegisters::deepest_general(u32 top) const {
  const std::vector<Value>& slots = stack_.values();
  u32 needed = 0;
  for (u32 slot = top; slot < slots.size(); ++slot) {
    if (slots[slot].kind == Kind::Register) needed |= 1u << slots[slot].number;
  }
  for (u32 slot = 0; slot < top; ++slot) {
    const Value& value = slots[slot];
    if (value.is_in_general_register() && (needed & (1u << value.number)) == 0) return value.number;
  }
  return std::nullopt;
}

void OperandRegisters::reserve(u32 operands, u32 count) {
  u32 top = stack_.depth() - std::min(operands, stack_.depth());
  while (stack_.registers().free_general() < count) {
    std::optional<u32> victim = deepest_general(top);
    if (!victim) break;  // no register can be freed; allocate() will mark the code as unusable
    for (u32 slot = 0; slot < top; ++slot) {
      const Value& value = stack_.values()[slot];
      if (value.kind == Kind::Register && value.number == *victim) stack_.spill(slot);
    }
  }
  stack_.keep_before();
}

void OperandRegisters::reserve_xmm(u32 operands, u32 count) {
  if (stack_.registers().free_vector() < count) {
    for (u32 slot = 0; slot + operands < stack_.depth(); ++slot) {
      if (stack_.values()[slot].is_in_vector_register()) stack_.spill(slot);
    }
  }
  stack_.keep_before();
}

Gp OperandRegisters::allocate() {
  std::optional<u32> number = stack_.registers().allocate_general();
  if (!number) has_failed_ = true;
  return x86::gpq(number.value_or(operand_registers[0]));
}

Xmm OperandRegisters::allocate_xmm() {
  std::optional<u32> number = stack_.registers().allocate_vector();
  if (!number) has_failed_ = true;
  return number ? vector_register(*number) : x86::xmm(operand_xmms[0]);
}

Gp OperandRegisters::in_register(const Value& value) {
  if (value.is_in_general_register()) return x86::gpq(value.number);
  if (value.kind == Kind::Local && locals_.is_pinned(value.number) && !locals_.is_pinned_vector(value.number)) {
    locals_.load(value.number);
    return x86::gpq(locals_.register_of(value.number));
  }
  Gp target = allocate();
  values_.load(target, value);
  return target;
}

Gp OperandRegisters::in_own_register(const Value& value) {
  if (stack_.owns(value)) return x86::gpq(value.number);
  Gp target = allocate();
  values_.load(target, value);
  return target;
}

Xmm OperandRegisters::in_xmm(const Value& value) {
  if (value.is_in_vector_register()) return vector_register(value.number);
  if (value.kind == Kind::Local && locals_.is_pinned_vector(value.number)) {
    locals_.load(value.number);
    return vector_register(locals_.register_of(value.number));
  }
  Xmm target = allocate_xmm();
  values_.load(target, value);
  return target;
}

Xmm OperandRegisters::in_own_xmm(const Value& value) {
  bool is_own = value.is_in_vector_register() && !stack_.registers().is_in_slot(value.number);
  if (is_own) return vector_register(value.number);
  Xmm target = allocate_xmm();
  values_.load(target, value);
  return target;
}

asmjit::Operand OperandRegisters::as_operand(const Value& value, u32 bytes) {
  if (values_.is_in_memory(value)) return values_.memory_of(value, bytes);
  if (value.is_int_constant()) return imm(static_cast<i32>(value.bits));
  return sized(in_register(value), bytes == 8);
}

asmjit::Operand OperandRegisters::as_xmm_operand(const Value& value, u32 bytes) {
  if (values_.is_in_memory(value)) return values_.memory_of(value, bytes);
  return in_xmm(value);
}

void OperandRegisters::load_from_stack_slot(Value& value) {
  if (value.kind != Kind::Spilled) return;
  Gp loaded = allocate();
  values_.load(loaded, value);
  value.kind = Kind::Register;
  value.number = number_of(loaded);
}

void OperandRegisters::load_in_place(u32 from_top) {
  Value& value = stack_.peek(from_top);
  if (value.kind != Kind::Spilled) return;
  load_from_stack_slot(value);
  stack_.registers().push(value.number);
}

}  // namespace keyhole::baseline
