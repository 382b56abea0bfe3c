// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Emits accesses to array elements.
#include "jit/baseline/emitters/emit_arrays.h"

#include "vm/link/loading/array_klasses.h"

namespace keyhole::baseline {

using Kind = Value::Kind;
using namespace interpreter;

Mem ArrayEmitter::checked_element(const Value& array_value, Gp array, const Value& index, u32 shift) {
  Mem length = x86::dword_ptr(array, layout::array_length_offset);
  constexpr i64 largest_constant = 1 << 20;
  if (index.is_constant() && index.bits >= 0 && index.bits < largest_constant) {
    null_checks_.implicit_fallback(array_value);
    a_.cmp(length, imm(index.bits));
    a_.jbe(slow_paths_.fallback());
    u32 offset = layout::array_base_offset(shift) + (static_cast<u32>(index.bits) << shift);
    return x86::ptr(array, static_cast<i32>(offset), 1u << shift);
  }
  Gp offset = x86::rcx;
  bool has_register = index.kind == Kind::Register || (index.kind == Kind::Local && locals_.is_pinned(index.number));
  bool in_place = index.zero_extended && has_register;
  if (in_place) {
    offset = registers_.in_register(index);
  } else if (index.is_constant()) {
    a_.load_constant(offset, static_cast<u32>(index.bits));
  } else {
    a_.emit(Inst::kIdMov, offset.r32(), registers_.as_operand(index, 4));
  }
  null_checks_.implicit_fallback(array_value);
  a_.cmp(offset.r32(), length);
  a_.jae(slow_paths_.fallback());
  return x86::ptr(array, offset.r64(), shift, static_cast<i32>(layout::array_base_offset(shift)), 1u << shift);
}

// --- loads -----------------------------------------------------------------------------------------------------------

void ArrayEmitter::load(u32 shift, Operation operation) {
  registers_.reserve(2, 2);
  Opcode opcode = instructions().opcode(instruction());
  bool is_floating = opcode == FALOAD || opcode == DALOAD;
  if (is_floating) registers_.reserve_xmm(2, 1);
  Value index = stack_.pop(), array_value = stack_.pop();
  Gp array = registers_.in_register(array_value);
  Mem from = checked_element(array_value, array, index, shift);
  if (is_floating) load_floating(from, operation == Operation::laload);
  else load_integer(stack_.owns(array_value) ? array : registers_.allocate(), from, operation);
}

void ArrayEmitter::load_floating(const Mem& from, bool is_double) {
  Xmm target = registers_.allocate_xmm();
  if (is_double) {
    a_.movsd(target, from);
    stack_.push_unused();
  } else {
    a_.movss(target, from);
  }
  stack_.push_register(target);
}

void ArrayEmitter::load_integer(Gp target, const Mem& from, Operation operation) {
  switch (operation) {
    case Operation::laload:
      a_.mov(target, from);
      stack_.push_unused();
      return stack_.push_register(target);
    case Operation::aaload:
      a_.mov(target.r32(), from);
      a_.shl(target, imm(narrow_shift));
      return stack_.push_register(target);
    case Operation::baload:
    case Operation::saload: a_.movsx(target.r32(), from); break;
    case Operation::caload: a_.movzx(target.r32(), from); break;
    default: a_.mov(target.r32(), from); break;
  }
  stack_.push_int(target);
}

void ArrayEmitter::length() {
  registers_.reserve(1, 2);
  Value value = stack_.pop();
  Gp array = registers_.in_register(value);
  Gp target = registers_.reuse(value);
  null_checks_.implicit_fallback(value);
  a_.mov(target.r32(), x86::dword_ptr(array, layout::array_length_offset));
  stack_.push_int(target);
}

// --- stores ----------------------------------------------------------------------------------------------------------

void ArrayEmitter::store(u32 shift, Operation operation) {
  bool is_wide = operation == Operation::lastore;
  registers_.reserve(is_wide ? 4 : 3, 3);
  Value value = stack_.pop(is_wide);
  Value index = stack_.pop(), array_value = stack_.pop();
  Gp array = registers_.in_register(array_value);
  if (value.is_int_constant()) {
    Mem to = checked_element(array_value, array, index, shift);
    store_constant(to, array, value.bits, operation);
  } else if (values_.is_in_vector(value)) {
    Xmm stored = registers_.in_xmm(value);
    Mem to = checked_element(array_value, array, index, shift);
    if (is_wide) a_.movsd(to, stored);
    else a_.movss(to, stored);
  } else {
    Gp stored = registers_.in_register(value);
    Mem to = checked_element(array_value, array, index, shift);
    store_integer(to, array, stored, operation);
  }
}

void ArrayEmitter::store_constant(const Mem& to, Gp array, i64 bits, Operation operation) {
  if (operation == Operation::bastore && bits != 0 && bits != 1) {  // a boolean[] stores only the lowest bit
    Label store = a_.newLabel();
    a_.mov(x86::eax, imm(static_cast<i32>(bits)));
    store_low_byte(to, array, store);
    return;
  }
  if (operation == Operation::castore) bits = static_cast<i16>(bits);
  a_.mov(to, imm(bits));
}

void ArrayEmitter::store_integer(const Mem& to, Gp array, Gp stored, Operation operation) {
  switch (operation) {
    case Operation::bastore: {
      Label store = a_.newLabel();
      a_.mov(x86::eax, stored.r32());
      a_.cmp(x86::eax, imm(1));
      a_.jbe(store);
      store_low_byte(to, array, store);
      break;
    }
    case Operation::castore: a_.mov(to, stored.r16()); break;
    case Operation::lastore: a_.mov(to, stored); break;
    default: a_.mov(to, stored.r32()); break;
  }
}

void ArrayEmitter::store_low_byte(const Mem& to, Gp array, Label store) {
  a_.load_klass_id(x86::rdx, array);
  a_.cmp(x86::edx, imm(boolean_array_klass_id));
  a_.jne(store);
  a_.and_(x86::eax, imm(1));
  a_.bind(store);
  a_.mov(to, x86::al);
}

void ArrayEmitter::store_reference_element() {
  registers_.reserve(3, 4);
  Value value = stack_.pop(), index_value = stack_.pop(), array_value = stack_.pop();
  Gp array = registers_.in_register(array_value), stored = registers_.in_register(value);
  // counts before the index may be in rcx, which counting uses
  if (TypeProfile* profile = profile_.of_instruction<TypeProfile>(instruction())) {
    Label counted = a_.newLabel();
    profile_.count_operand(profile, stored, counted);
    a_.bind(counted);
  }
  Mem to = checked_element(array_value, array, index_value, 2);
  if (!value.is_zero()) check_element_type(array, stored);
  store_reference(to, value.kind == Kind::Constant ? value : Value{Kind::Register, number_of(stored)});
}

// Checks the type of the stored element as the interpreter does. Null, the exact element type and its subclasses pass.
// All other types take the slow path.
void ArrayEmitter::check_element_type(Gp array, Gp stored) {
  Label store = a_.newLabel();
  a_.test(stored, stored);
  a_.jz(store);
  Gp component = registers_.allocate();  // a register other than rcx, which may hold the index
  a_.load_klass(component, array, x86::rax);
  a_.mov(component, x86::qword_ptr(component, offsetof(ArrayKlass, component)));
  a_.load_klass(x86::rdx, stored, x86::rax);
  a_.cmp(x86::rdx, component);
  a_.je(store);
  a_.movzx(x86::eax, x86::word_ptr(component, offsetof(Klass, depth)));
  a_.cmp(x86::eax, imm(Klass::display_depth));
  a_.jae(slow_paths_.fallback());
  a_.cmp(x86::qword_ptr(x86::rdx, x86::rax, 3, offsetof(Klass, supers)), component);
  a_.jne(slow_paths_.fallback());
  a_.bind(store);
}

namespace {

// The operations that this file emits. A switch that omits one of them does not compile.
enum class Emitted : u16 {
#define EMITTED_array(name) EMITTED(name)
#include "jit/baseline/emitters/emitted_operations.inc"
};

}  // namespace

void ArrayEmitter::emit(interpreter::Operation operation, u64) {
  using Operation = Emitted;
  switch (static_cast<Emitted>(operation)) {
    case Operation::iaload:
    case Operation::aaload: return load(2, operation);
    case Operation::laload: return load(3, operation);
    case Operation::baload: return load(0, operation);
    case Operation::caload:
    case Operation::saload: return load(1, operation);
    case Operation::iastore: return store(2, operation);
    case Operation::lastore: return store(3, operation);
    case Operation::bastore: return store(0, operation);
    case Operation::castore: return store(1, operation);
    case Operation::aastore: return store_reference_element();
    case Operation::arraylength: return length();
  }
}

}  // namespace keyhole::baseline
