// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Exception dispatch: unwinds from the frame that threw to the frame that handles the exception.
#pragma once

#include "runtime/threads/java_thread.h"
#include "vm/metadata/method.h"

namespace keyhole::interpreter {

// thread->top_frame has saved its state and thread->pending_exception is set. Pops frames (releasing what they have
// locked) until one handles the exception: then its pc is the handler, its only operand the exception, and nothing is
// pending. When an Entry frame is met, that frame is returned with the exception still pending; its pc leads back to
// C++. When a frame is met that owns native bytes (vm/code/compiled_code.h, L3), the result says to return into its
// code, with the exception still pending.
struct Unwound {
  Frame* frame;  // it continues in the interpreter, unless:
  bool is_returned_into;
  usize record_bytes;  // of call records of popped frames, still on the native stack (vm/code/compiled_code.h)
};
Unwound unwind_to_handler(JavaThread* thread) MAY_SAFEPOINT;

// The index of the method's handler for the pending exception raised at `bci`, or -1. Resolving a catch type can throw:
// then that exception is the pending one, raised at the handler it was resolved for.
i32 find_handler(JavaThread* thread, const Method* method, u32 bci) MAY_SAFEPOINT;

// Ends the activations from the thread's top frame to `outermost` without searching their handlers. Their monitors are
// released, and their caller becomes the top frame, in its call. The pending exception stays pending.
void abandon_activations(JavaThread* thread, const Frame* outermost) MAY_SAFEPOINT;

// At the return of a method that locks: releases the monitor of a synchronized method. False:
// IllegalMonitorStateException is pending, because the method still holds another monitor, or no longer holds its own
// (JVMS 2.11.10). Monitors that it still holds are released when the exception leaves the method.
[[nodiscard]] bool release_monitors_at_return(JavaThread* thread, Frame* frame) MAY_SAFEPOINT;

}  // namespace keyhole::interpreter
