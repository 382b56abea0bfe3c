// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Exception dispatch: unwinds from the frame that threw to the frame that handles the exception.
#pragma once

#include "runtime/threads/java_thread.h"
#include "vm/metadata/method.h"

namespace keyhole::interpreter {

// Unwinds for the pending exception. The top frame has saved its state. Pops frames, and releases their locks, until a
// frame handles the exception: its pc is then the handler, its only operand the exception, and nothing is pending any
// more. Unwinding stops with the exception still pending at an Entry frame, whose pc leads back to C++, and at a frame
// that owns native bytes (vm/code/compiled_code.h, L3): the result then says to return into that frame's code.
struct Unwound {
  Frame* frame;  // the frame that continues, in the interpreter unless the next field says otherwise
  bool is_returned_into;
  usize record_bytes;  // size of the call records of popped frames, still on the native stack (vm/code/compiled_code.h)
};
Unwound unwind_to_handler(JavaThread* thread) MAY_SAFEPOINT;

// The index of the method's handler for the pending exception raised at `bci`, or -1. Resolving a catch type may throw;
// the new exception then becomes the pending one, raised at the handler whose type was being resolved.
i32 find_handler(JavaThread* thread, const Method* method, u32 bci) MAY_SAFEPOINT;

// Ends the activations from the thread's top frame to `outermost` without searching their handlers. Their monitors are
// released, and their caller becomes the top frame, in its call. The pending exception stays pending.
void abandon_activations(JavaThread* thread, const Frame* outermost) MAY_SAFEPOINT;

// Called at the return of a method that locks: releases the monitor of a synchronized method. Returns false with
// IllegalMonitorStateException pending if the method still holds another monitor, or no longer holds its own (JVMS
// 2.11.10). Monitors that it still holds are released when the exception leaves the method.
[[nodiscard]] bool release_monitors_at_return(JavaThread* thread, Frame* frame) MAY_SAFEPOINT;

}  // namespace keyhole::interpreter
