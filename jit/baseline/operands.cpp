// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The operand stack at compile time, and the registers under it.
#include "jit/baseline/method_compiler.h"

#include <algorithm>

namespace keyhole::baseline {

using Kind = Value::Kind;

// --- stack -------------------------------------------------------------------------------------------------------------------

void MethodCompiler::push(Value value) {
  value.slot = depth();
  if (value.kind == Kind::Register) ++uses_[value.number];
  stack_.push_back(value);
}

Value MethodCompiler::pop() {
  KEYHOLE_CHECK(!stack_.empty(), "operand stack of {} at bci {} is empty", method_->external_name(), bci(cell_));
  Value value = stack_.back();
  stack_.pop_back();
  if (value.kind == Kind::Register) {
    --uses_[value.number];
    busy_ |= 1u << value.number;
  }
  return value;
}

Value MethodCompiler::pop_wide() {
  Value value = pop();
  pop();
  return value;
}

void MethodCompiler::set_depth(u32 depth) {
  stack_.clear();
  for (u8& uses : uses_) uses = 0;
  for (u32 slot = 0; slot < depth; ++slot) push_home();
}

// --- registers ---------------------------------------------------------------------------------------------------------------

namespace {
bool is_vector(u32 number) { return number >= xmm_base; }
}  // namespace

void MethodCompiler::reserve(u32 operands, u32 count) {
  while (true) {
    u32 free = 0;
    for (u8 number : operand_registers) free += uses_[number] == 0;
    if (free >= count) break;
    // The deepest one that is not an operand of this cell.
    u32 top = depth() - std::min(operands, depth());
    u32 needed = 0;
    for (u32 slot = top; slot < depth(); ++slot) {
      if (stack_[slot].kind == Kind::Register) needed |= 1u << stack_[slot].number;
    }
    u32 victim = ~0u;
    for (u32 slot = 0; slot < top && victim == ~0u; ++slot) {
      const Value& value = stack_[slot];
      if (value.kind == Kind::Register && !is_vector(value.number) && (needed & (1u << value.number)) == 0) victim = value.number;
    }
    if (victim == ~0u) break;   // allocate() finds out
    for (u32 slot = 0; slot < top; ++slot) {
      Value& value = stack_[slot];
      if (value.kind != Kind::Register || value.number != victim) continue;
      store_home(slot, value);
      --uses_[victim];
      value = at_home(value);
    }
  }
  remember_before();
}

void MethodCompiler::reserve_xmm(u32 operands, u32 count) {
  u32 free = 0;
  for (u8 number : operand_xmms) free += uses_[xmm_base + number] == 0;
  if (free < count) {
    for (u32 slot = 0; slot + operands < depth(); ++slot) {
      Value& value = stack_[slot];
      if (value.kind != Kind::Register || !is_vector(value.number)) continue;
      store_home(slot, value);
      --uses_[value.number];
      value = at_home(value);
    }
  }
  remember_before();
}

Gp MethodCompiler::allocate() {
  for (u8 number : operand_registers) {
    if (uses_[number] != 0 || (busy_ & (1u << number)) != 0) continue;
    busy_ |= 1u << number;
    return x86::gpq(number);
  }
  failed_ = true;
  return x86::gpq(operand_registers[0]);
}

Xmm MethodCompiler::allocate_xmm() {
  for (u8 number : operand_xmms) {
    u32 index = xmm_base + number;
    if (uses_[index] != 0 || (busy_ & (1u << index)) != 0) continue;
    busy_ |= 1u << index;
    return x86::xmm(number);
  }
  failed_ = true;
  return x86::xmm(operand_xmms[0]);
}

void MethodCompiler::load_constant(Gp target, u64 bits) {
  if (bits == 0) a_.xor_(target.r32(), target.r32());
  else if (bits <= 0xFFFF'FFFF) a_.mov(target.r32(), imm(static_cast<u32>(bits)));
  else a_.mov(target.r64(), imm(bits));
}

void MethodCompiler::load_to(Gp target, const Value& value) {
  switch (value.kind) {
    case Kind::Register:
      if (is_vector(value.number)) a_.movq(target, x86::xmm(value.number - xmm_base));
      else if (value.number != target.id()) a_.mov(target, x86::gpq(value.number));
      break;
    case Kind::Constant: load_constant(target, value.zero_extended ? static_cast<u32>(value.bits) : static_cast<u64>(value.bits)); break;
    case Kind::Local:
      if (pin_[value.number] >= 0) {
        load_pinned(value.number);
        if (is_vector(static_cast<u32>(pin_[value.number]))) a_.movq(target, x86::xmm(static_cast<u32>(pin_[value.number]) - xmm_base));
        else a_.mov(target, x86::gpq(static_cast<u32>(pin_[value.number])));
      } else if (value.zero_extended) {
        a_.mov(target.r32(), x86::dword_ptr(locals_register, static_cast<i32>(value.number * sizeof(Slot))));
      } else {
        a_.mov(target, local_home(value.number));
      }
      break;
    default: a_.mov(target, home(value.slot)); break;
  }
}

void MethodCompiler::load_to(Xmm target, const Value& value) {
  switch (value.kind) {
    case Kind::Register:
      if (!is_vector(value.number)) a_.movq(target, x86::gpq(value.number));
      else if (value.number - xmm_base != target.id()) a_.movaps(target, x86::xmm(value.number - xmm_base));
      break;
    case Kind::Constant:
      if (value.bits == 0) {
        a_.xorps(target, target);
      } else {
        load_constant(x86::rax, static_cast<u64>(value.bits));
        a_.movq(target, x86::rax);
      }
      break;
    case Kind::Local:
      if (pin_[value.number] >= 0) {
        load_pinned(value.number);
        u32 pin = static_cast<u32>(pin_[value.number]);
        if (is_vector(pin)) a_.movaps(target, x86::xmm(pin - xmm_base));
        else a_.movq(target, x86::gpq(pin));
      } else {
        a_.movq(target, local_home(value.number));
      }
      break;
    default: a_.movq(target, home(value.slot)); break;
  }
}

Gp MethodCompiler::in_register(const Value& value) {
  if (value.kind == Kind::Register && !is_vector(value.number)) return x86::gpq(value.number);
  if (value.kind == Kind::Local && pin_[value.number] >= 0 && !is_vector(static_cast<u32>(pin_[value.number]))) {
    load_pinned(value.number);
    return x86::gpq(static_cast<u32>(pin_[value.number]));
  }
  Gp target = allocate();
  load_to(target, value);
  return target;
}

Gp MethodCompiler::in_own_register(const Value& value) {
  if (value.kind == Kind::Register && !is_vector(value.number) && uses_[value.number] == 0) return x86::gpq(value.number);
  Gp target = allocate();
  load_to(target, value);
  return target;
}

Xmm MethodCompiler::in_xmm(const Value& value, bool) {
  if (value.kind == Kind::Register && is_vector(value.number)) return x86::xmm(value.number - xmm_base);
  if (value.kind == Kind::Local && pin_[value.number] >= 0 && is_vector(static_cast<u32>(pin_[value.number]))) {
    load_pinned(value.number);
    return x86::xmm(static_cast<u32>(pin_[value.number]) - xmm_base);
  }
  Xmm target = allocate_xmm();
  load_to(target, value);
  return target;
}

Xmm MethodCompiler::in_own_xmm(const Value& value, bool) {
  if (value.kind == Kind::Register && is_vector(value.number) && uses_[value.number] == 0) return x86::xmm(value.number - xmm_base);
  Xmm target = allocate_xmm();
  load_to(target, value);
  return target;
}

asmjit::Operand MethodCompiler::as_operand(const Value& value, u32 bytes) {
  if (value.kind == Kind::Home) return x86::ptr(locals_register, home_distance(static_cast<i32>(value.slot)), bytes);
  if (value.kind == Kind::Local && pin_[value.number] < 0) return x86::ptr(locals_register, static_cast<i32>(value.number * sizeof(Slot)), bytes);
  if (value.is_int_constant()) return imm(static_cast<i32>(value.bits));
  Gp source = in_register(value);
  if (bytes == 8) return source.r64();
  return source.r32();
}

asmjit::Operand MethodCompiler::as_xmm_operand(const Value& value, u32 bytes) {
  if (value.kind == Kind::Home) return x86::ptr(locals_register, home_distance(static_cast<i32>(value.slot)), bytes);
  if (value.kind == Kind::Local && pin_[value.number] < 0) return x86::ptr(locals_register, static_cast<i32>(value.number * sizeof(Slot)), bytes);
  return in_xmm(value, bytes == 8);
}

// --- memory --------------------------------------------------------------------------------------------------------------------

void MethodCompiler::store_home(u32 slot, const Value& value) {
  switch (value.kind) {
    case Kind::Home: case Kind::Unused: break;
    case Kind::Register:
      if (is_vector(value.number)) a_.movq(home(slot), x86::xmm(value.number - xmm_base));
      else a_.mov(home(slot), x86::gpq(value.number));
      break;
    case Kind::Constant:
      if (value.is_int_constant()) {
        a_.mov(home(slot), imm(static_cast<i32>(value.bits)));
      } else {
        load_constant(x86::rax, static_cast<u64>(value.bits));
        a_.mov(home(slot), x86::rax);
      }
      break;
    case Kind::Local:
      if (pin_[value.number] >= 0 && (good_ & (u64{1} << position_of(value.number))) != 0) {
        store_home(slot, {Kind::Register, static_cast<u32>(pin_[value.number])});
        break;
      }
      a_.mov(x86::rax, local_home(value.number));
      a_.mov(home(slot), x86::rax);
      break;
  }
}

Value MethodCompiler::at_home(Value value) const {
  return {.kind = Kind::Home, .slot = value.slot, .not_null = value.not_null, .exact_class = value.exact_class};
}

void MethodCompiler::flush() {
  flush_values(stack_);
  for (u32 slot = 0; slot < depth(); ++slot) {
    stack_[slot] = at_home(stack_[slot]);
    // A slow path behind this need not store it again; the registers may be used for something else.
    if (slot < before_.size()) before_[slot] = stack_[slot];
  }
  for (u8& uses : uses_) uses = 0;
}

void MethodCompiler::flush_values(const std::vector<Value>& values) {
  for (u32 slot = 0; slot < values.size(); ++slot) store_home(slot, values[slot]);
}

// The local is about to change: operands that stand for it get its value now.
void MethodCompiler::spill_aliases_of(u32 local) {
  for (u32 slot = 0; slot < depth(); ++slot) {
    Value& value = stack_[slot];
    if (value.kind != Kind::Local || value.number != local) continue;
    store_home(slot, value);
    value = at_home(value);
  }
}

// --- pinned locals ---------------------------------------------------------------------------------------------------------------

u32 MethodCompiler::position_of(u32 local) const {
  return static_cast<u32>(std::find(pinned_.begin(), pinned_.end(), local) - pinned_.begin());
}

void MethodCompiler::load_pinned(u32 local) {
  u32 position = position_of(local);
  if ((good_ & (u64{1} << position)) != 0) return;
  u32 pin = static_cast<u32>(pin_[local]);
  if (is_vector(pin)) a_.movq(x86::xmm(pin - xmm_base), local_home(local));
  else if (pinned_int_[local]) a_.mov(x86::gpd(pin), x86::dword_ptr(locals_register, static_cast<i32>(local * sizeof(Slot))));
  else a_.mov(x86::gpq(pin), local_home(local));
  good_ |= u64{1} << position;
}

void MethodCompiler::write_back(u64 positions) {
  for (u32 position = 0; position < pinned_.size(); ++position) {
    if ((positions & (u64{1} << position)) == 0) continue;
    u32 local = pinned_[position], pin = static_cast<u32>(pin_[local]);
    if (is_vector(pin)) a_.movq(local_home(local), x86::xmm(pin - xmm_base));
    else a_.mov(local_home(local), x86::gpq(pin));
  }
  dirty_ &= ~positions;
}

void MethodCompiler::refresh_pinned() {
  for (u32 local : pinned_) load_pinned(local);
}

}  // namespace keyhole::baseline
