// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes StackTraceElements of (method, bci) pairs.
#pragma once

#include <vector>

#include "classlib/natives/support.h"

namespace keyhole::natives {

// Fills an existing StackTraceElement; false when something could not be allocated.
[[nodiscard]] bool fill_stack_trace_element(JavaThread* thread, Handle element, const Method* method, i32 bci)
    MAY_SAFEPOINT;

// The frames of a thread at one moment.
struct ThreadFrames {
  bool alive = false;
  std::vector<BacktraceEntry> frames;  // innermost first
};
// Takes at most `limit` frames of a thread (-XX:MaxJavaStackTraceDepth is for exceptions). World stopped. Once the
// thread has left these frames, only `kept` keeps those of their classes alive that may be unloaded
// (vm/link/loading/class_unloading.h, U6).
ThreadFrames frames_of(JavaThread* target, HandleScope& kept, usize limit = SIZE_MAX) TOUCHES_OBJECTS;
// Takes the frames that an exception of the thread would show: no hidden ones, at most -XX:MaxJavaStackTraceDepth.
ThreadFrames shown_frames_of(JavaThread* target, HandleScope& kept) TOUCHES_OBJECTS;
// Makes a StackTraceElement[] of the frames. Null: an exception is pending.
[[nodiscard]] Object* make_trace(JavaThread* thread, const ThreadFrames& trace) MAY_SAFEPOINT;

}  // namespace keyhole::natives
