// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tracks the operands at compile time.
#include "jit/baseline/operand_stack.h"

#include "runtime/base/check.h"

namespace keyhole::baseline {

using Kind = Value::Kind;

void OperandStack::push(Value value) {
  value.slot = depth();
  if (value.kind == Kind::Register) registers_.push(value.number);
  stack_.push_back(value);
}

void OperandStack::push_new(Gp value, u32 klass) {
  push({.kind = Kind::Register, .number = number_of(value), .not_null = true, .exact_class = klass});
}

void OperandStack::push_stack_slots(u32 count) {
  for (u32 i = 0; i < count; ++i) push({Kind::Spilled});
}

Value OperandStack::pop() {
  KEYHOLE_CHECK(!stack_.empty(), "the operand stack is empty");
  Value value = stack_.back();
  stack_.pop_back();
  if (value.kind == Kind::Register) registers_.pop(value.number);
  return value;
}

Value OperandStack::pop_wide() {
  Value value = pop();
  pop();
  return value;
}

void OperandStack::drop(u32 count) {
  for (u32 i = 0; i < count; ++i) pop();
}

void OperandStack::flush() {
  values_.store_all(stack_);
  for (u32 slot = 0; slot < depth(); ++slot) {
    stack_[slot] = stack_[slot].in_stack_slot();
    // Notes that the stack slot has the value now. So later slow paths need not store the value, and its register is
    // free.
    if (slot < before_.size()) before_[slot] = stack_[slot];
  }
  registers_.spill_all();
}

void OperandStack::spill(u32 slot) {
  Value& value = stack_[slot];
  values_.store(slot, value);
  if (value.kind == Kind::Register) registers_.spill(value.number);
  value = value.in_stack_slot();
}

void OperandStack::spill_aliases_of(u32 local) {
  for (u32 slot = 0; slot < depth(); ++slot) {
    if (stack_[slot].kind == Kind::Local && stack_[slot].number == local) spill(slot);
  }
}

void OperandStack::reset(u32 depth) {
  stack_.clear();
  registers_.spill_all();
  push_stack_slots(depth);
}

void OperandStack::begin_instruction() {
  registers_.begin_instruction();
  keep_before();
}

void OperandStack::keep_before() { before_.assign(stack_.begin(), stack_.begin() + inlined_from_.value_or(depth())); }

}  // namespace keyhole::baseline
