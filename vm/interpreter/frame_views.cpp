// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// From a frame's pc to its instruction and inlined activations; and frames made from those.
#include "vm/link/frame_views.h"

#include "vm/interpreter/compiled_code.h"
#include "vm/interpreter/java_frames.h"

namespace keyhole {
namespace {

struct FoundCallSite {
  const CompiledCode* code;   // null: not a cell of the body
  usize index;
};
FoundCallSite find_call_site(const MethodCode* body, const Cell* cell) {
  for (const CompiledCode* code = body->compiled.load(std::memory_order_acquire); code != nullptr;
       code = code->previous) {
    usize distance = reinterpret_cast<uptr>(cell) - reinterpret_cast<uptr>(code->sites);
    if (distance < code->site_count * sizeof(CompiledCallSite)) return {code, distance / sizeof(CompiledCallSite)};
  }
  return {};
}

}  // namespace

u32 MethodCode::index_of_call_site(const Cell* cell) const {
  KEYHOLE_ASSERT(find_call_site(this, cell).code != nullptr, "no cell of {}: {}", method->external_name(),
                 static_cast<const void*>(cell));
  return interpreter::operand_a(interpreter::load_cell(cell + 1));
}

namespace interpreter {

i32 bci_of(const Frame* frame) {
  return static_cast<i32>(frame->method->body.load(std::memory_order_relaxed)->bci_of(frame->pc));
}

CallSiteViews* views_of_call_site(const Frame* frame) {
  // While a method is being redefined its frames still refer to it, and their body belongs to the copy.
  for (const Method* method = frame->method; method != nullptr; method = method->replaced) {
    const MethodCode* body = method->body.load(std::memory_order_acquire);
    if (body == nullptr) continue;
    if (FoundCallSite site = find_call_site(body, frame->pc); site.code != nullptr)
      return &site.code->site_views[site.index];
  }
  KEYHOLE_FATAL("no call site of {}: {}", frame->method->external_name(), static_cast<const void*>(frame->pc));
}

void materialise(JavaThread* thread, Frame* frame, Frame* callee) {
  const CallSiteViews& site = *views_of_call_site(frame);
  Slot* innermost_sp = frame->sp;
  Frame* made = frame;
  for (auto view = site.views.rbegin(); view != site.views.rend(); ++view) {
    if (view != site.views.rbegin()) {
      Slot* locals = frame->locals + view->locals;
      Frame* caller = made;
      made = reinterpret_cast<Frame*>(locals + view->method->max_locals);
      link_frame(made, caller, view->method, locals, FrameKind::Interpreted,
                 frame->lock_record_base + view->lock_records);
    } else {
      made->locals = locals_of(made);
      made->kind = FrameKind::Interpreted;
    }
    made->pc = made->method->body.load(std::memory_order_relaxed)->cell_of(view->bci);
  }
  made->sp = innermost_sp;
  if (callee != nullptr) callee->caller = made;
  else thread->top_frame = made;
}

}  // namespace interpreter
}  // namespace keyhole
