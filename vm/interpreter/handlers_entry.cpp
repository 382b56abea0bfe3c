// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The method entries of entries.h.
#include "runtime/sync/fast_paths.h"
#include "runtime/sync/synchronizer.h"
#include "vm/interpreter/decoder.h"
#include "vm/interpreter/entries.h"
#include "vm/interpreter/java_frames.h"
#include "vm/interpreter/raise.h"
#include "vm/link/exceptions.h"
#include "vm/link/linker.h"
#include "vm/natives/binding.h"

namespace keyhole::interpreter {

#define CALLEE() (reinterpret_cast<Method*>(tos))
// Where the arguments begin. Their number comes from the cell: the address does not wait for a load from the Method.
#define ARGUMENTS() (sp + 1 - operand_a(cell))

[[gnu::noinline]] HANDLER(entry_decode) {
  prepare_bytecode(CALLEE());
  ENTER_METHOD(CALLEE());
}

[[gnu::noinline]] HANDLER(entry_link_native) {
  frame->sp = sp;
  thread->top_frame = frame;
  if (!prepare_native(thread, CALLEE())) GO(unwind);
  ENTER_METHOD(CALLEE());
}

[[gnu::noinline]] HANDLER(entry_abstract) {
  frame->sp = sp;
  thread->top_frame = frame;
  const Method* method = CALLEE();
  const Object* receiver = method->is_static() ? nullptr : as_object(*ARGUMENTS());
  throw_abstract(thread, receiver == nullptr ? nullptr : receiver->klass(), method, nullptr);
  GO(unwind);
}

// The state of the callee from here on: frame, locals, an empty operand stack.
#define MAKE_FRAME(kind, stack_slots) \
  Method* method = CALLEE(); \
  Slot* callee_locals = ARGUMENTS(); \
  Frame* callee = reinterpret_cast<Frame*>(callee_locals + method->max_locals); \
  if (!has_room(thread, callee, (stack_slots))) [[unlikely]] GO(raise_stack_overflow); \
  link_frame(thread, callee, frame, method, callee_locals, (kind)); \
  frame = callee; \
  locals = callee_locals; \
  sp = &callee->below_stack

HANDLER(entry_interpreted) {
  MAKE_FRAME(FrameKind::Interpreted, method->max_stack);
  pc = method->body.load(std::memory_order_relaxed)->cells();
  AGAIN();
}

// --- synchronized ----------------------------------------------------------------------------------------------------------

// frame is the callee's, complete, its pc at the first instruction.
static SLOW_HANDLER(lock_and_start) {
  SAVE_STATE();
  Method* method = frame->method;
  if (!has_lock_record(thread)) {
    // Out of records: throws in the caller, as if there had been no room for the frame.
    thread->top_frame = frame->caller;
    throw_stack_overflow(thread);
    GO(unwind);
  }
  Object* object = method->is_static() ? reinterpret_cast<Klass*>(method->holder)->mirror : as_object(locals[0]);
  LockRecord* record = push_lock_record(thread, object);
  sync::enter(thread, Handle(&record->object), record);
  AGAIN();
}

// A load behind a CAS begins when the CAS is done: whatever can be loaded before is.
#define START_LOCKED(locked) \
  MAKE_FRAME(FrameKind::Interpreted, method->max_stack); \
  Object* object = (locked); \
  pc = method->body.load(std::memory_order_relaxed)->cells(); \
  cell = load_cell(pc); \
  u32 record_index = frame->lock_record_base; \
  LockRecord* record = thread->lock_records + record_index; \
  if (record_index >= thread->lock_record_capacity || !sync::fast_paths::lightweight::try_enter(thread, object, record)) [[unlikely]] GO(lock_and_start); \
  thread->lock_record_top = record_index + 1; \
  record->object = object; \
  DISPATCH()

HANDLER(entry_interpreted_synchronized) { START_LOCKED(as_object(*callee_locals)); }
HANDLER(entry_interpreted_synchronized_static) { START_LOCKED(reinterpret_cast<Klass*>(method->holder)->mirror); }

// --- trivial ----------------------------------------------------------------------------------------------------------------

HANDLER(entry_object_initializer) {
  const Klass* klass = as_object(*sp)->klass();
  if (klass->is_instance() && klass->as_instance()->has_finalizer) [[unlikely]] GO(interp_entry_interpreted);
  POP();
  NEXT();
}

// --- native -----------------------------------------------------------------------------------------------------------------

#define CALL_NATIVE() \
  MAKE_FRAME(FrameKind::Native, 0); \
  callee->pc = nullptr; \
  callee->sp = sp; \
  thread->top_frame = callee; \
  tos = method->native.load(std::memory_order_relaxed)(thread, locals); \
  if (thread->pending_exception != nullptr) [[unlikely]] GO(unwind); \
  frame = thread->top_frame->caller; \
  sp = frame->sp; \
  pc = frame->pc; \
  locals = frame->locals

HANDLER(entry_native_void) {
  CALL_NATIVE();
  tos = *sp;
  NEXT();
}
HANDLER(entry_native_value) {
  CALL_NATIVE();
  ++sp;
  NEXT();
}
HANDLER(entry_native_wide) {
  CALL_NATIVE();
  sp += 2;
  NEXT();
}

[[gnu::noinline]] HANDLER(entry_native_synchronized) {
  MAKE_FRAME(FrameKind::Native, 0);
  callee->pc = nullptr;
  callee->sp = sp;
  thread->top_frame = callee;
  tos = call_synchronized_native(thread, callee);
  if (thread->pending_exception != nullptr) [[unlikely]] GO(unwind);
  BasicType type = thread->top_frame->method->return_type;
  frame = thread->top_frame->caller;
  sp = frame->sp;
  pc = frame->pc;
  locals = frame->locals;
  if (type == BasicType::Void) tos = *sp;
  else sp += slot_count(type);
  NEXT();
}

}  // namespace keyhole::interpreter
