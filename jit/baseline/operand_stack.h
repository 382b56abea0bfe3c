// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Operand stack: the operand stack at compile time, a list of Values. Within a block a value is in a register or in
// memory, or it is a constant, or a local that is not loaded yet. At block boundaries, at calls, and at bytecodes that
// the interpreter runs, all values are in their stack slots (flush).
//
// A slow path stores the operands as they were before the bytecode. before() returns these operands.
#pragma once

#include "jit/baseline/register_allocator.h"
#include "jit/baseline/value_mover.h"

namespace keyhole::baseline {

class OperandStack {
 public:
  explicit OperandStack(ValueMover& values) : values_(values) {}

  u32 depth() const { return static_cast<u32>(stack_.size()); }
  const std::vector<Value>& values() const { return stack_; }
  Value& peek(u32 from_top = 0) { return stack_[stack_.size() - 1 - from_top]; }

  void push(Value value);
  void push_register(Gp value) { push({Value::Kind::Register, number_of(value)}); }
  void push_register(Xmm value) { push({Value::Kind::Register, number_of(value)}); }
  void push_int(Gp value) { push({.kind = Value::Kind::Register, .number = number_of(value), .zero_extended = true}); }
  // Pushes a reference. `klass` is the class of a new object; 0: not known.
  void push_new(Gp value, u32 klass);
  void push_constant(i64 bits) { push({.kind = Value::Kind::Constant, .bits = bits}); }
  void push_int_constant(i32 bits) { push({.kind = Value::Kind::Constant, .bits = bits, .zero_extended = true}); }
  void push_unused() { push({Value::Kind::Unused}); }
  void push_stack_slots(u32 count);
  Value pop();
  Value pop_wide();  // pops the value and the unused slot below it
  Value pop(bool is_wide) { return is_wide ? pop_wide() : pop(); }
  void drop(u32 count);

  // --- memory --------------------------------------------------------------------------------------------------------
  void flush();
  void spill(u32 slot);
  // Loads all operands that stand for the local and are not loaded yet. Called before the local changes.
  void spill_aliases_of(u32 local);
  void reset(u32 depth);  // all operands are already in their stack slots

  // --- the bytecode ------------------------------------------------------------------------------------------------
  void begin_instruction();
  void keep_before();
  const std::vector<Value>& before() const { return before_; }
  // Until end_inlining(), before() returns the stack at this point: a slow path in the callee executes the whole call,
  // so it needs the call's arguments.
  void begin_inlining() { inlined_from_ = depth(); }
  void end_inlining() { inlined_from_.reset(); }

  // Whether the popped value is in a general register that no operand on the stack shares.
  bool owns(const Value& value) const { return value.is_in_general_register() && !registers_.is_in_slot(value.number); }
  RegisterAllocator& registers() { return registers_; }

 private:
  ValueMover& values_;
  RegisterAllocator registers_;
  std::vector<Value> stack_, before_;
  std::optional<u32> inlined_from_;
};

}  // namespace keyhole::baseline
