// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Emits allocation from the TLAB, and type tests.
#include "jit/baseline/emitters/emit_objects.h"

#include "gc/heap/heap.h"
#include "runtime/threads/java_thread.h"

namespace keyhole::baseline {

using namespace interpreter;

// Loads the object's class into rcx. Jumps to the label if the object is null.
void ObjectEmitter::load_class(Gp object, Label null) {
  if (TypeProfile* profile = profile_.of_instruction<TypeProfile>(instruction())) {
    profile_.count_operand(profile, object, null);
    a_.load_klass_of_id(x86::rcx, x86::rax);
    return;
  }
  a_.test(object, object);
  a_.jz(null);
  a_.load_klass(x86::rcx, object, x86::rax);
}

void ObjectEmitter::cast(const Klass* wanted, i32 place) {
  registers_.reserve(1, 2);
  Label done = a_.newLabel();
  if (values_.is_in_memory(stack_.peek())) {
    Gp loaded = registers_.in_register(stack_.pop());
    stack_.push_register(loaded);
  }
  load_class(registers_.in_register(stack_.peek()), done);
  a_.load_address(x86::rax, wanted);
  a_.cmp(x86::qword_ptr(x86::rcx, place), x86::rax);
  a_.jne(slow_paths_.fallback());
  a_.bind(done);
}

void ObjectEmitter::instance_of(const Klass* wanted, i32 place) {
  registers_.reserve(1, 2);
  Label done = a_.newLabel();
  Gp object = registers_.in_register(stack_.pop());
  Gp target = registers_.allocate();
  a_.xor_(target.r32(), target.r32());
  load_class(object, done);
  a_.load_address(x86::rax, wanted);
  a_.cmp(x86::qword_ptr(x86::rcx, place), x86::rax);
  // If `place` is in the display of superclasses, the comparison decides the test. If `place` is the cache of the last
  // search, only a hit decides it.
  if (place != static_cast<i32>(offsetof(Klass, secondary_super_cache))) {
    a_.sete(target.r8());
  } else {
    Label other = wanted->is_interface() ? a_.newLabel() : slow_paths_.fallback();
    a_.jne(other);
    a_.mov(target.r32(), imm(1));
    // a clear bit in Klass::absent_supers needs the fallback; a set bit proves that the interface is not implemented
    if (wanted->is_interface()) {
      slow_paths_.add_cold([this, other, done, fallback = slow_paths_.fallback(), bit = wanted->id % 64] {
        a_.bind(other);
        a_.bt(x86::qword_ptr(x86::rcx, offsetof(Klass, absent_supers)), imm(bit));
        a_.jnc(fallback);
        a_.jmp(done);
      });
    }
  }
  a_.bind(done);
  stack_.push_int(target);
}

void ObjectEmitter::new_instance(u32 size_units, u32 klass_id) {
  registers_.reserve(0, 1);
  Gp target = registers_.allocate();
  a_.mov(target, thread_field(offsetof(JavaThread, tlab_top)));
  a_.lea(x86::rcx, x86::ptr(target, static_cast<i32>(size_units * layout::object_alignment)));
  a_.cmp(x86::rcx, thread_field(offsetof(JavaThread, tlab_end)));
  a_.ja(slow_paths_.fallback());
  a_.mov(thread_field(offsetof(JavaThread, tlab_top)), x86::rcx);
  a_.write_header(target, klass_id);
  stack_.push_new(target, klass_id);
}

void ObjectEmitter::new_array(u32 element_shift, u32 klass_id) {
  registers_.reserve(1, 2);
  Gp count = registers_.in_register(stack_.pop());
  Gp target = registers_.allocate();
  a_.cmp(count.r32(), imm(heap::longest_fast_array));
  a_.ja(slow_paths_.fallback());
  a_.mov(x86::ecx, count.r32());
  if (element_shift != 0) a_.shl(x86::ecx, imm(element_shift));
  a_.add(x86::ecx, imm(layout::array_base_offset(element_shift) + layout::object_alignment - 1));
  a_.and_(x86::ecx, imm(-static_cast<i32>(layout::object_alignment)));
  a_.mov(target, thread_field(offsetof(JavaThread, tlab_top)));
  a_.add(x86::rcx, target);
  a_.cmp(x86::rcx, thread_field(offsetof(JavaThread, tlab_end)));
  a_.ja(slow_paths_.fallback());
  a_.mov(thread_field(offsetof(JavaThread, tlab_top)), x86::rcx);
  a_.write_header(target, klass_id);
  a_.mov(x86::dword_ptr(target, layout::array_length_offset), count.r32());
  stack_.push_new(target, 0);
}

namespace {

// The operations that this file emits. A switch that omits one of them does not compile.
enum class Emitted : u16 {
#define EMITTED_object(name) EMITTED(name)
#include "jit/baseline/emitters/emitted_operations.inc"
};

}  // namespace

void ObjectEmitter::emit(interpreter::Operation operation, u64 word) {
  u32 a = operand_a(word);
  using Operation = Emitted;
  switch (static_cast<Emitted>(operation)) {
    case Operation::checkcast: return cast(metadata_at<const Klass>(operand_b(word)), static_cast<i32>(a));
    case Operation::instanceof_: return instance_of(metadata_at<const Klass>(operand_b(word)), static_cast<i32>(a));
    case Operation::new_instance: return new_instance(a, static_cast<u32>(operand_b(word)));
    case Operation::newarray: return new_array(a, static_cast<u32>(operand_b(word)));
    case Operation::ldc_unresolved:
    case Operation::new_unresolved:
    case Operation::anewarray_unresolved:
    case Operation::checkcast_unresolved:
    case Operation::instanceof_unresolved:
    case Operation::new_large_instance:
    case Operation::multianewarray: return interpret(operation);
    case Operation::athrow: return always_side_exit();
  }
}

}  // namespace keyhole::baseline
