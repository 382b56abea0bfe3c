// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// monitorenter and monitorexit: null check and lock record here, the algorithm's fast path from locks/. Where the algorithm has none, and on every slow path,
// the interpreter's handlers do it all, with the operands as they were: nothing is changed before the last jump there.
//
// A synchronized method locks between the check of the stack's limit and the stores of its frame (R1 of vm/interpreter/handlers_sync.cpp). Who has to wait gets the
// frame first and waits in the interpreter, which comes back behind the lock. A return lets go of that one record; more than that, or less, is the interpreter's, too.
//
// The record is the frame's next one at an enter, its newest at an exit. It is pushed after the snippet has got it, and popped after the snippet has let go of
// it (R2 of vm/interpreter/handlers_sync.cpp).
#include "jit/baseline/locks/lock_snippet.h"
#include "jit/baseline/method_compiler.h"
#include "runtime/sync/algorithm.h"
#include "runtime/sync/synchronizer.h"
#include "vm/interpreter/compiler.h"
#include "vm/link/instance_klass.h"

namespace keyhole::baseline {

using namespace interpreter;

namespace {

Mem record_top() { return x86::dword_ptr(thread_register, offsetof(JavaThread, lock_record_top)); }
Mem object_of(Gp record) { return x86::qword_ptr(record, offsetof(LockRecord, object)); }

// record = the address of the record whose index is in eax
void load_record(x86::Assembler& a, Gp record) {
  a.mov(record.r32(), x86::eax);
  a.shl(record, imm(lock_record_shift));
  a.add(record, x86::qword_ptr(thread_register, offsetof(JavaThread, lock_records)));
}

void lock(x86::Assembler& a, const LockSnippet& snippet, const LockOperands& at, Label slow) {
  a.mov(x86::eax, record_top());
  a.cmp(x86::eax, x86::dword_ptr(thread_register, offsetof(JavaThread, lock_record_capacity)));
  a.jae(slow);
  load_record(a, at.record);
  snippet.enter(a, at, slow);
  a.mov(object_of(at.record), at.object);
  a.inc(record_top());
}

}  // namespace

void MethodCompiler::lock_inline(const LockSnippet& snippet) {
  reserve(1, 2);
  Gp object = in_register(pop());
  a_.test(object, object);
  a_.jz(slow());
  lock(a_, snippet, {object, allocate()}, slow());
}

void MethodCompiler::unlock_inline(const LockSnippet& snippet) {
  reserve(1, 2);
  Gp object = in_register(pop());
  LockOperands at{object, allocate()};
  a_.test(object, object);
  a_.jz(slow());
  a_.mov(x86::eax, record_top());
  a_.cmp(x86::eax, frame_field(offsetof(Frame, lock_record_base), 4));
  a_.jbe(slow());
  a_.dec(x86::eax);
  load_record(a_, at.record);
  a_.cmp(object_of(at.record), object);
  a_.jne(slow());
  snippet.exit(a_, at, slow());
  a_.dec(record_top());
}

bool MethodCompiler::is_entered_inline(const Method* method) {
  return !method->is_synchronized() || lock_snippet(sync::fast_path()) != nullptr;
}

// In: rdi the caller's frame, r14 local 0; the call record.
void MethodCompiler::lock_at_entry() {
  LockOperands at{x86::rsi, x86::r8};
  Label wait = a_.newLabel();
  if (method_->is_static()) {
    load_address(at.object, &method_->holder->mirror);
    a_.mov(at.object, x86::qword_ptr(at.object));
  } else {
    a_.mov(at.object, local_home(0));
  }
  lock(a_, *lock_snippet(sync::fast_path()), at, wait);
  load_address(x86::rdx, method_);
  link_frame(1);
  cold_.push_back([this, wait] {
    if (listing_ != nullptr) a_.comment("; the monitor is not free");
    a_.bind(wait);
    load_address(x86::rdx, method_);
    link_frame(0);
    a_.mov(frame_field(offsetof(Frame, locals)), locals_register);
    a_.lea(x86::rax, x86::ptr(locals_register, -static_cast<i32>(sizeof(Slot))));
    a_.mov(x86::qword_ptr(x86::rdi, offsetof(Frame, sp)), x86::rax);
    a_.lea(x86::rdi, frame_field(0));
    load_address(x86::r12, body_->cells());
    a_.lea(x86::r13, frame_field(offsetof(Frame, below_stack)));
    a_.mov(x86::rsi, thread_field(offsetof(JavaThread, dispatch)));
    load_address(x86::rax, reinterpret_cast<const void*>(&interp_lock_and_start));
    a_.jmp(imm(stubs_.hand_over));
  });
}

void MethodCompiler::release_at_return() {
  a_.mov(x86::eax, record_top());
  if (!method_->is_synchronized()) {
    a_.cmp(x86::eax, frame_field(offsetof(Frame, lock_record_base), 4));
    a_.jne(leaving());
    return;
  }
  Gp object = allocate();
  LockOperands at{object, allocate()};
  a_.dec(x86::eax);
  a_.cmp(x86::eax, frame_field(offsetof(Frame, lock_record_base), 4));
  a_.jne(leaving());
  load_record(a_, at.record);
  a_.mov(at.object, object_of(at.record));
  a_.test(at.object, at.object);
  a_.jz(leaving());
  lock_snippet(sync::fast_path())->exit(a_, at, leaving());
  a_.dec(record_top());
}

namespace {
// What this file emits: a switch that leaves one out does not compile.
enum class Emitted : u16 {
#define EMITTED_monitor(name) EMITTED(name)
#include "jit/baseline/emitted_operations.inc"
};
}  // namespace

void MethodCompiler::emit_lock(Operation operation, u64 word) {
  const LockSnippet* snippet = lock_snippet(sync::fast_path());
  if (snippet == nullptr) return run_in_interpreter(operation, word);
  switch (static_cast<Emitted>(operation)) {
    case Emitted::monitorenter: return lock_inline(*snippet);
    case Emitted::monitorexit: return unlock_inline(*snippet);
  }
}

}  // namespace keyhole::baseline
