// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Frames that optimised code leaves (compiled_code.h, L3): its native bytes are gone, the stub has dropped the record
// where that was the interpreter's, and all of the frame is in its homes. At a call its pc is the site.
#include "runtime/recorder/recorder.h"
#include "vm/interpreter/compiler.h"
#include "vm/interpreter/frame_macros.h"
#include "vm/interpreter/recorded_code.h"
#include "vm/interpreter/unwind.h"

namespace keyhole::interpreter {

namespace {

// Not of one that is Inlining: its pc is the invoke.
void resume_at_call(Frame* frame) {
  const MethodCode* body = frame->method->body.load(std::memory_order_relaxed);
  frame->pc = body->cells() + body->index_of_call_site(frame->pc);
}

}  // namespace

static SLOW_HANDLER(record_and_leave_code) {
  SAVE_STATE();
  record_left(thread, pc, frame->method);
  RELOAD_TOS();
  table = thread->dispatch;
  AGAIN();
}

// At a cell, whose top operand is in tos.
HANDLER(leave_code) {
  if (recorder::is_on(recorder::Family::code)) [[unlikely]] GO(record_and_leave_code);
  table = thread->dispatch;
  AGAIN();
}

// Status 1: the exception that the callee has left pending goes on. The frame's sp is that of a frame in a call.
HANDLER(unwind_left_frame) {
  frame = thread->top_frame;
  frame->locals = locals_of(frame);
  if (frame->kind == FrameKind::Inlining) materialise_thrown(thread, frame);   // or another one has left it
  else resume_at_call(frame);
  GO(unwind);
}

// Status 2: behind the call. sp is the home of what is in tos.
HANDLER(continue_left_frame) {
  *sp = tos;
  frame->locals = locals_of(frame);
  frame->sp = sp;
  thread->top_frame = frame;
  const Method* method = frame->method;
  if (frame->kind == FrameKind::Inlining) {
    frame = materialise_returned(thread, frame, sp);
    if (frame == nullptr) [[unlikely]] GO(unwind);
    sp = frame->sp;
  } else {
    resume_at_call(frame);
  }
  if (recorder::is_on(recorder::Family::code)) [[unlikely]] {
    thread->left_for = static_cast<u32>(Left::Obsolete);
    record_left(thread, frame->pc, method);
  }
  RELOAD_TOS();
  pc = frame->pc;
  locals = frame->locals;
  table = thread->dispatch;
  NEXT();
}

// At a cell of an inlined method, not at a call: the site says only what is inlined, and its innermost bci is the
// cell's. All operands are in their homes.
HANDLER(step_into_left_frame) {
  frame->locals = locals_of(frame);
  frame->sp = sp;
  thread->top_frame = frame;
  const Method* method = frame->method;
  frame = materialise_left(thread, frame);
  if (frame == nullptr) [[unlikely]] GO(unwind);
  if (recorder::is_on(recorder::Family::code)) [[unlikely]] record_left(thread, frame->pc, method);
  pc = frame->pc;
  locals = frame->locals;
  table = thread->dispatch;
  RELOAD_TOS();
  AGAIN();
}

}  // namespace keyhole::interpreter
