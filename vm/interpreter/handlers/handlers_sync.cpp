// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The slow paths of the handlers that lock (handlers_over.h), and the handlers of each snippet of
// runtime/sync/fast_paths.def. The rest of locking is in runtime/sync.
#include "runtime/base/flags.h"
#include "runtime/sync/fast_paths.h"
#include "runtime/sync/synchronizer.h"
#include "runtime/threads/asynchronous.h"
#include "vm/frames/execution_sample.h"
#include "vm/frames/unwind.h"
#include "vm/interpreter/compiler.h"
#include "vm/interpreter/handlers/frame_macros.h"
#include "vm/interpreter/handlers/handlers_over.h"
#include "vm/interpreter/raise.h"
#include "vm/interpreter/tier_policy.h"

namespace keyhole::interpreter {

// --- monitorenter, monitorexit ---------------------------------------------------------------------------------------

SLOW_HANDLER(monitorenter_slow) {
  SAVE_STATE();
  if (!has_lock_record(thread)) {
    throw_stack_overflow(thread);
    GO(unwind);
  }
  LockRecord* record = push_lock_record(thread, as_object(tos));
  sync::enter(thread, Handle(&record->object), record);
  POP();
  NEXT();
}

SLOW_HANDLER(monitorexit_slow) {
  SAVE_STATE();
  Object* object = as_object(tos);
  for (u32 i = thread->lock_record_top; i > frame->lock_record_base; --i) {
    LockRecord* record = &thread->lock_records[i - 1];
    if (record->object != object) continue;
    sync::Status status = sync::exit(thread, Handle(&record->object), record);
    drop_lock_record(thread, frame, record);
    if (status != sync::Status::Done) break;
    POP();
    NEXT();
  }
  throw_illegal_monitor_state(thread);
  GO(unwind);
}

// --- the entry of a synchronized method ------------------------------------------------------------------------------

static Object* own_monitor(const Frame* frame) {
  const Method* method = frame->method;
  return method->is_static() ? reinterpret_cast<Klass*>(method->holder)->mirror : as_object(frame->locals[0]);
}

// Pushes a record and enters the monitor. Returns false if the record stack is full; StackOverflowError is then pending
// in the caller, as if there had been no room for the frame.
static bool lock_at_start(JavaThread* thread, const Frame* frame, Object* object) MAY_SAFEPOINT {
  if (!has_lock_record(thread)) {
    thread->top_frame = caller_of(frame);
    throw_stack_overflow(thread);
    return false;
  }
  LockRecord* record = push_lock_record(thread, object);
  sync::enter(thread, Handle(&record->object), record);
  return true;
}

// Slow path of a synchronized method's entry: the callee's frame is complete, and pc is at its first instruction.
// Compiled code also jumps here when the monitor is not free. The frame of the compiled code then continues in that
// code.
[[gnu::noinline]] HANDLER(lock_and_start) {
  SAVE_STATE();
  if (!lock_at_start(thread, frame, own_monitor(frame))) GO(unwind);
  word = load_instruction(pc);
  GO(resume_in_code);
}

// The handle keeps the monitor's object alive during the poll. The frame map does not keep the object alive if the
// method does not use `this`.
static bool poll_and_lock(JavaThread* thread, const Frame* frame) MAY_SAFEPOINT {
  HandleScope scope(thread);
  Handle object = scope.make(own_monitor(frame));
  safepoint::poll_slow(thread);
  return lock_at_start(thread, frame, object.get());
}

// Polls, enters the monitor of a synchronized method, and only then raises an exception that another thread has sent.
// So the method holds its monitor, as it does wherever such an exception is raised later.
[[gnu::noinline]] HANDLER(poll_and_start) {
  SAVE_STATE();
  if (flags::GCStressSafepointInterval != 0) [[unlikely]]
    safepoint::arm_stress(thread);
  bool is_sampled = safepoint::take_sample_request(thread);
  if (safepoint::take_execution_sample_request(thread)) record_execution_sample(thread);
  if (!frame->method->is_synchronized()) safepoint::poll_slow(thread);
  else if (!poll_and_lock(thread, frame)) GO(unwind);
  if (asynchronous::answer(thread) || raise_memory_fault(thread)) GO(unwind);
  if (is_sampled) tier_policy()->note_sample(thread);
  word = load_instruction(pc);
  GO(resume_in_code);
}

// --- the returns of methods that lock --------------------------------------------------------------------------------

// Returns from the method. The frame holds no lock any more.
static SLOW_HANDLER(return_released) {
  switch (operation_of(word)) {
    case Operation::return_boolean_checked: RETURN_ONE(tos & 1);
    case Operation::return_byte_checked: RETURN_ONE(to_slot(i32{static_cast<i8>(tos)}));
    case Operation::return_char_checked: RETURN_ONE(static_cast<u16>(tos));
    case Operation::return_short_checked: RETURN_ONE(to_slot(i32{static_cast<i16>(tos)}));
    case Operation::return_wide_checked: RETURN_WIDE();
    case Operation::return_void_checked: RETURN_VOID();
    default: RETURN_ONE(tos);
  }
}

SLOW_HANDLER(return_checked_slow) {
  SAVE_STATE();
  if (!release_monitors_at_return(thread, frame)) GO(unwind);
  RELOAD_TOS();
  word = load_instruction(pc);
  GO(return_released);
}

// --- table of locking handlers: one set for each snippet -------------------------------------------------------------

const LockingHandlers& locking_handlers(const sync::FastPathRow& row) {
  static constexpr const LockingHandlers* by_number[] = {
      &handlers_over<sync::fast_paths::none>,
#define FAST_PATH(name, snippet, header) &handlers_over<sync::fast_paths::name>,
#define RECORDED_FAST_PATH(name, plain) &handlers_over<sync::fast_paths::name>,
#include "runtime/sync/fast_paths.def"
  };
  return *by_number[row.number];
}

}  // namespace keyhole::interpreter
