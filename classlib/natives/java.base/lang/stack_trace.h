// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// StackTraceElements from (method, bci) pairs.
#pragma once

#include <vector>

#include "classlib/natives/support.h"

namespace keyhole::natives {

// Fills an existing StackTraceElement; false when something could not be allocated.
[[nodiscard]] bool fill_stack_trace_element(JavaThread* thread, Handle element, const Method* method, i32 bci)
    MAY_SAFEPOINT;

// What a thread was doing.
struct ThreadFrames {
  bool alive = false;
  std::vector<BacktraceEntry> frames;  // innermost first
};
// World stopped; at most `limit` frames (-XX:MaxJavaStackTraceDepth is about exceptions). The frames are another
// thread's: when it leaves them, only `kept` holds the classes that may be unloaded (vm/link/loading/class_unloading.h,
// U6).
ThreadFrames frames_of(JavaThread* target, HandleScope& kept, usize limit = SIZE_MAX) TOUCHES_OBJECTS;
// As an exception of the thread would show them: no hidden ones, at most -XX:MaxJavaStackTraceDepth.
ThreadFrames shown_frames_of(JavaThread* target, HandleScope& kept) TOUCHES_OBJECTS;
// The same as a StackTraceElement[]. Null with an exception.
[[nodiscard]] Object* make_trace(JavaThread* thread, const ThreadFrames& trace) MAY_SAFEPOINT;

}  // namespace keyhole::natives
