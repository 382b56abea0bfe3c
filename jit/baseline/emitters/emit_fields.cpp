// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Emits accesses to fields, and accesses of Unsafe.
#include "jit/baseline/emitters/emit_fields.h"

#include "vm/interpreter/intrinsics.h"

namespace keyhole::baseline {

using Kind = Value::Kind;
using namespace interpreter;

FieldEmitter::Access FieldEmitter::access_of(Operation operation, u64 word) {
  bool is_static = row(operation).category == Category::static_field;
  return {.type = row(operation).type,
          .is_volatile = has(operation, effect::ordered),
          .is_static = is_static,
          .is_put = has(operation, effect::writes),
          .offset = is_static ? static_cast<i32>(operand_a(word)) : operand_b(word),
          .holder = is_static ? metadata_at<const Klass>(operand_b(word)) : nullptr};
}

void FieldEmitter::load_mirror(Gp target, const Klass* klass) {
  a_.load_address(target, &klass->mirror);
  a_.mov(target, x86::qword_ptr(target));
}

// --- loads -----------------------------------------------------------------------------------------------------------

// Whether the field is a float or a double, so that its value is in a vector register.
bool FieldEmitter::is_floating() const {
  char type = instructions().descriptor(instruction())[0];
  return type == 'F' || type == 'D';
}

void FieldEmitter::get(const Access& access) {
  u32 operands = access.is_static ? 0 : 1;
  registers_.reserve(operands, 2);
  bool floating = (access.type == 'I' || access.type == 'J') && is_floating();
  if (floating) registers_.reserve_xmm(operands, 1);
  Gp holder = x86::rcx;
  if (access.is_static) {
    load_mirror(holder, access.holder);
  } else {
    Value object = stack_.pop();
    holder = registers_.in_register(object);
    null_checks_.check_access(object, holder, static_cast<u32>(access.offset));
  }
  Mem from = x86::ptr(holder, access.offset);
  if (floating) load_floating(access.type, from);
  else load(access.type, from);
}

void FieldEmitter::load_floating(char type, const Mem& from) {
  Xmm target = registers_.allocate_xmm();
  if (type == 'J') {
    a_.movsd(target, from);
    stack_.push_unused();
  } else {
    a_.movss(target, from);
  }
  stack_.push_register(target);
}

void FieldEmitter::load(char type, Mem from) {
  Gp target = registers_.allocate();
  switch (type) {
    case 'B':
      from.setSize(1);
      a_.movsx(target.r32(), from);
      break;
    case 'C':
      from.setSize(2);
      a_.movzx(target.r32(), from);
      break;
    case 'S':
      from.setSize(2);
      a_.movsx(target.r32(), from);
      break;
    case 'I':
      from.setSize(4);
      a_.mov(target.r32(), from);
      break;
    case 'J':
      from.setSize(8);
      a_.mov(target, from);
      stack_.push_unused();
      return stack_.push_register(target);
    default:
      from.setSize(4);
      a_.mov(target.r32(), from);
      a_.shl(target, imm(narrow_shift));
      return stack_.push_register(target);
  }
  stack_.push_int(target);
}

// --- stores ----------------------------------------------------------------------------------------------------------

Value FieldEmitter::in_some_register(const Value& value) {
  if (value.is_int_constant()) return value;
  if (values_.is_in_vector(value)) return {Kind::Register, number_of(registers_.in_xmm(value))};
  return {Kind::Register, number_of(registers_.in_register(value))};
}

void FieldEmitter::put(const Access& access) {
  u32 slots = access.type == 'J' ? 2 : 1;
  registers_.reserve(slots + (access.is_static ? 0 : 1), 2);
  Value value = stack_.pop(slots == 2);
  Gp holder = x86::rcx;
  if (access.is_static) {
    value = in_some_register(value);
    load_mirror(holder, access.holder);
  } else {
    Value object = stack_.pop();
    holder = registers_.in_register(object);
    value = in_some_register(value);
    bool is_reference = access.type == 'A';
    bool store_is_next = value.is_constant() ? !is_reference || value.bits == 0 : !is_reference && access.type != 'Z';
    if (store_is_next) null_checks_.check_access(object, holder, static_cast<u32>(access.offset));
    else null_checks_.check_fallback(object, holder);
  }
  Mem to = x86::ptr(holder, access.offset);
  if (access.type == 'A') store_reference(to, value);
  else store(access.type, to, value);
  if (access.is_volatile) a_.lock().or_(x86::dword_ptr(x86::rsp), imm(0));
}

// Stores `value`, which is an int constant or is already in a register.
void FieldEmitter::store(char type, Mem to, const Value& value) {
  u32 bytes = type == 'B' || type == 'Z' ? 1 : type == 'S' ? 2 : type == 'I' ? 4 : 8;
  to.setSize(bytes);
  if (value.is_constant()) {
    i64 bits = type == 'Z' ? value.bits & 1 : value.bits;
    i64 immediate = bytes == 1 ? static_cast<i8>(bits) : bytes == 2 ? static_cast<i16>(bits) : bits;
    a_.mov(to, imm(immediate));
    return;
  }
  if (is_vector(value.number)) {
    if (bytes == 8) a_.movsd(to, vector_register(value.number));
    else a_.movss(to, vector_register(value.number));
    return;
  }
  Gp source = x86::gpq(value.number);
  if (type == 'Z') {
    a_.mov(x86::eax, source.r32());
    a_.and_(x86::eax, imm(1));
    source = x86::rax;
  }
  if (bytes == 1) a_.mov(to, source.r8());
  else if (bytes == 2) a_.mov(to, source.r16());
  else if (bytes == 4) a_.mov(to, source.r32());
  else a_.mov(to, source);
}

// --- jdk.internal.misc.Unsafe: operands are the Unsafe, the object or null, the offset, a value ----------------------

// Pops all operands except the value, and loads the address of the access. If the address is not mapped, the access
// ends the VM, like the native method.
void FieldEmitter::load_raw_address(Gp target) {
  Value offset = stack_.pop_wide(), object = stack_.pop(), unsafe = stack_.pop();
  if (!unsafe.not_null) null_checks_.check_side_exit(unsafe, registers_.in_register(unsafe));
  a_.emit(Inst::kIdMov, target, registers_.as_operand(object, 8));
  a_.emit(Inst::kIdAdd, target, registers_.as_operand(offset, 8));
}

void FieldEmitter::get_raw(char type) {
  registers_.reserve(4, 3);
  load_raw_address(x86::rax);
  load(type, x86::ptr(x86::rax));
}

void FieldEmitter::put_raw(char type) {
  u32 slots = type == 'J' ? 2 : 1;
  registers_.reserve(4 + slots, 3);
  Value value = stack_.pop(slots == 2);
  if (!value.is_int_constant()) value = {.kind = Kind::Register, .number = number_of(registers_.in_register(value))};
  load_raw_address(x86::rax);
  store(type, x86::ptr(x86::rax), value);
}

bool FieldEmitter::emit_unsafe(const Method* target) {
  switch (intrinsic_of(target)) {
    case Intrinsic::get_byte: return get_raw('B'), true;
    case Intrinsic::get_short: return get_raw('S'), true;
    case Intrinsic::get_char: return get_raw('C'), true;
    case Intrinsic::get_int: return get_raw('I'), true;
    case Intrinsic::get_long: return get_raw('J'), true;
    case Intrinsic::get_reference:
    case Intrinsic::get_reference_volatile: return get_raw('A'), true;
    case Intrinsic::put_byte: return put_raw('B'), true;
    case Intrinsic::put_short:
    case Intrinsic::put_char: return put_raw('S'), true;
    case Intrinsic::put_int: return put_raw('I'), true;
    case Intrinsic::put_long: return put_raw('J'), true;
    default: return false;
  }
}

void FieldEmitter::emit(Operation operation, u64 word) {
  // With these operations the field is unresolved, or its offset does not fit into the bytecode.
  if (row(operation).type == '*') return interpret(operation);
  Access access = access_of(operation, word);
  if (access.is_put) put(access);
  else get(access);
}

}  // namespace keyhole::baseline
