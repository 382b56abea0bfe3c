// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Array elements: null and index checks, then the access. What fails a check is repeated by the interpreter, which raises.
#include "gc/barrier.h"
#include "jit/baseline/method_compiler.h"
#include "vm/link/array_klasses.h"

namespace keyhole::baseline {

using Kind = Value::Kind;
using namespace interpreter;

// The element, when the array is not null and the index within it (a negative one is a large one). May use rcx. An index whose upper half is undefined
// is extended on its way.
Mem MethodCompiler::checked_element(const Value& array_value, Gp array, const Value& index, u32 shift) {
  Mem length = x86::dword_ptr(array, layout::array_length_offset);
  constexpr i64 largest_constant = 1 << 20;
  if (index.is_constant() && index.bits >= 0 && index.bits < largest_constant) {
    implicit_null_check(array_value);
    a_.cmp(length, imm(index.bits));
    a_.jbe(slow());
    return x86::ptr(array, static_cast<i32>(layout::array_base_offset(shift) + (static_cast<u32>(index.bits) << shift)), 1u << shift);
  }
  Gp offset = x86::rcx;
  bool in_place = index.zero_extended && (index.kind == Kind::Register || (index.kind == Kind::Local && pin_[index.number] >= 0));
  if (in_place) {
    offset = in_register(index);
  } else if (index.is_constant()) {
    load_constant(offset, static_cast<u32>(index.bits));
  } else {
    a_.emit(Inst::kIdMov, offset.r32(), as_operand(index, 4));
  }
  implicit_null_check(array_value);
  a_.cmp(offset.r32(), length);
  a_.jae(slow());
  return x86::ptr(array, offset.r64(), shift, static_cast<i32>(layout::array_base_offset(shift)), 1u << shift);
}

void MethodCompiler::array_load(u32 shift, Operation operation) {
  reserve(2, 2);
  bool floating = opcode(cell_) == FALOAD || opcode(cell_) == DALOAD;
  if (floating) reserve_xmm(2, 1);
  Value index = pop(), array_value = pop();
  Gp array = in_register(array_value);
  Mem from = checked_element(array_value, array, index, shift);
  if (floating) {
    Xmm target = allocate_xmm();
    if (operation == Operation::laload) {
      a_.movsd(target, from);
      push_unused();
    } else {
      a_.movss(target, from);
    }
    return push_register(target);
  }
  bool own = array_value.kind == Kind::Register && array_value.number < xmm_base && uses_[array_value.number] == 0;
  Gp target = own ? array : allocate();
  switch (operation) {
    case Operation::baload: a_.movsx(target.r32(), from); break;
    case Operation::caload: a_.movzx(target.r32(), from); break;
    case Operation::saload: a_.movsx(target.r32(), from); break;
    case Operation::laload:
      a_.mov(target, from);
      push_unused();
      return push_register(target);
    case Operation::aaload:
      a_.mov(target.r32(), from);
      a_.shl(target, imm(narrow_shift));
      return push_register(target);
    default: a_.mov(target.r32(), from); break;
  }
  push_int(target);
}

void MethodCompiler::store_low_byte(const Mem& to, Gp array, Label store) {
  load_klass_id(x86::rdx, array);
  a_.cmp(x86::edx, imm(boolean_array_klass_id));
  a_.jne(store);
  a_.and_(x86::eax, imm(1));
  a_.bind(store);
  a_.mov(to, x86::al);
}

void MethodCompiler::array_store(u32 shift, Operation operation) {
  bool wide = operation == Operation::lastore;
  reserve(wide ? 4 : 3, 3);
  Value value = wide ? pop_wide() : pop();
  Value index = pop(), array_value = pop();
  Gp array = in_register(array_value);
  if (value.is_int_constant()) {
    Mem to = checked_element(array_value, array, index, shift);
    i64 bits = value.bits;
    if (operation == Operation::bastore) {
      // What is neither 0 nor 1 depends on the array.
      if (bits != 0 && bits != 1) {
        Label store = a_.newLabel();
        a_.mov(x86::eax, imm(static_cast<i32>(bits)));
        store_low_byte(to, array, store);
        return;
      }
      bits = static_cast<i8>(bits);
    } else if (operation == Operation::castore) {
      bits = static_cast<i16>(bits);
    }
    a_.mov(to, imm(bits));
    return;
  }
  bool in_vector = (value.kind == Kind::Register && value.number >= xmm_base) ||
                   (value.kind == Kind::Local && pin_[value.number] >= static_cast<i32>(xmm_base));
  if (in_vector) {
    Xmm stored = in_xmm(value, wide);
    Mem to = checked_element(array_value, array, index, shift);
    if (wide) a_.movsd(to, stored);
    else a_.movss(to, stored);
    return;
  }
  Gp stored = in_register(value);
  Mem to = checked_element(array_value, array, index, shift);
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

// The element type is checked as in the interpreter: exactly it, or a class below it; all else goes slow.
void MethodCompiler::aastore() {
  reserve(3, 4);
  Value value = pop(), index_value = pop(), array_value = pop();
  Gp array = in_register(array_value), stored = in_register(value);
  if (TypeProfile* profile = profile_at<TypeProfile>(cell_)) {   // here, because the index may be in rcx later
    Label counted = a_.newLabel();
    count_operand(profile, stored, counted);
    a_.bind(counted);
  }
  Mem to = checked_element(array_value, array, index_value, 2);
  if (!(value.is_constant() && value.bits == 0)) {
    Label store = a_.newLabel();
    a_.test(stored, stored);
    a_.jz(store);
    Gp component = allocate();   // rcx may hold the index
    load_klass(component, array, x86::rax);
    a_.mov(component, x86::qword_ptr(component, offsetof(ArrayKlass, component)));
    load_klass(x86::rdx, stored, x86::rax);
    a_.cmp(x86::rdx, component);
    a_.je(store);
    a_.movzx(x86::eax, x86::word_ptr(component, offsetof(Klass, depth)));
    a_.cmp(x86::eax, imm(Klass::display_depth));
    a_.jae(slow());
    a_.cmp(x86::qword_ptr(x86::rdx, x86::rax, 3, offsetof(Klass, supers)), component);
    a_.jne(slow());
    a_.bind(store);
  }
  store_reference(to, value.kind == Kind::Constant ? value : Value{Kind::Register, stored.id()});
}

namespace {
// What this file emits: a switch that leaves one out does not compile.
enum class Emitted : u16 {
#define EMITTED_array(name) EMITTED(name)
#include "jit/baseline/emitted_operations.inc"
};
}  // namespace

void MethodCompiler::emit_array(interpreter::Operation operation, u64) {
  using Operation = Emitted;
  switch (static_cast<Emitted>(operation)) {
    case Operation::iaload: case Operation::aaload: return array_load(2, operation);
    case Operation::laload: return array_load(3, operation);
    case Operation::baload: return array_load(0, operation);
    case Operation::caload: case Operation::saload: return array_load(1, operation);
    case Operation::iastore: return array_store(2, operation);
    case Operation::lastore: return array_store(3, operation);
    case Operation::bastore: return array_store(0, operation);
    case Operation::castore: return array_store(1, operation);
    case Operation::aastore: return aastore();
    case Operation::arraylength: {
      reserve(1, 2);
      Value value = pop();
      Gp array = in_register(value);
      Gp target = value.kind == Kind::Register && uses_[value.number] == 0 ? array : allocate();
      implicit_null_check(value);
      a_.mov(target.r32(), x86::dword_ptr(array, layout::array_length_offset));
      return push_int(target);
    }
  }
}

}  // namespace keyhole::baseline
