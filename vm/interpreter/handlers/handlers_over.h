// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
// All handlers that lock: monitorenter and monitorexit, the entry and the returns of methods that lock. They are
// templates that inline the snippet of the locking algorithm; the rest of the algorithm is in runtime/sync. The
// templates are in a header so that a lock outside this executable can instantiate them with its own snippet.
//
// Each enter pushes a lock record on the thread's record stack, each exit drops the frame's innermost record of that
// object. A method must not release a monitor without a record in its frame (structured locking, JVMS 2.11.10).
//
// R1: a load after a CAS starts only when the CAS is done, and the CAS starts only when all earlier stores are done. So
//     values that a handler needs after locking are loaded before the CAS, and stores that can be delayed are done
//     after it.
// R2: a handler pushes a record after the snippet has locked with it, and pops it after the snippet has released the
//     lock. So whenever the collector runs, `displaced` is 0 in all records above the top.
#pragma once

#include "vm/interpreter/handlers/frame_macros.h"
#include "vm/interpreter/handlers/locking_handlers.h"

namespace keyhole::interpreter {

// The slow paths of handlers that lock. These slow paths are the same for all snippets (handlers_sync.cpp).
SLOW_HANDLER(monitorenter_slow);
SLOW_HANDLER(monitorexit_slow);
SLOW_HANDLER(return_checked_slow);
// Slow path of a synchronized method's entry: the callee's frame is complete, and pc is at its first instruction.
HANDLER(lock_and_start);

// Defines a handler as a template over the snippet of a locking algorithm.
#define LOCKING_HANDLER(name) template <typename FastPath> HANDLER(name)

// --- monitorenter, monitorexit ---------------------------------------------------------------------------------------

// LIFE(monitorenter) 3/10: null check, a lock record, the snippet; most enters end here
LOCKING_HANDLER(monitorenter) {
  CHECK_NULL(tos);
  Slot below = sp[-1];
  u64 next = load_instruction(pc + 1);
  u32 record_index = thread->lock_record_top;
  LockRecord* record = thread->lock_records + record_index;
  if (record_index >= thread->lock_record_capacity) [[unlikely]]
    GO(monitorenter_slow);
  if (!FastPath::try_enter(thread, as_object(tos), record)) [[unlikely]]
    GO(monitorenter_slow);
  thread->lock_record_top = record_index + 1;
  record->object = as_object(tos);
  tos = below;
  --sp;
  ++pc;
  word = next;
  DISPATCH();
}

LOCKING_HANDLER(monitorexit) {
  CHECK_NULL(tos);
  u32 top = thread->lock_record_top;
  if (top <= frame->lock_record_base) [[unlikely]]
    GO(monitorexit_slow);
  Slot below = sp[-1];
  u64 next = load_instruction(pc + 1);
  LockRecord* record = &thread->lock_records[top - 1];
  if (record->object != as_object(tos)) [[unlikely]]
    GO(monitorexit_slow);
  if (!FastPath::try_exit(thread, as_object(tos), record)) [[unlikely]]
    GO(monitorexit_slow);
  // The record below the dropped record may be empty, because its lock was released out of order. The next slow exit or
  // the return drops such a record.
  thread->lock_record_top = top - 1;
  tos = below;
  --sp;
  ++pc;
  word = next;
  DISPATCH();
}

// --- the entry of a synchronized method ------------------------------------------------------------------------------

#define START_LOCKED(locked, go_on)                                                                          \
  PLACE_BYTECODE_FRAME();                                                                                    \
  Object* object = (locked);                                                                                 \
  pc = method->body.load(std::memory_order_relaxed)->instructions();                                         \
  word = load_instruction(pc);                                                                               \
  u32 record_index = thread->lock_record_top;                                                                \
  LockRecord* record = thread->lock_records + record_index;                                                  \
  bool entered = record_index < thread->lock_record_capacity && FastPath::try_enter(thread, object, record); \
  ENTER_FRAME(FrameKind::Interpreted, record_index);                                                         \
  if (!entered) [[unlikely]]                                                                                 \
    GO(interp_lock_and_start);                                                                               \
  thread->lock_record_top = record_index + 1;                                                                \
  record->object = object;                                                                                   \
  go_on

LOCKING_HANDLER(entry_synchronized) { START_LOCKED(as_object(*callee_locals), DISPATCH()); }
LOCKING_HANDLER(entry_synchronized_static) {
  START_LOCKED(reinterpret_cast<Klass*>(method->holder)->mirror, DISPATCH());
}
// Entries of compiled methods, used when the compiling tier cannot emit the snippet itself.
LOCKING_HANDLER(entry_synchronized_compiled) { START_LOCKED(as_object(*callee_locals), GO(resume_in_code)); }
LOCKING_HANDLER(entry_synchronized_static_compiled) {
  START_LOCKED(reinterpret_cast<Klass*>(method->holder)->mirror, GO(resume_in_code));
}

// --- the returns of methods that lock --------------------------------------------------------------------------------

// Inlines the usual return: a synchronized method that holds its own monitor and no other. `convert` makes the result,
// which takes `slots` slots on the caller's stack.
#define RETURN_CHECKED(convert, slots)                                                      \
  u32 base = frame->lock_record_base;                                                       \
  Frame* caller = caller_of(frame);                                                         \
  const Instruction* caller_pc = caller->pc;                                                \
  Slot* caller_sp = CALLER_SP();                                                            \
  Slot* caller_locals = caller->locals;                                                     \
  Slot result = (convert);                                                                  \
  u64 next = load_instruction(caller_pc + 1);                                               \
  if (thread->lock_record_top == base + 1 && frame->method->is_synchronized()) [[likely]] { \
    LockRecord* record = &thread->lock_records[base];                                       \
    Object* object = record->object;                                                        \
    if (object == nullptr || !FastPath::try_exit(thread, object, record)) [[unlikely]]      \
      GO(return_checked_slow);                                                              \
    thread->lock_record_top = base;                                                         \
  } else if (thread->lock_record_top != base || frame->method->is_synchronized()) {         \
    GO(return_checked_slow);                                                                \
  }                                                                                         \
  frame = caller;                                                                           \
  sp = caller_sp + (slots);                                                                 \
  locals = caller_locals;                                                                   \
  tos = result;                                                                             \
  pc = caller_pc + 1;                                                                       \
  word = next;                                                                              \
  DISPATCH()

LOCKING_HANDLER(return_value_checked) { RETURN_CHECKED(tos, 1); }
LOCKING_HANDLER(return_boolean_checked) { RETURN_CHECKED(tos & 1, 1); }
LOCKING_HANDLER(return_byte_checked) { RETURN_CHECKED(to_slot(i32{static_cast<i8>(tos)}), 1); }
LOCKING_HANDLER(return_char_checked) { RETURN_CHECKED(static_cast<u16>(tos), 1); }
LOCKING_HANDLER(return_short_checked) { RETURN_CHECKED(to_slot(i32{static_cast<i16>(tos)}), 1); }
LOCKING_HANDLER(return_wide_checked) { RETURN_CHECKED(tos, 2); }
LOCKING_HANDLER(return_void_checked) { RETURN_CHECKED(*caller_sp, 0); }

// --- the handlers that lock, instantiated for one snippet ------------------------------------------------------------

template <typename FastPath>
inline constexpr LockingHandlers handlers_over = {
#define OPERATION(...)
#define LOCKING_OPERATION(name, ...) .name = interp_##name<FastPath>,
#include "vm/code/operations.def"
#undef OPERATION
    .entry_synchronized = interp_entry_synchronized<FastPath>,
    .entry_synchronized_static = interp_entry_synchronized_static<FastPath>,
    .entry_synchronized_compiled = interp_entry_synchronized_compiled<FastPath>,
    .entry_synchronized_static_compiled = interp_entry_synchronized_static_compiled<FastPath>,
};

}  // namespace keyhole::interpreter
