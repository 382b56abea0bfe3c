// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes Java frames. Only this file knows how the frames of callee and caller overlap. runtime/threads/frame.h has the
// picture.
#pragma once

#include "vm/code/instruction.h"
#include "vm/frames/layout/virtual_frame.h"

namespace keyhole::interpreter {

// The pc of Entry frames. A return continues at the next instruction, which returns to C++.
const Instruction* entry_instruction();
inline const Instruction* exit_instruction() { return entry_instruction() + 1; }

// Whether a frame at `frame` with `stack_slots` operands ends below the limit.
inline bool ends_below(const Slot* limit, const Frame* frame, u32 stack_slots) {
  return reinterpret_cast<const Slot*>(frame + 1) + stack_slots <= limit;
}
inline bool has_room(const JavaThread* thread, const Frame* frame, u32 stack_slots) {
  return ends_below(thread->stack.java_limit, frame, stack_slots);
}
// Whether such a frame ends below the limit, and the thread has no request to poll for.
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
// Links the callee's frame to the caller's and pops the arguments from the caller. `sp` is at the last argument. The
// new frame is not the top frame yet.
inline void link_frame(Frame* frame, Frame* caller, Method* method, Slot* locals, FrameKind kind,
                       u32 lock_record_base) {
  caller->sp = locals - 1;
  make_frame(frame, caller, method, locals, kind, lock_record_base);
}

// Compiled code does not write two words of frames that can be computed: `locals` of its own frame (locals_of), until
// the interpreter takes the frame over; and `sp` of its caller's frame, which points below the arguments.

// The frame in which a return or an exception continues. Stack walks use virtual frames instead (virtual_frame.h).
inline Frame* caller_of(const Frame* frame) { return frame->caller; }

// Whether there is room for one more lock record.
inline bool has_lock_record(const JavaThread* thread) { return thread->lock_record_top < thread->lock_record_capacity; }
// Pushes a record for `object` on the thread's record stack.
inline LockRecord* push_lock_record(JavaThread* thread, Object* object) {
  LockRecord* record = &thread->lock_records[thread->lock_record_top++];
  record->object = object;
  KEYHOLE_ASSERT(record->displaced.load(std::memory_order_relaxed) == 0, "a record in use above the top");
  return record;
}
// Drops a released record. If there are records above it, the record is emptied instead, because records do not move.
inline void drop_lock_record(JavaThread* thread, Frame* frame, LockRecord* record) {
  record->object = nullptr;
  while (thread->lock_record_top > frame->lock_record_base &&
         thread->lock_records[thread->lock_record_top - 1].object == nullptr) {
    --thread->lock_record_top;
  }
}

}  // namespace keyhole::interpreter
