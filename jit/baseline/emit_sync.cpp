// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// monitorenter and monitorexit under lightweight locking, inline; under the other algorithms the interpreter's handler, which has their snippet inline,
// runs the cell. Synchronized methods are entered and left through the interpreter's handlers, which have the snippet inline.
//
// The code is LightweightFastPath of runtime/sync/lightweight_fast_path.h; R2, R3, R4 are the rules of runtime/sync/lightweight.h. Nothing
// is changed before the last jump to the slow path.
#include "jit/baseline/method_compiler.h"
#include "runtime/sync/algorithm.h"
#include "runtime/sync/synchronizer.h"

namespace keyhole::baseline {

using namespace interpreter;

namespace {

Mem lock_stack_entry(Gp top, i32 below_top) {
  return x86::qword_ptr(thread_register, top, 3, static_cast<i32>(offsetof(JavaThread, lock_stack)) - 8 * below_top);
}

}  // namespace

// Null check; a lock record is free; the header goes from 01 to 00, the object on the lock stack
void MethodCompiler::lock_inline() {
  reserve(1, 2);
  Gp object = in_register(pop());
  Label held = a_.newLabel(), push = a_.newLabel();
  Mem stack_top = thread_field(offsetof(JavaThread, lock_stack_top), 4), record_top = thread_field(offsetof(JavaThread, lock_record_top), 4);
  a_.test(object, object);
  a_.jz(slow());
  a_.mov(x86::eax, record_top);
  a_.cmp(x86::eax, thread_field(offsetof(JavaThread, lock_record_capacity), 4));
  a_.jae(slow());
  a_.mov(x86::ecx, stack_top);
  a_.cmp(x86::ecx, imm(JavaThread::lock_stack_capacity));
  a_.jae(slow());
  a_.mov(x86::rax, x86::qword_ptr(object));
  a_.mov(x86::rdx, x86::rax);
  a_.xor_(x86::rdx, imm(layout::unlocked));
  a_.test(x86::edx, imm(layout::lock_mask));
  a_.jnz(held);
  a_.lock().cmpxchg(x86::qword_ptr(object), x86::rdx);   // R2: acquire
  a_.jne(slow());
  a_.jmp(push);
  // R4: what is on top of our lock stack is ours, whatever the header says.
  a_.bind(held);
  a_.test(x86::ecx, x86::ecx);
  a_.jz(slow());
  a_.cmp(lock_stack_entry(x86::rcx, 1), object);
  a_.jne(slow());
  a_.bind(push);
  a_.mov(lock_stack_entry(x86::rcx, 0), object);
  a_.inc(stack_top);
  a_.mov(x86::eax, record_top);
  a_.shl(x86::rax, imm(4));
  a_.add(x86::rax, thread_field(offsetof(JavaThread, lock_records)));
  a_.mov(x86::qword_ptr(x86::rax, offsetof(LockRecord, object)), object);
  a_.inc(record_top);
  static_assert(sizeof(LockRecord) == 16);
}

// The innermost record of the frame is the object's, and the object is on top of the lock stack.
void MethodCompiler::unlock_inline() {
  reserve(1, 2);
  Gp object = in_register(pop());
  Label release = a_.newLabel(), pop_entry = a_.newLabel();
  Mem stack_top = thread_field(offsetof(JavaThread, lock_stack_top), 4), record_top = thread_field(offsetof(JavaThread, lock_record_top), 4);
  a_.test(object, object);
  a_.jz(slow());
  a_.mov(x86::eax, record_top);
  a_.cmp(x86::eax, frame_field(offsetof(Frame, lock_record_base), 4));
  a_.jbe(slow());
  a_.shl(x86::rax, imm(4));
  a_.add(x86::rax, thread_field(offsetof(JavaThread, lock_records)));
  a_.cmp(x86::qword_ptr(x86::rax, static_cast<i32>(offsetof(LockRecord, object)) - static_cast<i32>(sizeof(LockRecord))), object);
  a_.jne(slow());
  a_.mov(x86::ecx, stack_top);
  a_.test(x86::ecx, x86::ecx);
  a_.jz(slow());
  a_.cmp(lock_stack_entry(x86::rcx, 1), object);
  a_.jne(slow());
  a_.cmp(x86::ecx, imm(1));
  a_.je(release);
  a_.cmp(lock_stack_entry(x86::rcx, 2), object);
  a_.je(pop_entry);
  a_.bind(release);   // R3: by CAS, because a contender may inflate and anybody may install a hash
  a_.mov(x86::rax, x86::qword_ptr(object));
  a_.test(x86::eax, imm(layout::lock_mask));
  a_.jnz(slow());
  a_.mov(x86::rdx, x86::rax);
  a_.or_(x86::rdx, imm(layout::unlocked));
  a_.lock().cmpxchg(x86::qword_ptr(object), x86::rdx);
  a_.jne(slow());
  a_.bind(pop_entry);
  a_.dec(stack_top);
  a_.dec(record_top);
}

bool MethodCompiler::emit_lock(Operation operation) {
  if (sync::fast_path() != sync::FastPathKind::lightweight) return false;
  if (operation == Operation::monitorenter) return lock_inline(), true;
  if (operation == Operation::monitorexit) return unlock_inline(), true;
  return false;
}

}  // namespace keyhole::baseline
