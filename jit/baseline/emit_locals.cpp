// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Constants, locals and stack shuffles.
#include "jit/baseline/method_compiler.h"
#include "vm/link/constant_pool.h"

namespace keyhole::baseline {

using Kind = Value::Kind;
using namespace interpreter;

// `value` has been popped.
void MethodCompiler::store_local(u32 local, const Value& value, bool) {
  spill_aliases_of(local);
  i32 pin = pin_[local];
  if (pin >= 0) {
    u64 position = u64{1} << position_of(local);
    if (static_cast<u32>(pin) >= xmm_base) {
      Xmm target = x86::xmm(static_cast<u32>(pin) - xmm_base);
      load_to(target, value);
    } else {
      Gp target = x86::gpq(static_cast<u32>(pin));
      load_to(target, value);
      if (pinned_int_[local] && !value.zero_extended) a_.mov(target.r32(), target.r32());
    }
    good_ |= position;
    dirty_ |= position;
    return;
  }
  if (value.is_int_constant()) a_.mov(local_home(local), imm(static_cast<i32>(value.bits)));
  else if (value.kind == Kind::Register && value.number >= xmm_base) a_.movq(local_home(local), x86::xmm(value.number - xmm_base));
  else a_.mov(local_home(local), in_register(value));
}

bool MethodCompiler::emit_local(Operation operation, u64 word) {
  u32 a = operand_a(word);
  i32 b = operand_b(word);
  switch (operation) {
    case Operation::nop: return true;
    case Operation::constant: return push_int_constant(b), true;
    case Operation::constant_wide: push_unused(); return push_constant(b), true;
    case Operation::constant_double: push_unused(); return push_constant(__builtin_bit_cast(i64, static_cast<f64>(b))), true;
    case Operation::constant_pool_wide: push_unused(); return push_constant(static_cast<i64>(*metadata_at<const u64>(b))), true;
    case Operation::constant_object: {
      reserve(0, 1);
      Gp target = allocate();
      load_address(target, &method_->constants->resolved_references);
      a_.mov(target, x86::qword_ptr(target));
      a_.mov(target.r32(), x86::dword_ptr(target, static_cast<i32>(Object::element_offset(2, static_cast<u32>(b)))));
      a_.shl(target, narrow_shift);
      return push_register(target), true;
    }
    case Operation::constant_mirror: {
      reserve(0, 1);
      Gp target = allocate();
      load_address(target, &metadata_at<const Klass>(b)->mirror);
      a_.mov(target, x86::qword_ptr(target));
      return push_register(target), true;
    }
    case Operation::load: {
      Opcode opcode = this->opcode(cell_);
      bool is_int = opcode == ILOAD || (opcode >= ILOAD_0 && opcode <= ILOAD_3);
      push({.kind = Kind::Local, .number = a, .zero_extended = is_int && (pin_[a] < 0 || pinned_int_[a]), .not_null = a == 0 && this_is_constant_});
      return true;
    }
    case Operation::load_wide: push_unused(); return push({Kind::Local, a + 1}), true;
    case Operation::store:
      reserve(1, 1);
      store_local(a, pop(), false);
      return true;
    case Operation::store_wide:
      reserve(2, 1);
      store_local(a + 1, pop_wide(), true);
      return true;
    case Operation::iinc: {
      spill_aliases_of(a);
      if (pin_[a] >= 0) {   // in a general register: not only floats are kept there
        load_pinned(a);
        a_.add(x86::gpd(static_cast<u32>(pin_[a])), imm(b));
        dirty_ |= u64{1} << position_of(a);
      } else {
        a_.add(x86::ptr(locals_register, static_cast<i32>(a * sizeof(Slot)), 4), imm(b));
      }
      return true;
    }
    case Operation::pop: return pop(), true;
    case Operation::pop2: pop(); return pop(), true;
    default: break;
  }
  // Shuffles: the letters name the operands as in JVMS 6.5, a is the top.
  const char* from;
  const char* to;
  switch (operation) {
    case Operation::dup: from = "a"; to = "aa"; break;
    case Operation::dup_x1: from = "ba"; to = "aba"; break;
    case Operation::dup_x2: from = "cba"; to = "acba"; break;
    case Operation::dup2: from = "ba"; to = "baba"; break;
    case Operation::dup2_x1: from = "cba"; to = "bacba"; break;
    case Operation::dup2_x2: from = "dcba"; to = "badcba"; break;
    case Operation::swap: from = "ba"; to = "ab"; break;
    default: return false;
  }
  u32 count = static_cast<u32>(std::string_view(from).size());
  reserve(count, count);
  Value operands[4];
  for (u32 i = 0; i < count; ++i) {
    operands[i] = pop();
    if (operands[i].kind != Kind::Home) continue;
    operands[i].number = in_register(operands[i]).id();
    operands[i].kind = Kind::Register;
  }
  for (const char* letter = to; *letter != '\0'; ++letter) push(operands[*letter - 'a']);
  return true;
}

}  // namespace keyhole::baseline
