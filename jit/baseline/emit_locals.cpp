// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Constants, locals and stack shuffles.
#include "jit/baseline/method_compiler.h"
#include "vm/link/constant_pool.h"
#include "vm/verify/slot_types.h"

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

namespace {
// What this file emits: a switch that leaves one out does not compile.
enum class Emitted : u16 {
#define EMITTED_constant(name) EMITTED(name)
#define EMITTED_local(name) EMITTED(name)
#define EMITTED_shuffle(name) EMITTED(name)
#include "jit/baseline/emitted_operations.inc"
};
}  // namespace

void MethodCompiler::emit_local(interpreter::Operation operation, u64 word) {
  using Operation = Emitted;
  u32 a = operand_a(word);
  i32 b = operand_b(word);
  switch (static_cast<Emitted>(operation)) {
    case Operation::nop: return;
    case Operation::constant: return push_int_constant(b);
    case Operation::constant_wide: push_unused(); return push_constant(b);
    case Operation::constant_double: push_unused(); return push_constant(__builtin_bit_cast(i64, static_cast<f64>(b)));
    case Operation::constant_pool_wide:
      push_unused();
      return push_constant(static_cast<i64>(*metadata_at<const u64>(b)));
    case Operation::constant_object: {
      reserve(0, 1);
      Gp target = allocate();
      load_address(target, &method_->constants->resolved_references);
      a_.mov(target, x86::qword_ptr(target));
      a_.mov(target.r32(), x86::dword_ptr(target, static_cast<i32>(Object::element_offset(2, static_cast<u32>(b)))));
      a_.shl(target, narrow_shift);
      return push_register(target);
    }
    case Operation::constant_mirror: {
      reserve(0, 1);
      Gp target = allocate();
      load_address(target, &metadata_at<const Klass>(b)->mirror);
      a_.mov(target, x86::qword_ptr(target));
      return push_register(target);
    }
    case Operation::load: {
      bool is_int = local_load_letter(opcode(cell_)) == 'i';
      push({.kind = Kind::Local, .number = a, .zero_extended = is_int && (pin_[a] < 0 || pinned_int_[a]), .not_null = a == 0 && this_is_constant_});
      return;
    }
    case Operation::load_wide: push_unused(); return push({Kind::Local, a + 1});
    case Operation::store:
      reserve(1, 1);
      store_local(a, pop(), false);
      return;
    case Operation::store_wide:
      reserve(2, 1);
      store_local(a + 1, pop_wide(), true);
      return;
    case Operation::iinc: {
      spill_aliases_of(a);
      if (pin_[a] >= 0) {   // in a general register: not only floats are kept there
        load_pinned(a);
        a_.add(x86::gpd(static_cast<u32>(pin_[a])), imm(b));
        dirty_ |= u64{1} << position_of(a);
      } else {
        a_.add(x86::ptr(locals_register, static_cast<i32>(a * sizeof(Slot)), 4), imm(b));
      }
      return;
    }
    case Operation::pop: pop(); return;
    case Operation::pop2: pop(); pop(); return;
    case Operation::dup: case Operation::dup_x1: case Operation::dup_x2: case Operation::swap:
    case Operation::dup2: case Operation::dup2_x1: case Operation::dup2_x2:
      return emit_shuffle(row(operation).pops, row(operation).pushes);
  }
}

// The letters name the slots, A is the top.
void MethodCompiler::emit_shuffle(std::string_view from, std::string_view to) {
  u32 count = static_cast<u32>(from.size());
  reserve(count, count);
  Value operands[4];
  for (u32 i = 0; i < count; ++i) {
    operands[i] = pop();
    if (operands[i].kind != Kind::Home) continue;
    operands[i].number = in_register(operands[i]).id();
    operands[i].kind = Kind::Register;
  }
  for (char letter : to) push(operands[letter - 'A']);
}

}  // namespace keyhole::baseline
