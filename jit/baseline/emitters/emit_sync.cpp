// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Emits monitorenter, monitorexit, and the locking of synchronized methods.
#include "jit/baseline/emitters/emit_sync.h"

#include "runtime/sync/algorithm.h"
#include "runtime/sync/synchronizer.h"
#include "runtime/threads/java_thread.h"

namespace keyhole::baseline {

namespace {

Mem record_top() { return thread_field(offsetof(JavaThread, lock_record_top), 4); }
Mem object_of(Gp record) { return x86::qword_ptr(record, offsetof(LockRecord, object)); }

}  // namespace

// Loads the address of the lock record whose index is in eax into `record`.
void LockEmitter::load_record(Gp record) {
  a_.mov(record.r32(), x86::eax);
  a_.shl(record, imm(lock_record_shift));
  a_.add(record, thread_field(offsetof(JavaThread, lock_records)));
}

void LockEmitter::acquire(const LockSnippet& snippet, const LockOperands& at, Label slow) {
  a_.mov(x86::eax, record_top());
  a_.cmp(x86::eax, thread_field(offsetof(JavaThread, lock_record_capacity), 4));
  a_.jae(slow);
  load_record(at.record);
  snippet.enter(a_, at, slow);
  a_.mov(object_of(at.record), at.object);
  a_.inc(record_top());
}

void LockEmitter::enter(const LockSnippet& snippet) {
  registers_.reserve(1, 2);
  Gp object = registers_.in_register(stack_.pop());
  a_.test(object, object);
  a_.jz(slow_paths_.fallback());
  acquire(snippet, {object, registers_.allocate()}, slow_paths_.fallback());
}

void LockEmitter::exit(const LockSnippet& snippet) {
  registers_.reserve(1, 2);
  Gp object = registers_.in_register(stack_.pop());
  LockOperands at{object, registers_.allocate()};
  a_.test(object, object);
  a_.jz(slow_paths_.fallback());
  a_.mov(x86::eax, record_top());
  a_.cmp(x86::eax, frame_.field(offsetof(Frame, lock_record_base), 4));
  a_.jbe(slow_paths_.fallback());
  a_.dec(x86::eax);
  load_record(at.record);
  a_.cmp(object_of(at.record), object);
  a_.jne(slow_paths_.fallback());
  snippet.exit(a_, at, slow_paths_.fallback());
  a_.dec(record_top());
}

bool LockEmitter::is_entered_inline(const Method* method) {
  return !method->is_synchronized() || lock_snippet(sync::fast_path()) != nullptr;
}

void LockEmitter::acquire_at_entry(const LockOperands& at, Label slow) {
  acquire(*lock_snippet(sync::fast_path()), at, slow);
}

void LockEmitter::release_at_return() {
  a_.mov(x86::eax, record_top());
  if (!instructions().method()->is_synchronized()) {
    a_.cmp(x86::eax, frame_.field(offsetof(Frame, lock_record_base), 4));
    a_.jne(slow_paths_.side_exit());
    return;
  }
  Gp object = registers_.allocate();
  LockOperands at{object, registers_.allocate()};
  a_.dec(x86::eax);
  a_.cmp(x86::eax, frame_.field(offsetof(Frame, lock_record_base), 4));
  a_.jne(slow_paths_.side_exit());
  load_record(at.record);
  a_.mov(at.object, object_of(at.record));
  a_.test(at.object, at.object);
  a_.jz(slow_paths_.side_exit());
  lock_snippet(sync::fast_path())->exit(a_, at, slow_paths_.side_exit());
  a_.dec(record_top());
}

namespace {

// The operations that this file emits. A switch that omits one of them does not compile.
enum class Emitted : u16 {
#define EMITTED_monitor(name) EMITTED(name)
#include "jit/baseline/emitters/emitted_operations.inc"
};

}  // namespace

void LockEmitter::emit(Operation operation, u64) {
  const LockSnippet* snippet = lock_snippet(sync::fast_path());
  if (snippet == nullptr) return interpret(operation);
  switch (static_cast<Emitted>(operation)) {
    case Emitted::monitorenter: return enter(*snippet);
    case Emitted::monitorexit: return exit(*snippet);
  }
}

}  // namespace keyhole::baseline
