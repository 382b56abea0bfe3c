// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// What entries and returns are written with: a handler's registers move to the callee's frame, and back to the caller's.
#pragma once

#include "vm/interpreter/handlers.h"
#include "vm/interpreter/java_frames.h"

// --- entries (entries.h): tos is the callee, sp its last argument -----------------------------------------------------------

#define CALLEE() (reinterpret_cast<Method*>(tos))
// Where the arguments begin. Their number comes from the cell: the address does not wait for a load from the Method.
#define ARGUMENTS() (sp + 1 - operand_a(cell))

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

// --- returns: the caller's sp was left below the arguments, so the result goes on top of it ---------------------------------

#define POP_FRAME() do { frame = frame->caller; sp = frame->sp; pc = frame->pc; locals = frame->locals; } while (0)

#define RETURN_ONE(convert) do { tos = (convert); POP_FRAME(); ++sp; NEXT(); } while (0)
#define RETURN_WIDE() do { POP_FRAME(); sp += 2; NEXT(); } while (0)
#define RETURN_VOID() do { POP_FRAME(); tos = *sp; NEXT(); } while (0)
