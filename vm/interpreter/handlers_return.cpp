// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Returns: poll, release what the method has locked, hand the value to the caller.
//
// The caller's sp was left below the arguments, so the result goes on top of it; pc of an Entry frame leads to exit_to_vm.
#include "runtime/sync/fast_paths.h"
#include "vm/interpreter/handlers.h"
#include "vm/interpreter/java_frames.h"
#include "vm/interpreter/resolution.h"
#include "vm/interpreter/unwind.h"

namespace keyhole::interpreter {

#define POP_FRAME() do { frame = frame->caller; sp = frame->sp; pc = frame->pc; locals = frame->locals; } while (0)

#define RETURN_ONE(convert) do { tos = (convert); POP_FRAME(); ++sp; NEXT(); } while (0)
#define RETURN_WIDE() do { POP_FRAME(); sp += 2; NEXT(); } while (0)
#define RETURN_VOID() do { POP_FRAME(); tos = *sp; NEXT(); } while (0)

HANDLER(return_value) { POLL(); RETURN_ONE(tos); }
HANDLER(return_boolean) { POLL(); RETURN_ONE(tos & 1); }
HANDLER(return_byte) { POLL(); RETURN_ONE(to_slot(i32{static_cast<i8>(tos)})); }
HANDLER(return_char) { POLL(); RETURN_ONE(static_cast<u16>(tos)); }
HANDLER(return_short) { POLL(); RETURN_ONE(to_slot(i32{static_cast<i16>(tos)})); }
HANDLER(return_wide) { POLL(); RETURN_WIDE(); }
HANDLER(return_void) { POLL(); RETURN_VOID(); }

// Everything is released, or nothing is locked: the return itself.
static SLOW_HANDLER(return_released) {
  switch (operation_of(cell)) {
    case Operation::return_boolean_checked: RETURN_ONE(tos & 1);
    case Operation::return_byte_checked: RETURN_ONE(to_slot(i32{static_cast<i8>(tos)}));
    case Operation::return_char_checked: RETURN_ONE(static_cast<u16>(tos));
    case Operation::return_short_checked: RETURN_ONE(to_slot(i32{static_cast<i16>(tos)}));
    case Operation::return_wide_checked: RETURN_WIDE();
    case Operation::return_void_checked: RETURN_VOID();
    default: RETURN_ONE(tos);
  }
}

static SLOW_HANDLER(return_checked_slow) {
  SAVE_STATE();
  if (!release_monitors_at_return(thread, frame)) GO(unwind);
  RELOAD_TOS();
  cell = load_cell(pc);
  GO(return_released);
}

// The usual case inline: a synchronized method that holds its own monitor and nothing else. A load behind a CAS begins when the CAS is
// done, so what the caller goes on with is loaded before. `convert` makes the result; what is pushed on the caller's stack are `slots`.
#define RETURN_CHECKED(convert, slots) \
  POLL(); \
  u32 base = frame->lock_record_base; \
  Frame* caller = frame->caller; \
  const Cell* caller_pc = caller->pc; \
  Slot* caller_sp = caller->sp; \
  Slot* caller_locals = caller->locals; \
  Slot result = (convert); \
  u64 next = load_cell(caller_pc + 1); \
  if (thread->lock_record_top == base + 1 && frame->method->is_synchronized()) [[likely]] { \
    Object* object = thread->lock_records[base].object; \
    if (object == nullptr || !sync::fast_paths::lightweight::try_exit(thread, object, &thread->lock_records[base])) [[unlikely]] GO(return_checked_slow); \
    thread->lock_record_top = base; \
  } else if (thread->lock_record_top != base || frame->method->is_synchronized()) { \
    GO(return_checked_slow); \
  } \
  frame = caller; \
  sp = caller_sp + (slots); \
  locals = caller_locals; \
  tos = result; \
  pc = caller_pc + 1; \
  cell = next; \
  DISPATCH()

HANDLER(return_value_checked) { RETURN_CHECKED(tos, 1); }
HANDLER(return_boolean_checked) { RETURN_CHECKED(tos & 1, 1); }
HANDLER(return_byte_checked) { RETURN_CHECKED(to_slot(i32{static_cast<i8>(tos)}), 1); }
HANDLER(return_char_checked) { RETURN_CHECKED(static_cast<u16>(tos), 1); }
HANDLER(return_short_checked) { RETURN_CHECKED(to_slot(i32{static_cast<i16>(tos)}), 1); }
HANDLER(return_wide_checked) { RETURN_CHECKED(tos, 2); }
HANDLER(return_void_checked) { RETURN_CHECKED(*caller_sp, 0); }

static SLOW_HANDLER(return_registered) {
  SAVE_STATE();
  if (!register_finalizable(thread, as_object(locals[0]))) GO(unwind);
  RETURN_VOID();
}

// The return of Object.<init>; that method has no store, so local 0 is the object. Instances without a finalizer do not even get a
// frame (entry_object_initializer).
HANDLER(return_register_finalizer) {
  const Klass* klass = as_object(locals[0])->klass();
  if (klass->is_instance() && klass->as_instance()->has_finalizer) GO(return_registered);
  RETURN_VOID();
}

// Back to C++: enter() of java_call.cpp reads the result.
HANDLER(exit_to_vm) {
  thread->result = tos;
  thread->top_frame = frame;
}

HANDLER(end_of_code) {
  SAVE_STATE();
  KEYHOLE_FATAL("control fell off the end of {}", frame->method->external_name());
}

}  // namespace keyhole::interpreter
