// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Moves values. Each function has one case for each place in which a value can be.
#include "jit/baseline/value_mover.h"

namespace keyhole::baseline {

using Kind = Value::Kind;

void ValueMover::load(Gp target, const Value& value) {
  switch (value.kind) {
    case Kind::Register:
      if (is_vector(value.number)) a_.movq(target, vector_register(value.number));
      else if (value.number != target.id()) a_.mov(target, x86::gpq(value.number));
      break;
    case Kind::Constant:
      a_.load_constant(target, value.zero_extended ? static_cast<u32>(value.bits) : static_cast<u64>(value.bits));
      break;
    case Kind::Local:
      if (locals_.is_pinned(value.number)) {
        locals_.load(value.number);
        u32 pin = locals_.register_of(value.number);
        if (is_vector(pin)) a_.movq(target, vector_register(pin));
        else a_.mov(target, x86::gpq(pin));
      } else if (value.zero_extended) {
        a_.mov(target.r32(), frame_.local(value.number, 4));
      } else {
        a_.mov(target, frame_.local(value.number));
      }
      break;
    default: a_.mov(target, frame_.stack_slot(value.slot)); break;
  }
}

void ValueMover::load(Xmm target, const Value& value) {
  switch (value.kind) {
    case Kind::Register:
      if (!is_vector(value.number)) a_.movq(target, x86::gpq(value.number));
      else if (value.number != number_of(target)) a_.movaps(target, vector_register(value.number));
      break;
    case Kind::Constant:
      if (value.bits == 0) {
        a_.xorps(target, target);
      } else {
        a_.load_constant(x86::rax, static_cast<u64>(value.bits));
        a_.movq(target, x86::rax);
      }
      break;
    case Kind::Local:
      if (locals_.is_pinned(value.number)) {
        locals_.load(value.number);
        u32 pin = locals_.register_of(value.number);
        if (is_vector(pin)) a_.movaps(target, vector_register(pin));
        else a_.movq(target, x86::gpq(pin));
      } else {
        a_.movq(target, frame_.local(value.number));
      }
      break;
    default: a_.movq(target, frame_.stack_slot(value.slot)); break;
  }
}

void ValueMover::store(u32 slot, const Value& value) {
  switch (value.kind) {
    case Kind::Spilled:
    case Kind::Unused: break;
    case Kind::Register:
      if (is_vector(value.number)) a_.movq(frame_.stack_slot(slot), vector_register(value.number));
      else a_.mov(frame_.stack_slot(slot), x86::gpq(value.number));
      break;
    case Kind::Constant:
      if (value.is_int_constant()) {
        a_.mov(frame_.stack_slot(slot), imm(static_cast<i32>(value.bits)));
      } else {
        a_.load_constant(x86::rax, static_cast<u64>(value.bits));
        a_.mov(frame_.stack_slot(slot), x86::rax);
      }
      break;
    case Kind::Local:
      if (locals_.is_pinned(value.number) && locals_.is_good(value.number)) {
        store(slot, {Kind::Register, locals_.register_of(value.number)});
        break;
      }
      a_.mov(x86::rax, frame_.local(value.number));
      a_.mov(frame_.stack_slot(slot), x86::rax);
      break;
  }
}

void ValueMover::store_all(const std::vector<Value>& values) {
  for (u32 slot = 0; slot < values.size(); ++slot) store(slot, values[slot]);
}

bool ValueMover::is_in_memory(const Value& value) const {
  return value.kind == Kind::Spilled || (value.kind == Kind::Local && !locals_.is_pinned(value.number));
}

Mem ValueMover::memory_of(const Value& value, u32 bytes) const {
  return value.kind == Kind::Spilled ? frame_.stack_slot(value.slot, bytes) : frame_.local(value.number, bytes);
}

bool ValueMover::is_in_vector(const Value& value) const {
  return value.is_in_vector_register() || (value.kind == Kind::Local && locals_.is_pinned_vector(value.number));
}

}  // namespace keyhole::baseline
