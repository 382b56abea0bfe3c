// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Fields and headers. The holder of a static is the mirror of its class, which moves: its address is loaded from the klass.
#include "gc/barrier.h"
#include "jit/code/code_cache.h"
#include "jit/baseline/method_compiler.h"
#include "vm/link/constant_pool.h"

namespace keyhole::baseline {

using Kind = Value::Kind;
using namespace interpreter;

void MethodCompiler::load_klass_id(Gp target, Gp object) {
  if constexpr (layout::klass_is_in_word) {
    a_.mov(header_part(target), header_of(object));
    a_.shr(header_part(target), imm(layout::klass_shift));
  } else {
    a_.mov(target.r32(), x86::dword_ptr(object, static_cast<i32>(layout::header_bytes) - 4));
  }
}

void MethodCompiler::load_klass(Gp target, Gp object, Gp scratch) {
  load_klass_id(scratch, object);
  load_klass_of_id(target, scratch);
}

void MethodCompiler::load_klass_of_id(Gp target, Gp id) {
  a_.mov(target, imm(address_space::klass_table_base));
  a_.mov(target, x86::qword_ptr(target, id, 3));
}

void MethodCompiler::write_header(Gp object, u32 klass_id) {
  u64 word = layout::prototype_word(klass_id);
  if (word <= INT32_MAX || sizeof(layout::Word) == 4) {
    a_.mov(header_of(object), imm(static_cast<i32>(word)));
  } else {
    a_.mov(x86::rdx, imm(word));
    a_.mov(header_of(object), x86::rdx);
  }
  if constexpr (!layout::klass_is_in_word) a_.mov(x86::dword_ptr(object, static_cast<i32>(layout::header_bytes) - 4), imm(klass_id));
}

// Scratch: rax, rdx. `to` may use rcx.
void MethodCompiler::store_reference(Mem to, const Value& value) {
  to.setSize(4);
  if (value.is_constant() && value.bits == 0) {
    a_.mov(to, imm(0));
  } else {
    load_to(x86::rax, value);
    a_.shr(x86::rax, imm(narrow_shift));
    a_.mov(to, x86::eax);
  }
  if (barrier::kind == barrier::Kind::CardMark) {   // gc/barrier.h, B2
    to.setSize(8);
    a_.lea(x86::rdx, to);
    a_.shr(x86::rdx, imm(barrier::card_shift));
    Mem card = x86::byte_ptr(x86::rdx, static_cast<i32>(barrier::card_bias));
    Label marked = a_.newLabel();
    a_.cmp(card, imm(barrier::dirty_card));
    a_.je(marked);
    a_.mov(card, imm(barrier::dirty_card));
    a_.bind(marked);
  }
}

// Of float or double: such a value goes to a vector register.
bool MethodCompiler::field_is_floating() const {
  char type = method_->constants->ref_descriptor(bytecode::constant_index(method_->code, bci(cell_)))->text()[0];
  return type == 'F' || type == 'D';
}

void MethodCompiler::load_field(char type, Mem from, bool floating) {
  if (floating) {
    Xmm target = allocate_xmm();
    if (type == 'J') {
      a_.movsd(target, from);
      push_unused();
    } else {
      a_.movss(target, from);
    }
    return push_register(target);
  }
  Gp target = allocate();
  switch (type) {
    case 'B': from.setSize(1); a_.movsx(target.r32(), from); break;
    case 'C': from.setSize(2); a_.movzx(target.r32(), from); break;
    case 'S': from.setSize(2); a_.movsx(target.r32(), from); break;
    case 'I': from.setSize(4); a_.mov(target.r32(), from); break;
    case 'J':
      from.setSize(8);
      a_.mov(target, from);
      push_unused();
      return push_register(target);
    default:
      from.setSize(4);
      a_.mov(target.r32(), from);
      a_.shl(target, imm(narrow_shift));
      return push_register(target);
  }
  push_int(target);
}

// `value` is an int constant, or in a register already.
void MethodCompiler::store_field(char type, Mem to, const Value& value) {
  u32 bytes = type == 'B' || type == 'Z' ? 1 : type == 'S' ? 2 : type == 'I' ? 4 : 8;
  to.setSize(bytes);
  if (value.is_constant()) {
    i64 bits = type == 'Z' ? value.bits & 1 : value.bits;
    i64 immediate = bytes == 1 ? static_cast<i8>(bits) : bytes == 2 ? static_cast<i16>(bits) : bits;
    a_.mov(to, imm(immediate));
    return;
  }
  if (value.number >= xmm_base) {
    if (bytes == 8) a_.movsd(to, x86::xmm(value.number - xmm_base));
    else a_.movss(to, x86::xmm(value.number - xmm_base));
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

namespace {

struct FieldAccess {
  char type;
  bool is_volatile, is_static, is_put;
};

constexpr FieldAccess access_of(Operation operation) {
  bool is_static = row(operation).category == Category::static_field;
  return {row(operation).type, has(operation, effect::ordered), is_static, has(operation, effect::writes)};
}

}  // namespace

void MethodCompiler::emit_field(Operation operation, u64 word) {
  // Not resolved, or its offset does not fit into the cell.
  if (row(operation).type == '*') return run_in_interpreter(operation, word);
  FieldAccess access = access_of(operation);
  u32 slots = access.type == 'J' ? 2 : 1;
  i32 offset = access.is_static ? static_cast<i32>(operand_a(word)) : operand_b(word);
  auto mirror = [&](Gp target) {
    load_address(target, &metadata_at<const Klass>(operand_b(word))->mirror);
    a_.mov(target, x86::qword_ptr(target));
  };
  if (!access.is_put) {
    reserve(access.is_static ? 0 : 1, 2);
    bool floating = (access.type == 'I' || access.type == 'J') && field_is_floating();
    if (floating) reserve_xmm(access.is_static ? 0 : 1, 1);
    if (access.is_static) {
      mirror(x86::rcx);
      load_field(access.type, x86::ptr(x86::rcx, offset), floating);
    } else {
      Value value = pop();
      Gp holder = in_register(value);
      check_null(value, holder, static_cast<u32>(offset));
      load_field(access.type, x86::ptr(holder, offset), floating);
    }
    return;
  }
  reserve(slots + (access.is_static ? 0 : 1), 2);
  Value value = slots == 2 ? pop_wide() : pop();
  auto load_value = [&] {
    if (value.is_int_constant()) return;
    bool in_vector = (value.kind == Kind::Register && value.number >= xmm_base) ||
                     (value.kind == Kind::Local && pin_[value.number] >= static_cast<i32>(xmm_base));
    value = {Kind::Register, in_vector ? xmm_base + in_xmm(value, slots == 2).id() : in_register(value).id()};
  };
  Gp holder = x86::rcx;
  if (!access.is_static) {
    Value object = pop();
    holder = in_register(object);
    load_value();
    bool is_reference = access.type == 'A';
    bool store_is_next = value.is_constant() ? !is_reference || value.bits == 0 : !is_reference && access.type != 'Z';
    if (store_is_next) {
      check_null(object, holder, static_cast<u32>(offset));
    } else if (!object.not_null) {
      a_.test(holder, holder);
      a_.jz(slow());
    }
  } else {
    load_value();
    mirror(holder);
  }
  Mem to = x86::ptr(holder, offset);
  if (access.type == 'A') store_reference(to, value);
  else store_field(access.type, to, value);
  if (access.is_volatile) a_.lock().or_(x86::dword_ptr(x86::rsp), imm(0));
}

}  // namespace keyhole::baseline
