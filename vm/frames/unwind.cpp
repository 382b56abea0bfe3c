// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Searches exception tables, and releases the monitors of frames that it pops.
#include "vm/frames/unwind.h"

#include "runtime/base/log.h"
#include "runtime/sync/synchronizer.h"
#include "vm/code/compiled_code.h"
#include "vm/frames/materialization.h"
#include "vm/link/debugger.h"
#include "vm/link/exceptions.h"
#include "vm/link/linker.h"
#include "vm/link/release_behaviour.h"

namespace keyhole::interpreter {

// Resolving a catch type may run Java code, during which the method may be redefined. The frame keeps the old body.
i32 find_handler(JavaThread* thread, const Method* method, u32 bci) {
  HandleScope scope(thread);
  Handle exception = scope.make(nullptr);
  exception.set(take_exception(thread));
  for (u32 i = 0; i < method->handler_count; ++i) {
    const ExceptionHandler& handler = method->handlers[i];
    if (!handler.covers(bci)) continue;
    if (handler.catch_type_index == 0) {
      thread->pending_exception = exception.get();
      return static_cast<i32>(i);
    }
    Klass* caught = resolve_class_at(thread, method->constants, handler.catch_type_index);
    if (caught == nullptr) {
      exception.set(take_exception(thread));
      bci = handler.handler_bci;
      i = ~0u;
      continue;
    }
    if (exception->klass()->is_subtype_of(caught)) {
      thread->pending_exception = exception.get();
      return static_cast<i32>(i);
    }
  }
  thread->pending_exception = exception.get();
  return -1;
}

namespace {

void release_record(JavaThread* thread, LockRecord* record) TOUCHES_OBJECTS {
  sync::exit(thread, Handle(&record->object), record);
  record->object = nullptr;
}

// Whether the method has released exactly what it locked. The first record of a synchronized method's frame is the
// method's own, and must still hold the object: bytecode may have released that monitor by monitorexit. Records above
// the top are stale. A native method releases its own record.
bool is_balanced(const JavaThread* thread, const Frame* frame) {
  if (frame->kind != FrameKind::Interpreted) return true;
  u32 first = frame->lock_record_base;
  if (frame->method->is_synchronized()) {
    if (thread->lock_record_top <= first || thread->lock_records[first].object == nullptr) return false;
    ++first;
  }
  for (u32 i = first; i < thread->lock_record_top; ++i) {
    if (thread->lock_records[i].object != nullptr) return false;
  }
  return true;
}

bool is_thread_death(const Object* exception) TOUCHES_OBJECTS {
  if (!release::has_thread_death()) return false;
  for (const Klass* klass = exception->klass(); klass != nullptr; klass = klass->super) {
    if (klass->liveness == nullptr && klass->name->text() == "java/lang/ThreadDeath") return true;
  }
  return false;
}

// Releases the monitors that the frame still holds, innermost first, and drops their records.
void release_all(JavaThread* thread, const Frame* frame) MAY_SAFEPOINT {
  while (thread->lock_record_top > frame->lock_record_base) {
    LockRecord* record = &thread->lock_records[thread->lock_record_top - 1];
    if (record->object != nullptr) release_record(thread, record);
    --thread->lock_record_top;
  }
}

// Makes the caller the top frame, with its sp below the arguments, as in any frame during a call.
void pop_frame(JavaThread* thread, const Frame* frame) {
  Frame* caller = caller_of(frame);
  caller->sp = locals_of(frame) - 1;
  thread->top_frame = caller;
}

// LIFE(monitorenter) 10/10: an exception leaves the method: what monitorexit did not release is released here
// Releases the monitors. Returns true if the frame was balanced. Otherwise IllegalMonitorStateException replaces the
// pending exception, if any (JVMS 2.11.10).
bool release_monitors(JavaThread* thread, Frame* frame) MAY_SAFEPOINT {
  const bool balanced = is_balanced(thread, frame);
  release_all(thread, frame);
  if (!balanced && !is_thread_death(thread->pending_exception)) {  // ThreadDeath is not replaced, as in HotSpot
    thread->pending_exception = nullptr;
    throw_illegal_monitor_state(thread);
  }
  return balanced;
}

}  // namespace

Unwound unwind_to_handler(JavaThread* thread) {
  KEYHOLE_ASSERT(thread->pending_exception != nullptr, "nothing to unwind for");
  const DebuggerHooks* hooks = debugger.load(std::memory_order_acquire);
  if (hooks != nullptr) [[unlikely]]
    hooks->exception_pending(thread);
  usize record_bytes = 0;
  while (true) {
    Frame* frame = thread->top_frame;
    if (frame->kind == FrameKind::Entry) {
      frame->pc = exit_instruction();
      frame->sp = &frame->below_stack;
      return {frame, false, record_bytes};
    }
    if (owns_native_bytes(frame)) return {frame, true, record_bytes};  // the record of its call stays
    // Counts the record of the call that the frame is in. A frame in a compiled call also has a record of its own. If
    // its caller is in a compiled call, too, the next round counts that record; otherwise it is counted here.
    if (calls_from_code(frame))
      record_bytes += calls_from_code(caller_of(frame)) ? call_record_bytes : 2 * call_record_bytes;
    if (frame->kind == FrameKind::Inlining) [[unlikely]] {
      frame->locals = locals_of(frame);
      // On failure another error is pending and has ended the frame's activations.
      materialize_for_exception(thread, frame);
      continue;
    }
    if (frame->kind == FrameKind::Interpreted && frame->method->handler_count != 0) {
      const MethodCode* code = frame->method->body.load(std::memory_order_relaxed);
      u32 bci = code->bci_of(frame->pc);
      i32 handler = find_handler(thread, frame->method, bci);
      if (handler >= 0) {
        if (hooks != nullptr) [[unlikely]]
          hooks->exception_caught(thread);
        KEYHOLE_LOG(debug, exceptions, "handler for {} thrown at bci {} of {}: bci {}",
                    thread->pending_exception->klass()->name->text(), bci, frame->method->external_name(),
                    frame->method->handlers[handler].handler_bci);
        std::atomic<u32>& entries = code->handler_entries[handler];
        entries.store(entries.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
        frame->pc = code->instructions() + code->handler_starts[handler];
        frame->locals = locals_of(frame);
        frame->sp = frame->stack_base();
        *frame->sp = reinterpret_cast<Slot>(take_exception(thread));
        return {frame, false, record_bytes};
      }
    }
    release_monitors(thread, frame);
    pop_frame(thread, frame);
  }
}

void abandon_activations(JavaThread* thread, const Frame* outermost) {
  for (bool is_last = false; !is_last;) {
    const Frame* frame = thread->top_frame;
    is_last = frame == outermost;
    release_all(thread, frame);
    pop_frame(thread, frame);
  }
}

bool release_monitors_at_return(JavaThread* thread, Frame* frame) {
  if (is_balanced(thread, frame)) return release_monitors(thread, frame);
  // A handler of the method may catch the exception and release the other monitors. The method's own monitor is
  // released here.
  LockRecord* own = &thread->lock_records[frame->lock_record_base];
  if (frame->method->is_synchronized() && thread->lock_record_top > frame->lock_record_base && own->object != nullptr)
    release_record(thread, own);
  throw_illegal_monitor_state(thread);
  return false;
}

}  // namespace keyhole::interpreter
