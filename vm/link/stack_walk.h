// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Walking a thread's Java frames: what stack traces, caller checks and StackWalker need. describe() is implemented by
// vm/interpreter, which alone can read a frame's pc.
#pragma once

#include "vm/link/method.h"

namespace keyhole::interpreter {

// Walks frames from the innermost; stop when visit returns false. Own thread, or world stopped. Entry frames are skipped.
struct FrameInfo {
  Frame* frame;
  Method* method;
  i32 bci;                    // -1 for native methods
};
FrameInfo describe(Frame* frame);

template <typename Visitor> void walk_frames(JavaThread* thread, Visitor&& visit) {
  for (Frame* frame = thread->top_frame; frame != nullptr; frame = frame->caller) {
    if (frame->kind == FrameKind::Entry) continue;
    if (!visit(describe(frame))) return;
  }
}

}  // namespace keyhole::interpreter
