// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// From a frame's pc to its instruction; and frames made from inlined activations.
#include "vm/link/frame_views.h"

#include <cstring>

#include "runtime/sync/synchronizer.h"
#include "vm/interpreter/handlers.h"
#include "vm/interpreter/java_frames.h"

namespace keyhole::interpreter {

i32 bci_of(const Frame* frame) {
  return static_cast<i32>(frame->method->body.load(std::memory_order_relaxed)->bci_of(frame->pc));
}

void materialise(JavaThread* thread, Frame* frame, Frame* callee) {
  const CallSiteViews& site = *views_of_call_site(frame);
  KEYHOLE_ASSERT((site.left_out.empty() && site.further_slots == 0) || callee == nullptr, "the callee lies above");
  Slot* const base = frame->stack_base() + site.further_slots;
  Slot* innermost_sp = frame->sp - site.further_slots;
  if (site.further_slots != 0)
    std::memmove(frame->stack_base(), base, static_cast<usize>(frame->sp + 1 - base) * sizeof(Slot));
  Frame* made = frame;
  for (auto view = site.views.rbegin(); view != site.views.rend(); ++view) {
    if (view != site.views.rbegin()) {
      Slot* locals = frame->locals + view->locals - site.further_slots;
      Frame* caller = made;
      made = reinterpret_cast<Frame*>(locals + view->method->max_locals);
      link_frame(made, caller, view->method, locals, FrameKind::Interpreted,
                 frame->lock_record_base + view->lock_records + view->left_out);
    } else {
      made->locals = locals_of(made);
      made->kind = FrameKind::Interpreted;
    }
    made->pc = made->method->body.load(std::memory_order_relaxed)->cell_of(view->bci);
  }
  for (u32 held : site.left_out) {
    LockRecord* record = push_lock_record(thread, thread->lock_records[frame->lock_record_base + held].object);
    sync::enter_held(thread, record->object, record);
  }
  made->sp = innermost_sp;
  if (callee != nullptr) callee->caller = made;
  else thread->top_frame = made;
}

}  // namespace keyhole::interpreter
