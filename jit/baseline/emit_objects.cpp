// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Allocation from the TLAB, type tests.
#include "jit/baseline/method_compiler.h"
#include "vm/link/instance_klass.h"

namespace keyhole::baseline {

using Kind = Value::Kind;
using namespace interpreter;

// The test that decides is one comparison with a place in the receiver's klass: its display, or its cache of the last search.
void MethodCompiler::type_test(u64 word, bool is_cast) {
  const Klass* wanted = metadata_at<const Klass>(operand_b(word));
  i32 place = static_cast<i32>(operand_a(word));
  reserve(1, 2);
  Value value = is_cast ? peek() : pop();
  Label done = a_.newLabel();
  auto load_class = [&](Gp object) {   // in rcx; null is done
    if (TypeProfile* profile = profile_at<TypeProfile>(cell_)) {
      count_operand(profile, object, done);
      load_klass_of_id(x86::rcx, x86::rax);
      return;
    }
    a_.test(object, object);
    a_.jz(done);
    load_klass(x86::rcx, object, x86::rax);
  };
  if (is_cast) {
    if (value.kind == Kind::Home || (value.kind == Kind::Local && pin_[value.number] < 0)) {
      pop();
      Gp loaded = in_register(value);
      push_register(loaded);
      value = peek();
    }
    Gp object = in_register(value);
    load_class(object);
    load_address(x86::rax, wanted);
    a_.cmp(x86::qword_ptr(x86::rcx, place), x86::rax);
    a_.jne(slow());
    a_.bind(done);
    return;
  }
  Gp object = in_register(value);
  Gp target = allocate();
  a_.xor_(target.r32(), target.r32());
  load_class(object);
  load_address(x86::rax, wanted);
  if (place != static_cast<i32>(offsetof(Klass, secondary_super_cache))) {
    // The display is exact.
    a_.cmp(x86::qword_ptr(x86::rcx, place), x86::rax);
    a_.sete(target.r8());
  } else {
    a_.cmp(x86::qword_ptr(x86::rcx, place), x86::rax);
    a_.jne(slow());
    a_.mov(target.r32(), imm(1));
  }
  a_.bind(done);
  push_int(target);
}

namespace {
// What this file emits: a switch that leaves one out does not compile.
enum class Emitted : u16 {
#define EMITTED_object(name) EMITTED(name)
#include "jit/baseline/emitted_operations.inc"
};
}  // namespace

void MethodCompiler::emit_object(interpreter::Operation operation, u64 word) {
  using Operation = Emitted;
  switch (static_cast<Emitted>(operation)) {
    case Operation::checkcast: return type_test(word, true);
    case Operation::instanceof_: return type_test(word, false);
    case Operation::new_instance: {
      reserve(0, 1);
      Gp target = allocate();
      a_.mov(target, thread_field(offsetof(JavaThread, tlab_top)));
      a_.lea(x86::rcx, x86::ptr(target, static_cast<i32>(operand_a(word) * layout::object_alignment)));
      a_.cmp(x86::rcx, thread_field(offsetof(JavaThread, tlab_end)));
      a_.ja(slow());
      a_.mov(thread_field(offsetof(JavaThread, tlab_top)), x86::rcx);
      write_header(target, static_cast<u32>(operand_b(word)));
      return push_new(target, static_cast<u32>(operand_b(word)));
    }
    case Operation::newarray: {
      constexpr u32 longest = 1u << 20;   // longer ones go slow: sizes stay within 32 bits
      u32 shift = operand_a(word);
      reserve(1, 2);
      Value length = pop();
      Gp count = in_register(length);
      Gp target = allocate();
      a_.cmp(count.r32(), imm(longest));
      a_.ja(slow());
      a_.mov(x86::ecx, count.r32());
      if (shift != 0) a_.shl(x86::ecx, imm(shift));
      a_.add(x86::ecx, imm(layout::array_base_offset(shift) + layout::object_alignment - 1));
      a_.and_(x86::ecx, imm(-static_cast<i32>(layout::object_alignment)));
      a_.mov(target, thread_field(offsetof(JavaThread, tlab_top)));
      a_.add(x86::rcx, target);
      a_.cmp(x86::rcx, thread_field(offsetof(JavaThread, tlab_end)));
      a_.ja(slow());
      a_.mov(thread_field(offsetof(JavaThread, tlab_top)), x86::rcx);
      write_header(target, static_cast<u32>(operand_b(word)));
      a_.mov(x86::dword_ptr(target, layout::array_length_offset), count.r32());
      return push_new(target, 0);
    }
    case Operation::ldc_unresolved: case Operation::new_unresolved: case Operation::anewarray_unresolved:
    case Operation::checkcast_unresolved: case Operation::instanceof_unresolved:
    case Operation::new_large_instance: case Operation::multianewarray:
      return run_in_interpreter(operation, word);
    case Operation::athrow: return leave_for_good();
  }
}

}  // namespace keyhole::baseline
