// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Macros for entries and returns: they move a handler's registers to the callee's frame, and back to the caller's.
#pragma once

#include "vm/frames/layout/make_frame.h"
#include "vm/interpreter/handlers/handlers.h"

// --- entries (entries.h): tos is the callee, sp its last argument ----------------------------------------------------

#define CALLEE() (reinterpret_cast<Method*>(tos))
// The address of the first argument. The instruction holds the number of arguments, which saves a load from the Method.
#define ARGUMENTS() (sp + 1 - operand_a(word))

#define PLACE_FRAME()                \
  Method* method = CALLEE();         \
  Slot* callee_locals = ARGUMENTS(); \
  Frame* callee = reinterpret_cast<Frame*>(callee_locals + method->max_locals)
// Computes the place of a bytecode method's frame, and checks that the frame ends below the thread's entry limit. The
// check is also the poll: while a thread has to poll, no frame ends below its entry limit.
#define PLACE_BYTECODE_FRAME()                                    \
  PLACE_FRAME();                                                  \
  if (!may_enter(thread, callee, method->max_stack)) [[unlikely]] \
  GO(interp_enter_slowly)
// Switches the registers to the callee: its frame, its locals, an empty operand stack.
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
// Makes a native method's frame, evaluates `call` (the C++ body, which uses `thread` and `locals`), and returns to the
// caller's frame. Afterwards tos is the body's result, and sp is below the arguments.
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

// Computes the caller's sp without a load: it is the slot below the callee's local 0, the first argument (link_frame).
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
// NEXT() for entries that may have switched to another native stack (mounting or unmounting a continuation).
#define NEXT_BEHIND_A_SWITCH()                                                         \
  do {                                                                                 \
    ++pc;                                                                              \
    word = load_instruction(pc);                                                       \
    if (operation_of(word) == Operation::resume_compiled) GO(resume_compiled_by_jump); \
    DISPATCH();                                                                        \
  } while (0)
