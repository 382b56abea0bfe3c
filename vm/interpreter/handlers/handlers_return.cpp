// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Returns of methods that do not lock, and the return to C++. handlers_over.h has the returns of methods that lock.
// Returns do not poll (docs/safepoints.md).
//
// A return to an Entry frame dispatches exit_to_vm, the instruction after the frame's pc.
#include "vm/interpreter/handlers/frame_macros.h"
#include "vm/interpreter/resolution.h"

namespace keyhole::interpreter {

HANDLER(return_value) { RETURN_ONE(tos); }
HANDLER(return_boolean) { RETURN_ONE(tos & 1); }
HANDLER(return_byte) { RETURN_ONE(to_slot(i32{static_cast<i8>(tos)})); }
HANDLER(return_char) { RETURN_ONE(static_cast<u16>(tos)); }
HANDLER(return_short) { RETURN_ONE(to_slot(i32{static_cast<i16>(tos)})); }
HANDLER(return_wide) { RETURN_WIDE(); }
HANDLER(return_void) { RETURN_VOID(); }

static SLOW_HANDLER(return_registered) {
  SAVE_STATE();
  if (!register_finalizable(thread, as_object(locals[0]))) GO(unwind);
  RETURN_VOID();
}

// The return of Object.<init>. Local 0 is still the object, because Object.<init> stores to no local. If the object has
// no finalizer, Object.<init> needs no frame (entry_object_initializer).
HANDLER(return_register_finalizer) {
  const Klass* klass = as_object(locals[0])->klass();
  if (klass->is_instance() && klass->as_instance()->has_finalizer) GO(return_registered);
  RETURN_VOID();
}

// Returns to C++. enter() of java_call.cpp reads the result.
HANDLER(exit_to_vm) {
  thread->result = tos;
  thread->top_frame = frame;
}

HANDLER(end_of_code) {
  SAVE_STATE();
  KEYHOLE_FATAL("control fell off the end of {}", frame->method->external_name());
}

}  // namespace keyhole::interpreter
