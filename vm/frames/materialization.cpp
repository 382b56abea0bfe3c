// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes the frame headers of inlined activations.
#include "vm/frames/materialization.h"

#include <cstring>

#include "runtime/sync/synchronizer.h"

namespace keyhole::interpreter {

// LIFE(deoptimization) 7/10: inlined activations get frame headers, eliminated locks are entered again
void materialize_frames(JavaThread* thread, Frame* frame, Frame* callee) {
  const DebugInfo& site = *debug_info_of(frame);
  KEYHOLE_ASSERT((site.eliminated_locks.empty() && site.further_slots == 0) || callee == nullptr,
                 "the callee lies above");
  Slot* const base = frame->stack_base() + site.further_slots;
  Slot* innermost_sp = frame->sp - site.further_slots;
  if (site.further_slots != 0)
    std::memmove(frame->stack_base(), base, static_cast<usize>(frame->sp + 1 - base) * sizeof(Slot));
  Frame* made = frame;
  for (auto activation = site.activations.rbegin(); activation != site.activations.rend(); ++activation) {
    if (activation != site.activations.rbegin()) {
      Slot* locals = frame->locals + activation->locals - site.further_slots;
      Frame* caller = made;
      made = reinterpret_cast<Frame*>(locals + activation->method->max_locals);
      link_frame(made, caller, activation->method, locals, FrameKind::Interpreted,
                 frame->lock_record_base + activation->lock_records + activation->eliminated_locks);
    } else {
      made->locals = locals_of(made);
      made->kind = FrameKind::Interpreted;
    }
    made->pc = made->method->body.load(std::memory_order_relaxed)->instruction_at(activation->bci);
  }
  for (u32 held : site.eliminated_locks) {
    LockRecord* record = push_lock_record(thread, thread->lock_records[frame->lock_record_base + held].object);
    sync::enter_held(thread, record->object, record);
  }
  made->sp = innermost_sp;
  if (callee != nullptr) callee->caller = made;
  else thread->top_frame = made;
}

}  // namespace keyhole::interpreter
