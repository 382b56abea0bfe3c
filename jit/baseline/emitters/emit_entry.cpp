// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Emits a method's entry.
#include "jit/baseline/emitters/emit_entry.h"

#include "runtime/threads/java_thread.h"
#include "vm/interpreter/entries.h"
#include "vm/metadata/instance_klass.h"

namespace keyhole::baseline {

using namespace interpreter;

void EntryEmitter::emit() {
  const Method* method = instructions().method();
  Label entry = a_.newLabel();
  compilation_.calls.set_own_entry(entry);
  a_.bind(entry);
  i32 to_locals = static_cast<i32>(sizeof(Slot)) * (1 - static_cast<i32>(method->argument_slots));
  i32 frame_end = to_locals + frame_.stack_slot_distance(static_cast<i32>(method->max_stack));
  if (MethodData* data = profile_.data()) profile_.count(&data->calls, x86::rax);
  a_.lea(x86::rax, x86::ptr(x86::r13, frame_end));
  a_.cmp(x86::rax, thread_field(offsetof(JavaThread, entry_limit)));
  a_.ja(imm(compilation_.stubs.enter_slowly));
  a_.lea(locals_register, x86::ptr(x86::r13, to_locals));
  if (method->is_synchronized()) return lock();
  link_frame(0);
  count_down_calls(/*is_caller_known=*/true);
  // After a poll or without room, the interpreter makes the frame and hands it over at this entry.
  if (!blocks_.starts(0)) a_.bind(blocks_.make_entry(0));
  locals_.load_arguments(method->argument_slots);
}

// Emits the countdown of calls. The frame is complete at this point: link_frame or the interpreter has made it.
void EntryEmitter::count_down_calls(bool is_caller_known) {
  MethodData* data = profile_.data_in_interval();
  if (data == nullptr) return;
  Label ended = a_.newLabel();
  profile_.count_down(data->calls_left, x86::rax, ended);
  slow_paths_.add_cold([this, ended, is_caller_known] {
    if (a_.is_listing()) a_.comment("; the interval ends");
    a_.bind(ended);
    hand_over(is_caller_known, reinterpret_cast<const void*>(&interp_end_profiling_and_start));
  });
}

// Makes the frame. `held_records` is the number of lock records that have been pushed already. Stores dominate the cost
// of a call, so only words that cannot be computed from others are stored (vm/frames/layout/make_frame.h). In: rdi =
// the caller's frame, rdx = the method. Scratch: rax.
void EntryEmitter::link_frame(u32 held_records) {
  a_.mov(frame_.field(offsetof(Frame, caller)), x86::rdi);
  a_.mov(frame_.field(offsetof(Frame, method)), x86::rdx);
  static_assert(static_cast<u32>(FrameKind::Interpreted) == 0);
  static_assert(offsetof(Frame, lock_record_base) == offsetof(Frame, kind) + 4);
  a_.mov(x86::eax, thread_field(offsetof(JavaThread, lock_record_top), 4));
  if (held_records != 0) a_.sub(x86::eax, imm(held_records));
  a_.shl(x86::rax, imm(32));
  a_.mov(frame_.field(offsetof(Frame, kind)), x86::rax);
}

// Acquires the method's monitor. In: rdi = the caller's frame, r14 = local 0; the call record is on the native stack.
void EntryEmitter::lock() {
  const Method* method = instructions().method();
  LockOperands at{x86::rsi, x86::r8};
  Label wait = a_.newLabel();
  if (method->is_static()) {
    a_.load_address(at.object, &method->holder->mirror);
    a_.mov(at.object, x86::qword_ptr(at.object));
  } else {
    a_.mov(at.object, frame_.local(0));
  }
  locks_.acquire_at_entry(at, wait);
  a_.load_address(x86::rdx, method);
  link_frame(1);
  count_down_calls(/*is_caller_known=*/true);
  slow_paths_.add_cold([this, wait] {
    if (a_.is_listing()) a_.comment("; the monitor is not free");
    a_.bind(wait);
    wait_for_monitor();
  });
}

void EntryEmitter::wait_for_monitor() {
  a_.load_address(x86::rdx, instructions().method());
  link_frame(0);
  hand_over(/*is_caller_known=*/true, reinterpret_cast<const void*>(&interp_lock_and_start));
}

// Hands the frame over to the interpreter at the first bytecode. Writes the words that link_frame does not write. In:
// rdi = the caller's frame (not needed if the interpreter has made this frame), r14 = local 0.
void EntryEmitter::hand_over(bool is_caller_known, const void* handler) {
  a_.mov(frame_.field(offsetof(Frame, locals)), locals_register);
  if (is_caller_known) {
    a_.lea(x86::rax, x86::ptr(locals_register, -static_cast<i32>(sizeof(Slot))));
    a_.mov(x86::qword_ptr(x86::rdi, offsetof(Frame, sp)), x86::rax);
  }
  a_.lea(x86::rdi, frame_.field(0));
  a_.load_address(x86::r12, instructions().address(0));
  a_.lea(x86::r13, frame_.field(offsetof(Frame, below_stack)));
  a_.mov(x86::rsi, thread_field(offsetof(JavaThread, dispatch)));
  a_.load_address(x86::rax, handler);
  a_.jmp(imm(compilation_.stubs.hand_over));
}

}  // namespace keyhole::baseline
