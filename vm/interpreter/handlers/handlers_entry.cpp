// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The method entries of entries.h that do not lock.
#include "vm/code/compiled_code.h"
#include "vm/frames/execution_sample.h"
#include "vm/interpreter/decoder.h"
#include "vm/interpreter/entries.h"
#include "vm/interpreter/handlers/frame_macros.h"
#include "vm/interpreter/raise.h"
#include "vm/interpreter/tier_policy.h"
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

// Returns the level of the code that a call of the method enters; 0 if the method is interpreted.
static u8 level_of(const Method* method) {
  const MethodCode* body = method->body.load(std::memory_order_acquire);
  const CompiledCode* code = body == nullptr ? nullptr : newest_in_use(body);
  return code == nullptr ? 0 : code->level;
}

// Returns whether the new frame has to poll because the sampler has requested a sample. If the method has code of the
// middle tier, this function takes the request and records the sample itself. If the method has code of the optimising
// tier, the request stays, because the sampler has no interest in such code.
static bool polls_for_sampler(JavaThread* thread, Frame* caller, Method* method) {
  if (!safepoint::is_sample_requested(thread)) return false;
  u8 level = level_of(method);
  if (level == middle_level && safepoint::take_sample_request(thread)) {
    thread->top_frame = caller;
    tier_policy()->note_sample_at_entry(thread, method);
    return false;
  }
  return level != optimised_level;
}

// Slow path of all entries that make a frame: of interpreted and compiled methods, with or without a lock. This slow
// path makes the frame only if the thread has to poll, because a frame made here starts in the interpreter or in
// baseline code. The thread polls in the callee's frame, whose frame map gives the types of the callee's locals. The
// caller's invoke might not give the types of all arguments: a linked call site also passes its appendix, for example.
[[gnu::noinline]] HANDLER(enter_slowly) {
  Method* method = CALLEE();
  if (safepoint::take_execution_sample_request(thread)) {
    thread->top_frame = frame;
    record_execution_sample_at_entry(thread, method);
  }
  if (!polls_for_sampler(thread, frame, method) && safepoint::pass_entry(thread)) {
    word = u64{method->argument_slots} << 16;
    ENTER_METHOD(method);
  }
  Slot* callee_locals = sp + 1 - method->argument_slots;
  Frame* callee = reinterpret_cast<Frame*>(callee_locals + method->max_locals);
  if (!has_room(thread, callee, method->max_stack)) GO(raise_stack_overflow);
  ENTER_FRAME(FrameKind::Interpreted, thread->lock_record_top);
  pc = method->body.load(std::memory_order_relaxed)->instructions();
  word = load_instruction(pc);
  // Object.<init> does not poll. Its only instruction, return_register_finalizer, uses `this`. But the frame map
  // describes a bare return, and would not keep the object alive during the poll. The caller polls at its next branch
  // or call.
  if (operation_of(word) == Operation::return_register_finalizer) DISPATCH();
  GO(interp_poll_and_start);
}

HANDLER(entry_interpreted) {
  PLACE_BYTECODE_FRAME();
  ENTER_FRAME(FrameKind::Interpreted, thread->lock_record_top);
  pc = method->body.load(std::memory_order_relaxed)->instructions();
  AGAIN();
}

// --- trivial ---------------------------------------------------------------------------------------------------------

HANDLER(entry_object_initializer) {
  const Klass* klass = as_object(*sp)->klass();
  if (klass->is_instance() && klass->as_instance()->has_finalizer) [[unlikely]]
    GO(interp_entry_interpreted);
  POP();
  NEXT();
}

// --- native ----------------------------------------------------------------------------------------------------------

HANDLER(entry_native_void) {
  CALL_NATIVE(method->native.load(std::memory_order_relaxed)(thread, locals));
  tos = *sp;
  NEXT();
}
HANDLER(entry_native_value) {
  CALL_NATIVE(method->native.load(std::memory_order_relaxed)(thread, locals));
  ++sp;
  NEXT();
}
HANDLER(entry_native_wide) {
  CALL_NATIVE(method->native.load(std::memory_order_relaxed)(thread, locals));
  sp += 2;
  NEXT();
}

[[gnu::noinline]] HANDLER(entry_native_synchronized) {
  MAKE_NATIVE_FRAME();
  callee->pc = nullptr;
  callee->sp = sp;
  thread->top_frame = callee;
  tos = call_synchronized_native(thread, callee);
  if (thread->pending_exception != nullptr) [[unlikely]]
    GO(unwind);
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
