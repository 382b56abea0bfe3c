// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Array elements: null and index checks, then the access. What fails a check is repeated by the interpreter, which raises.
#include "gc/barrier.h"
#include "jit/baseline/method_compiler.h"

namespace keyhole::interpreter { extern u32 boolean_array_klass_id; }

namespace keyhole::baseline {

using Kind = Value::Kind;
using namespace interpreter;

// A negative index is a large one.
void MethodCompiler::check_index(Gp array, Gp index) {
  a_.test(array, array);
  a_.jz(slow());
  a_.cmp(index.r32(), x86::dword_ptr(array, layout::array_length_offset));
  a_.jae(slow());
}

// The upper half of an int is undefined: the index is extended on its way.
void MethodCompiler::index_to_rcx(const Value& index) {
  asmjit::Operand operand = as_operand(index, 4);
  if (operand.isImm()) load_constant(x86::rcx, static_cast<u32>(index.bits));
  else a_.emit(Inst::kIdMov, x86::ecx, operand);
}

namespace {
Mem element(Gp array, Gp index, u32 shift) {
  return x86::ptr(array, index, shift, static_cast<i32>(layout::array_base_offset(shift)), 1u << shift);
}
}  // namespace

void MethodCompiler::array_load(u32 shift, Operation operation) {
  reserve(2, 2);
  Value index_value = pop(), array_value = pop();
  Gp array = in_register(array_value);
  index_to_rcx(index_value);
  check_index(array, x86::rcx);
  bool own = array_value.kind == Kind::Register && array_value.number < xmm_base && uses_[array_value.number] == 0;
  Gp target = own ? array : allocate();
  Mem from = element(array, x86::rcx, shift);
  switch (operation) {
    case Operation::baload: a_.movsx(target.r32(), from); break;
    case Operation::caload: a_.movzx(target.r32(), from); break;
    case Operation::saload: a_.movsx(target.r32(), from); break;
    case Operation::laload: a_.mov(target, from); break;
    case Operation::aaload:
      a_.mov(target.r32(), from);
      a_.shl(target, imm(narrow_shift));
      break;
    default: a_.mov(target.r32(), from); break;
  }
  if (operation == Operation::laload) push_unused();
  push_register(target);
}

void MethodCompiler::array_store(u32 shift, Operation operation) {
  bool wide = operation == Operation::lastore;
  reserve(wide ? 4 : 3, 3);
  Value value = wide ? pop_wide() : pop();
  Value index_value = pop(), array_value = pop();
  Gp array = in_register(array_value);
  Gp stored = in_register(value);
  index_to_rcx(index_value);
  check_index(array, x86::rcx);
  Mem to = element(array, x86::rcx, shift);
  switch (operation) {
    case Operation::bastore: {
      // byte[] and boolean[] share the instruction; a boolean keeps only its lowest bit.
      Label store = a_.newLabel();
      a_.mov(x86::eax, stored.r32());
      a_.cmp(x86::eax, imm(1));
      a_.jbe(store);
      load_klass_id(x86::rdx, array);
      a_.cmp(x86::edx, imm(boolean_array_klass_id));
      a_.jne(store);
      a_.and_(x86::eax, imm(1));
      a_.bind(store);
      a_.mov(to, x86::al);
      break;
    }
    case Operation::castore: a_.mov(to, stored.r16()); break;
    case Operation::lastore: a_.mov(to, stored); break;
    default: a_.mov(to, stored.r32()); break;
  }
}

// The element type is checked as in the interpreter: exactly it, or a class below it; all else goes slow.
void MethodCompiler::aastore() {
  reserve(3, 3);
  Value value = pop(), index_value = pop(), array_value = pop();
  Gp array = in_register(array_value), stored = in_register(value), index = in_register(index_value);
  check_index(array, index);
  if (!(value.is_constant() && value.bits == 0)) {
    Label store = a_.newLabel();
    a_.test(stored, stored);
    a_.jz(store);
    load_klass(x86::rcx, array, x86::rax);
    a_.mov(x86::rcx, x86::qword_ptr(x86::rcx, offsetof(ArrayKlass, component)));
    load_klass(x86::rdx, stored, x86::rax);
    a_.cmp(x86::rdx, x86::rcx);
    a_.je(store);
    a_.movzx(x86::eax, x86::word_ptr(x86::rcx, offsetof(Klass, depth)));
    a_.cmp(x86::eax, imm(Klass::display_depth));
    a_.jae(slow());
    a_.cmp(x86::qword_ptr(x86::rdx, x86::rax, 3, offsetof(Klass, supers)), x86::rcx);
    a_.jne(slow());
    a_.bind(store);
  }
  a_.mov(x86::ecx, index.r32());
  store_reference(element(array, x86::rcx, 2), value.kind == Kind::Constant ? value : Value{Kind::Register, stored.id()});
}

bool MethodCompiler::emit_array(Operation operation, u64) {
  switch (operation) {
    case Operation::iaload: case Operation::aaload: return array_load(2, operation), true;
    case Operation::laload: return array_load(3, operation), true;
    case Operation::baload: return array_load(0, operation), true;
    case Operation::caload: case Operation::saload: return array_load(1, operation), true;
    case Operation::iastore: return array_store(2, operation), true;
    case Operation::lastore: return array_store(3, operation), true;
    case Operation::bastore: return array_store(0, operation), true;
    case Operation::castore: return array_store(1, operation), true;
    case Operation::aastore: return aastore(), true;
    case Operation::arraylength: {
      reserve(1, 2);
      Value value = pop();
      Gp array = in_register(value);
      a_.test(array, array);
      a_.jz(slow());
      Gp target = value.kind == Kind::Register && uses_[value.number] == 0 ? array : allocate();
      a_.mov(target.r32(), x86::dword_ptr(array, layout::array_length_offset));
      return push_register(target), true;
    }
    default: return false;
  }
}

}  // namespace keyhole::baseline
