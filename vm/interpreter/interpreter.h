// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The interpreter, seen from outside. How it works inside: vm/interpreter/README.md.
#pragma once

#include "gc/roots.h"
#include "vm/link/method.h"

namespace keyhole::interpreter {

// Fills the handler tables; call once.
void initialize();
// The entry of a fresh method: decode, link native, abstract... Called by vm/link when it makes a Method.
MethodEntry first_entry(const Method* method);

// Reports every live reference in the thread's frames, by frame maps. World stopped, or own thread.
void visit_stack_roots(JavaThread* thread, gc::RootVisitor& visitor);

// Walks frames from the innermost; stop when visit returns false. Own thread, or world stopped. Entry frames are skipped.
struct FrameInfo {
  Frame* frame;
  Method* method;
  i32 bci;                    // -1 for native methods
};
template <typename Visitor> void walk_frames(JavaThread* thread, Visitor&& visit);
FrameInfo describe(Frame* frame);

template <typename Visitor> void walk_frames(JavaThread* thread, Visitor&& visit) {
  for (Frame* frame = thread->top_frame; frame != nullptr; frame = frame->caller) {
    if (frame->kind == FrameKind::Entry) continue;
    if (!visit(describe(frame))) return;
  }
}

}  // namespace keyhole::interpreter
