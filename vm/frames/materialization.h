// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Materialization: one frame of optimised code becomes the interpreter frames of its activations, with the objects and
// locks that the code has optimised away. docs/deoptimization.md describes who calls it, and when.
#pragma once

#include "vm/frames/layout/make_frame.h"

namespace keyhole::interpreter {

// Makes an interpreter frame of each activation of an Inlining frame: writes the frame headers; locals and operands are
// in their stack slots already. Enters eliminated locks again (DebugInfo::eliminated_locks). `callee` is the frame that
// the Inlining frame has called, or null if the Inlining frame is the thread's top frame.
void materialize_frames(JavaThread* thread, Frame* frame, Frame* callee) TOUCHES_OBJECTS;

// The following functions also allocate the scalar-replaced objects (rematerialization.cpp). `frame` is the thread's
// top frame. They return the innermost new frame. They return null if an OutOfMemoryError or StackOverflowError is
// pending and has ended all these activations.
//
// Materializes at a deopt point that is not a call.
Frame* materialize(JavaThread* thread, Frame* frame) MAY_SAFEPOINT;
// Materializes after a call that has returned; `sp` is the stack slot of the top operand.
Frame* materialize_after_call(JavaThread* thread, Frame* frame, Slot* sp) MAY_SAFEPOINT;
// Materializes when the callee has thrown the pending exception.
Frame* materialize_for_exception(JavaThread* thread, Frame* frame) MAY_SAFEPOINT;

}  // namespace keyhole::interpreter
