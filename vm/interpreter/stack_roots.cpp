// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// References on Java stacks: interpreted frames by frame map, native frames by descriptor.
#include "gc/root_set.h"
#include "runtime/threads/threads.h"
#include "vm/interpreter/cell.h"
#include "vm/interpreter/interpreter.h"
#include "vm/interpreter/java_frames.h"
#include "vm/interpreter/stack_roots.h"
#include "vm/link/instance_klass.h"
#include "vm/verify/frame_map.h"

namespace keyhole::interpreter {
namespace {

void visit_slot(gc::RootVisitor& visitor, Slot* slot) {
  if (*slot != 0) visitor.visit(reinterpret_cast<Object**>(slot));
}

// Arguments of `method`, first slot at `first`.
void visit_arguments(gc::RootVisitor& visitor, const Method* method, Slot* first) {
  if (!method->is_static()) visit_slot(visitor, first++);
  for (DescriptorIterator it(method->descriptor); !it.at_end(); it.next()) {
    if (it.type() == BasicType::Reference) visit_slot(visitor, first);
    first += slot_count(it.type());
  }
}

void visit_interpreted(gc::RootVisitor& visitor, Frame* frame, bool callee_has_arguments) {
  u32 bci = frame->method->body.load(std::memory_order_relaxed)->bci_of(frame->pc);
  // Without a callee the operands may still be gone: an exception came out of the call, and its handler is being looked for.
  bool in_call = callee_has_arguments || frame->sp - &frame->below_stack < operand_depth(frame->method, bci);
  struct Context {
    gc::RootVisitor& visitor;
    Frame* frame;
    u32 max_locals;
  } context{visitor, frame, frame->method->max_locals};
  for_each_live_reference(frame->method, bci, in_call, [](u32 slot, void* argument) {
    auto* context = static_cast<Context*>(argument);
    Slot* address = slot < context->max_locals ? locals_of(context->frame) + slot : context->frame->stack_base() + (slot - context->max_locals);
    visit_slot(context->visitor, address);
  }, &context, frame);
}

// A method that is being executed keeps its class (vm/link/class_unloading.h).
void reach_class_of(const Method* method) {
  if (ClassLiveness* liveness = method->holder->liveness) liveness->reach();
}

// enter(frame): before its slots are visited.
template <typename Enter> void visit_frames(JavaThread* thread, gc::RootVisitor& visitor, Enter&& enter) {
  const Frame* callee = nullptr;
  for (Frame* frame = thread->top_frame; frame != nullptr; callee = frame, frame = frame->caller) {
    enter(frame);
    if (frame->kind != FrameKind::Entry) reach_class_of(frame->method);
    switch (frame->kind) {
      case FrameKind::Interpreted:
        visit_interpreted(visitor, frame, callee != nullptr && callee->kind != FrameKind::Entry);
        break;
      case FrameKind::Native:
        visit_arguments(visitor, frame->method, frame->locals);
        break;
      case FrameKind::Entry:
        if ((callee == nullptr || callee->kind == FrameKind::Entry) && frame->sp > &frame->below_stack) {
          auto* callee_to_be = reinterpret_cast<const Method*>(frame->below_stack);
          reach_class_of(callee_to_be);
          visit_arguments(visitor, callee_to_be, frame->stack_base());
        }
        break;
    }
  }
}

// What a thread holds outside its frames (handles, locks, exceptions) is reported by gc/roots.cpp.
void visit_all_stacks(gc::RootVisitor& visitor) {
  threads::for_each([&](JavaThread* thread) { visit_stack_roots(thread, visitor); });
}

}  // namespace

void visit_stack_roots(JavaThread* thread, gc::RootVisitor& visitor) {
  visit_frames(thread, visitor, [](Frame*) {});
}

void visit_stack_roots_by_frame(JavaThread* thread, void (*visit)(Object*, i32, void*), void* context) {
  i32 java_frames = 0, current = -1;
  gc::RootVisitorOf visitor([&](Object** slot) { visit(*slot, current, context); },
                            [&](NarrowRef* slot) { visit(decode(*slot), current, context); });
  visit_frames(thread, visitor, [&](Frame* frame) { current = frame->kind == FrameKind::Entry ? -1 : java_frames++; });
}

void register_stack_roots() { gc::register_strong_roots("Stacks", visit_all_stacks); }

FrameInfo describe(Frame* frame) {
  i32 bci = -1;
  if (frame->kind == FrameKind::Interpreted) {
    bci = static_cast<i32>(frame->method->body.load(std::memory_order_relaxed)->bci_of(frame->pc));
  }
  return {frame, frame->method, bci};
}

}  // namespace keyhole::interpreter
