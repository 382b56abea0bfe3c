// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Making Java frames: the one place that knows how callee and caller overlap (picture: runtime/threads/frame.h).
#pragma once

#include "vm/interpreter/cell.h"
#include "vm/link/frame_views.h"

namespace keyhole::interpreter {

// The pc of Entry frames: a return continues at the next cell, which leaves the interpreter.
const Cell* entry_cell();
inline const Cell* exit_cell() { return entry_cell() + 1; }

// True when a frame at `frame` with `stack_slots` operands ends below the limit.
inline bool ends_below(const Slot* limit, const Frame* frame, u32 stack_slots) {
  return reinterpret_cast<const Slot*>(frame + 1) + stack_slots <= limit;
}
inline bool has_room(const JavaThread* thread, const Frame* frame, u32 stack_slots) {
  return ends_below(thread->stack.java_limit, frame, stack_slots);
}
// False as well when the thread is to poll.
inline bool may_enter(const JavaThread* thread, const Frame* frame, u32 stack_slots) {
  return ends_below(thread->entry_limit.load(std::memory_order_relaxed), frame, stack_slots);
}

inline void make_frame(Frame* frame, Frame* caller, Method* method, Slot* locals, FrameKind kind,
                       u32 lock_record_base) {
  frame->caller = caller;
  frame->method = method;
  frame->locals = locals;
  frame->kind = kind;
  frame->lock_record_base = lock_record_base;
}
// `sp` is at the last argument. Pops the arguments from the caller; the new frame is not yet the top frame.
inline void link_frame(Frame* frame, Frame* caller, Method* method, Slot* locals, FrameKind kind,
                       u32 lock_record_base) {
  caller->sp = locals - 1;
  make_frame(frame, caller, method, locals, kind, lock_record_base);
}

// Compiled code does not write two words of a frame that can be computed: `locals` of its own frame (locals_of), until
// the interpreter takes it over (a hand-over, an exception), and `sp` of its caller's frame, which is below the
// arguments that are its locals.

// Where a return or an exception continues. Readers of stacks walk views (vm/link/frame_views.h).
inline Frame* caller_of(const Frame* frame) { return frame->caller; }

// Makes a frame of each view of an Inlining frame, so that all can be interpreted: writes the headers; everything else
// is in its home. Enters the levels of monitors that the code has left out. `callee` is the frame that it has called;
// null for the thread's top frame, whose callee is gone.
void materialise(JavaThread* thread, Frame* frame, Frame* callee) TOUCHES_OBJECTS;
// The same of the top frame that optimised code has left, with the objects that it has not made (rebuild.cpp): not at a
// call; behind one that has returned, with `sp` the home of what is on top then; in one that an exception leaves, which
// is pending. The innermost frame; null: an OutOfMemoryError is pending, and has left all these activations.
Frame* materialise_left(JavaThread* thread, Frame* frame) MAY_SAFEPOINT;
Frame* materialise_returned(JavaThread* thread, Frame* frame, Slot* sp) MAY_SAFEPOINT;
Frame* materialise_thrown(JavaThread* thread, Frame* frame) MAY_SAFEPOINT;

// Is there room for one more lock record?
inline bool has_lock_record(const JavaThread* thread) { return thread->lock_record_top < thread->lock_record_capacity; }
// A record for `object` on top of the thread's record stack.
inline LockRecord* push_lock_record(JavaThread* thread, Object* object) {
  LockRecord* record = &thread->lock_records[thread->lock_record_top++];
  record->object = object;
  KEYHOLE_ASSERT(record->displaced.load(std::memory_order_relaxed) == 0, "a record in use above the top");
  return record;
}
// Drops a released record. A record below others stays as an empty one: addresses are stable.
inline void drop_lock_record(JavaThread* thread, Frame* frame, LockRecord* record) {
  record->object = nullptr;
  while (thread->lock_record_top > frame->lock_record_base &&
         thread->lock_records[thread->lock_record_top - 1].object == nullptr) {
    --thread->lock_record_top;
  }
}

}  // namespace keyhole::interpreter
