// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Emits constants, accesses to locals, and stack shuffles.
#include "jit/baseline/emitters/emit_locals.h"

#include "vm/metadata/constant_pool.h"
#include "vm/verify/slot_types.h"

namespace keyhole::baseline {

using Kind = Value::Kind;

void LocalEmitter::constant_wide(i64 bits) {
  stack_.push_unused();
  stack_.push_constant(bits);
}

void LocalEmitter::constant_object(u32 index) {
  registers_.reserve(0, 1);
  Gp target = registers_.allocate();
  a_.load_address(target, &instructions().method()->constants->resolved_references);
  a_.mov(target, x86::qword_ptr(target));
  a_.mov(target.r32(), x86::dword_ptr(target, static_cast<i32>(Object::element_offset(2, index))));
  a_.shl(target, narrow_shift);
  stack_.push_register(target);
}

void LocalEmitter::constant_mirror(const Klass* klass) {
  registers_.reserve(0, 1);
  Gp target = registers_.allocate();
  a_.load_address(target, &klass->mirror);
  a_.mov(target, x86::qword_ptr(target));
  stack_.push_register(target);
}

void LocalEmitter::load(u32 local) {
  bool is_int = local_load_letter(instructions().opcode(instruction())) == 'i';
  stack_.push({.kind = Kind::Local,
               .number = local,
               .zero_extended = is_int && (!locals_.is_pinned(local) || locals_.is_int(local)),
               .not_null = local == 0 && locals_.receiver_is_constant()});
}

// Stores `value`, which is already popped, to the local.
void LocalEmitter::store(u32 local, const Value& value) {
  stack_.spill_aliases_of(local);
  if (locals_.is_pinned_vector(local)) {
    values_.load(vector_register(locals_.register_of(local)), value);
    locals_.set_written(local);
  } else if (locals_.is_pinned(local)) {
    Gp target = x86::gpq(locals_.register_of(local));
    values_.load(target, value);
    if (locals_.is_int(local) && !value.zero_extended) a_.mov(target.r32(), target.r32());
    locals_.set_written(local);
  } else if (value.is_int_constant()) {
    a_.mov(frame_.local(local), imm(static_cast<i32>(value.bits)));
  } else if (value.is_in_vector_register()) {
    a_.movq(frame_.local(local), vector_register(value.number));
  } else {
    a_.mov(frame_.local(local), registers_.in_register(value));
  }
}

void LocalEmitter::increment(u32 local, i32 by) {
  stack_.spill_aliases_of(local);
  if (locals_.is_pinned(local)) {  // ints are in general registers
    locals_.load(local);
    a_.add(x86::gpd(locals_.register_of(local)), imm(by));
    locals_.set_written(local);
  } else {
    a_.add(frame_.local(local, 4), imm(by));
  }
}

void LocalEmitter::shuffle(std::string_view from, std::string_view to) {
  u32 count = static_cast<u32>(from.size());
  registers_.reserve(count, count);
  Value operands[4];
  for (u32 i = 0; i < count; ++i) {
    operands[i] = stack_.pop();
    registers_.load_from_stack_slot(operands[i]);
  }
  for (char letter : to) stack_.push(operands[letter - 'A']);
}

namespace {

// The operations that this file emits. A switch that omits one of them does not compile.
enum class Emitted : u16 {
#define EMITTED_constant(name) EMITTED(name)
#define EMITTED_local(name) EMITTED(name)
#define EMITTED_shuffle(name) EMITTED(name)
#include "jit/baseline/emitters/emitted_operations.inc"
};

}  // namespace

void LocalEmitter::emit(interpreter::Operation operation, u64 word) {
  u32 a = operand_a(word);
  i32 b = operand_b(word);
  using Operation = Emitted;
  switch (static_cast<Emitted>(operation)) {
    case Operation::nop: return;
    case Operation::constant: return stack_.push_int_constant(b);
    case Operation::constant_wide: return constant_wide(b);
    case Operation::constant_double: return constant_wide(__builtin_bit_cast(i64, static_cast<f64>(b)));
    case Operation::constant_pool_wide: return constant_wide(static_cast<i64>(*metadata_at<const u64>(b)));
    case Operation::constant_object: return constant_object(static_cast<u32>(b));
    case Operation::constant_mirror: return constant_mirror(metadata_at<const Klass>(b));
    case Operation::load: return load(a);
    case Operation::load_wide: return stack_.push_unused(), stack_.push({Kind::Local, a + 1});
    case Operation::store: return registers_.reserve(1, 1), store(a, stack_.pop());
    case Operation::store_wide: return registers_.reserve(2, 1), store(a + 1, stack_.pop_wide());
    case Operation::iinc: return increment(a, b);
    case Operation::pop: return stack_.drop(1);
    case Operation::pop2: return stack_.drop(2);
    case Operation::dup:
    case Operation::dup_x1:
    case Operation::dup_x2:
    case Operation::dup2:
    case Operation::dup2_x1:
    case Operation::dup2_x2:
    case Operation::swap: return shuffle(interpreter::row(operation).pops, interpreter::row(operation).pushes);
  }
}

}  // namespace keyhole::baseline
