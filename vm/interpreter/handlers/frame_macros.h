// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Macros for entries and returns: they move a handler's registers to the callee's frame, and back to the caller's.
#pragma once

#include "vm/frames/layout/make_frame.h"
#include "vm/interpreter/handlers/handlers.h"

// --- entries (entries.h): tos is the callee, sp its last argument ----------------------------------------------------

#define CALLEE() (reinterpret_cast<Method*>(tos))
// The address of the arguments. Their number comes from the instruction: no need to wait for a load from the Method.
#define ARGUMENTS() (sp + 1 - operand_a(cell))

#define PLACE_FRAME()                \
  Method* method = CALLEE();         \
  Slot* callee_locals = ARGUMENTS(); \
  Frame* callee = reinterpret_cast<Frame*>(callee_locals + method->max_locals)
// Of bytecode: where it polls, too.
#define PLACE_BYTECODE_FRAME()                                    \
  PLACE_FRAME();                                                  \
  if (!may_enter(thread, callee, method->max_stack)) [[unlikely]] \
  GO(interp_enter_slowly)
// The state of the callee from here on: frame, locals, an empty operand stack.
#define ENTER_FRAME(kind, lock_record_base)                                     \
  link_frame(callee, frame, method, callee_locals, (kind), (lock_record_base)); \
  frame = callee;                                                               \
  locals = callee_locals;                                                       \
  sp = &callee->below_stack
#define MAKE_NATIVE_FRAME()                      \
  PLACE_FRAME();                                 \
  if (!has_room(thread, callee, 0)) [[unlikely]] \
    GO(raise_stack_overflow);                    \
  ENTER_FRAME(FrameKind::Native, thread->lock_record_top)
// A native method from its frame to its caller's: `call` is its body, on thread and locals; tos is what that returns,
// and sp is below the arguments.
#define CALL_NATIVE(call)                                \
  MAKE_NATIVE_FRAME();                                   \
  callee->pc = nullptr;                                  \
  callee->sp = sp;                                       \
  thread->top_frame = callee;                            \
  tos = (call);                                          \
  if (thread->pending_exception != nullptr) [[unlikely]] \
    GO(unwind);                                          \
  frame = caller_of(thread->top_frame);                  \
  sp = frame->sp;                                        \
  pc = frame->pc;                                        \
  locals = frame->locals

// --- returns: the result goes on top of the caller's operands, in the place of the first argument --------------------

// The caller's sp is below the arguments (link_frame), which are the callee's locals: no load is needed.
#define CALLER_SP() (locals - 1)
#define POP_FRAME()           \
  do {                        \
    sp = CALLER_SP();         \
    frame = caller_of(frame); \
    pc = frame->pc;           \
    locals = frame->locals;   \
  } while (0)

#define RETURN_ONE(convert) \
  do {                      \
    tos = (convert);        \
    POP_FRAME();            \
    ++sp;                   \
    NEXT();                 \
  } while (0)
#define RETURN_WIDE() \
  do {                \
    POP_FRAME();      \
    sp += 2;          \
    NEXT();           \
  } while (0)
#define RETURN_VOID() \
  do {                \
    POP_FRAME();      \
    tos = *sp;        \
    NEXT();           \
  } while (0)
// NEXT() of an entry behind which the native stack is another one.
#define NEXT_BEHIND_A_SWITCH()                                                         \
  do {                                                                                 \
    ++pc;                                                                              \
    cell = load_cell(pc);                                                              \
    if (operation_of(cell) == Operation::resume_compiled) GO(resume_compiled_by_jump); \
    DISPATCH();                                                                        \
  } while (0)
