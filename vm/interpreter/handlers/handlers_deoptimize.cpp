// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The interpreter's part of deoptimization: these handlers continue or unwind a frame whose optimised code has
// deoptimized (docs/deoptimization.md).
// When one of these handlers begins, the optimised code has freed its bytes of the native stack (compiled_code.h, L3).
// If the frame's caller is interpreted, the stub has also dropped the call record of the frame. All values are in their
// stack slots, except for the top operand, which some handlers get in tos. If the frame is in a call, its pc is the
// call site.
#include "runtime/recorder/recorder.h"
#include "vm/frames/materialization.h"
#include "vm/frames/recorded_deoptimization.h"
#include "vm/frames/unwind.h"
#include "vm/interpreter/compiler.h"
#include "vm/interpreter/handlers/frame_macros.h"

namespace keyhole::interpreter {

namespace {

// Sets the pc of a frame that is in a call back to the invoke. The frame must have no inlined activations.
void resume_at_call(Frame* frame) {
  const MethodCode* body = frame->method->body.load(std::memory_order_relaxed);
  frame->pc = body->instructions() + body->index_of_call_site(frame->pc);
}

}  // namespace

static SLOW_HANDLER(record_and_deoptimize) {
  SAVE_STATE();
  record_deoptimization(thread, pc, frame->method);
  RELOAD_TOS();
  table = thread->dispatch;
  AGAIN();
}

// LIFE(deoptimization) 6/10: a frame without inlined activations is complete, and continues at once
// Deoptimizes at an instruction, not in a call. The top operand is in tos.
HANDLER(deoptimize) {
  if (recorder::is_on(recorder::Family::code)) [[unlikely]]
    GO(record_and_deoptimize);
  table = thread->dispatch;
  AGAIN();
}

// Handles status_exception: unwinds for the exception that the callee has thrown. The frame's pc and sp have the values
// that they had during the call.
HANDLER(deoptimize_with_exception) {
  frame = thread->top_frame;
  frame->locals = locals_of(frame);
  if (frame->kind == FrameKind::Inlining) materialize_for_exception(thread, frame);  // else another error is pending
  else resume_at_call(frame);
  GO(unwind);
}

// Handles status_deoptimize: continues after the call. sp is the stack slot of the top operand, which is in tos.
HANDLER(deoptimize_after_call) {
  *sp = tos;
  frame->locals = locals_of(frame);
  frame->sp = sp;
  thread->top_frame = frame;
  const Method* method = frame->method;
  if (frame->kind == FrameKind::Inlining) {
    frame = materialize_after_call(thread, frame, sp);
    if (frame == nullptr) [[unlikely]]
      GO(unwind);
    sp = frame->sp;
  } else {
    resume_at_call(frame);
  }
  if (recorder::is_on(recorder::Family::code)) [[unlikely]] {
    thread->deopt_reason = static_cast<u32>(DeoptReason::Obsolete);
    record_deoptimization(thread, frame->pc, method);
  }
  RELOAD_TOS();
  pc = frame->pc;
  locals = frame->locals;
  table = thread->dispatch;
  NEXT();
}

// Deoptimizes at an instruction of an inlined method, not in a call. The innermost bci of the debug info is the bci of
// this instruction. All operands are in their stack slots.
HANDLER(deoptimize_inlined) {
  frame->locals = locals_of(frame);
  frame->sp = sp;
  thread->top_frame = frame;
  const Method* method = frame->method;
  frame = materialize(thread, frame);
  if (frame == nullptr) [[unlikely]]
    GO(unwind);
  if (recorder::is_on(recorder::Family::code)) [[unlikely]]
    record_deoptimization(thread, frame->pc, method);
  pc = frame->pc;
  locals = frame->locals;
  table = thread->dispatch;
  RELOAD_TOS();
  AGAIN();
}

}  // namespace keyhole::interpreter
