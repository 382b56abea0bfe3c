// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Visits the references on Java stacks: of bytecode by frame map, of native methods by descriptor.
#include "vm/frames/stack_roots.h"
#include "gc/root_set.h"
#include "runtime/threads/threads.h"
#include "vm/frames/layout/virtual_frame.h"
#include "vm/metadata/instance_klass.h"
#include "vm/verify/frame_map.h"

namespace keyhole::interpreter {
namespace {

void visit_slot(gc::RootVisitor& visitor, Slot* slot) {
  if (*slot != 0) visitor.visit(reinterpret_cast<Object**>(slot));
}

// Visits the references among the arguments of `method`, whose first slot is `first`.
void visit_arguments(gc::RootVisitor& visitor, const Method* method, Slot* first) {
  if (!method->is_static()) visit_slot(visitor, first++);
  for (DescriptorIterator it(method->descriptor); !it.at_end(); it.next()) {
    if (it.type() == BasicType::Reference) visit_slot(visitor, first);
    first += slot_count(it.type());
  }
}

void visit_bytecode(gc::RootVisitor& visitor, const VirtualFrame& activation, bool callee_has_arguments) {
  u32 bci = static_cast<u32>(activation.bci());
  // If the frame has no callee because its call has thrown and the search for a handler is in progress, the call's
  // arguments are dead, too. If it has a callee, sp may be unset, because the frame may belong to compiled code.
  bool in_call = callee_has_arguments ||
                 activation.frame()->sp + 1 - activation.operands() < operand_depth(activation.method(), bci);
  struct Context {
    gc::RootVisitor& visitor;
    Slot* locals;
    Slot* operands;
    u32 max_locals;
  } context{visitor, activation.locals(), activation.operands(), activation.method()->max_locals};
  for_each_live_reference(
      activation.method(), bci, in_call,
      [](u32 slot, void* argument) {
        auto* context = static_cast<Context*>(argument);
        Slot* address =
            slot < context->max_locals ? context->locals + slot : context->operands + (slot - context->max_locals);
        visit_slot(context->visitor, address);
      },
      &context, context.locals);
  for (u32 slot : activation.further_roots()) visit_slot(visitor, context.locals + slot);
}

// Marks the class of an executing method as reached (vm/link/loading/class_unloading.h).
void reach_class_of(const Method* method) {
  if (ClassLiveness* liveness = method->holder->liveness) liveness->reach();
}

// Visits the thread's frames; calls enter(activation) before it visits the slots of an activation.
template <typename Enter> void visit_frames(JavaThread* thread, gc::RootVisitor& visitor, Enter&& enter) {
  bool callee_has_arguments = false;
  for (const VirtualFrame& activation : virtual_frames_with_entries(thread)) {
    enter(activation);
    Frame* frame = activation.frame();
    if (activation.is_entry()) {
      if (!callee_has_arguments && frame->sp > &frame->below_stack) {
        auto* callee_to_be = reinterpret_cast<const Method*>(frame->below_stack);
        reach_class_of(callee_to_be);
        visit_arguments(visitor, callee_to_be, frame->stack_base());
      }
    } else {
      reach_class_of(activation.method());
      if (activation.is_native()) visit_arguments(visitor, activation.method(), activation.locals());
      else visit_bytecode(visitor, activation, callee_has_arguments);
    }
    callee_has_arguments = !activation.is_entry();
  }
}

// Visits the Java stacks of all threads. gc/roots.cpp visits references outside frames (handles, locks, exceptions).
void visit_all_stacks(gc::RootVisitor& visitor) {
  threads::for_each_in_collection([&](JavaThread* thread) {
    visit_stack_roots(thread, visitor);
    visitor.end_of_thread(thread);
  });
}

}  // namespace

void visit_stack_roots(JavaThread* thread, gc::RootVisitor& visitor) {
  visit_frames(thread, visitor, [](const VirtualFrame&) {});
}

void visit_stack_roots_by_frame(JavaThread* thread, void (*visit)(Object*, i32, void*), void* context) {
  i32 java_frames = 0, current = -1;
  gc::RootVisitorOf visitor([&](Object** slot) { visit(*slot, current, context); },
                            [&](NarrowRef* slot) { visit(decode(*slot), current, context); });
  visit_frames(thread, visitor,
               [&](const VirtualFrame& activation) { current = activation.is_entry() ? -1 : java_frames++; });
}

void register_stack_roots() { gc::register_strong_roots("Stacks", visit_all_stacks); }

}  // namespace keyhole::interpreter
