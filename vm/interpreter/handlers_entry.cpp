// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The method entries of entries.h that do not lock.
#include "vm/interpreter/decoder.h"
#include "vm/interpreter/entries.h"
#include "vm/interpreter/frame_macros.h"
#include "vm/interpreter/raise.h"
#include "vm/link/exceptions.h"
#include "vm/link/linker.h"

namespace keyhole::interpreter {

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

HANDLER(entry_interpreted) {
  MAKE_FRAME(FrameKind::Interpreted, method->max_stack);
  pc = method->body.load(std::memory_order_relaxed)->cells();
  AGAIN();
}

// --- trivial ---------------------------------------------------------------------------------------------------------

HANDLER(entry_object_initializer) {
  const Klass* klass = as_object(*sp)->klass();
  if (klass->is_instance() && klass->as_instance()->has_finalizer) [[unlikely]] GO(interp_entry_interpreted);
  POP();
  NEXT();
}

// --- native ----------------------------------------------------------------------------------------------------------

#define CALL_NATIVE() \
  MAKE_FRAME(FrameKind::Native, 0); \
  callee->pc = nullptr; \
  callee->sp = sp; \
  thread->top_frame = callee; \
  tos = method->native.load(std::memory_order_relaxed)(thread, locals); \
  if (thread->pending_exception != nullptr) [[unlikely]] GO(unwind); \
  frame = caller_of(thread->top_frame); \
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
  frame = caller_of(thread->top_frame);
  sp = frame->sp;
  pc = frame->pc;
  locals = frame->locals;
  if (type == BasicType::Void) tos = *sp;
  else sp += slot_count(type);
  NEXT();
}

}  // namespace keyhole::interpreter
