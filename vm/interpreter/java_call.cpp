// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Calls from C++ to Java: an Entry frame, the arguments above it, and the jump into the first handler.
#include "vm/interpreter/engine.h"

#include <cstring>

#include "runtime/threads/points.h"
#include "vm/frames/layout/make_frame.h"
#include "vm/interpreter/entries.h"
#include "vm/interpreter/raise.h"
#include "vm/link/java_call.h"
#include "vm/link/linker.h"

namespace keyhole::interpreter {
namespace {

// Enters the handlers, which C++ can enter only here (handlers.h, H4). Returns when exit_to_vm returns.
[[gnu::noinline]] __attribute__((no_sanitize("address", "thread", "undefined"))) void enter(JavaThread* thread,
                                                                                            Frame* frame,
                                                                                            Slot* last_argument,
                                                                                            const Method* method) {
  Handler entry = reinterpret_cast<Handler>(method->entry.load(std::memory_order_acquire));
  entry(frame->pc, last_argument, nullptr, thread, frame, thread->dispatch, reinterpret_cast<Slot>(method),
        make_instruction(Operation::nop, method->argument_slots));
}

}  // namespace

u64 Engine::call(JavaThread* thread, Method* method, std::span<const Slot> arguments) {
  check_may_safepoint();
  KEYHOLE_ASSERT(thread->pending_exception == nullptr, "calling {} with an exception pending", method->external_name());
  KEYHOLE_ASSERT(arguments.size() == method->argument_slots, "{} takes {} slots, not {}", method->external_name(),
                 method->argument_slots, arguments.size());
  Frame* caller = thread->top_frame;
  // The native stack may overflow, too: the interpreter needs little native stack, but C++ and Java may call each other
  // recursively.
  char* native_sp = static_cast<char*>(__builtin_frame_address(0));
  Slot* base = caller != nullptr ? caller->sp + 1 : thread->stack.java_base;
  Frame* frame = reinterpret_cast<Frame*>(base);
  if (native_sp < thread->stack.native_limit || !has_room(thread, frame, static_cast<u32>(arguments.size()))) {
    throw_stack_overflow(thread);
    return 0;
  }
  if (thread->dispatch == nullptr) thread->dispatch = active_table();
  make_frame(frame, caller, nullptr, nullptr, FrameKind::Entry, thread->lock_record_top);
  frame->pc = entry_instruction();
  frame->native_sp = native_sp;
  // Until the callee takes the arguments, they belong to the Entry frame. This field holds the callee, from which
  // visit_stack_roots learns the types of the arguments.
  frame->below_stack = reinterpret_cast<Slot>(method);
  if (!arguments.empty()) memcpy(frame->stack_base(), arguments.data(), arguments.size_bytes());
  frame->sp = &frame->below_stack + arguments.size();
  thread->top_frame = frame;
  ++thread->vm_depth;
  if (!method->is_static() || method->holder->is_initialized() || initialize_class(thread, method->holder)) {
    enter(thread, frame, frame->sp, method);
  }
  --thread->vm_depth;
  KEYHOLE_ASSERT(thread->lock_record_top == frame->lock_record_base, "lock records left behind by {}",
                 method->external_name());
  thread->top_frame = caller;
  points::drain(thread);  // the VM may now publish what the method wrote, so the store buffer must be empty
  // thread->result is stale when an exception is pending.
  return thread->pending_exception == nullptr ? thread->result : 0;
}

u64 Engine::call_virtual(JavaThread* thread, Method* method, std::span<const Slot> arguments) {
  Object* receiver = object_of(arguments[0]);
  if (receiver == nullptr) {
    throw_null_pointer(thread);
    return 0;
  }
  Klass* klass = receiver->klass();
  if (method->vtable_index >= 0) {
    method = klass->vtable_entry(static_cast<u32>(method->vtable_index)).load(std::memory_order_relaxed);
  } else if (method->itable_index >= 0 && !method->is_private() && !method->is_static()) {
    HandleScope scope(thread);
    method = select_interface_method(thread, klass, method, Selecting::Reflection);
    if (method == nullptr) return 0;
  }
  return call(thread, method, arguments);
}

}  // namespace keyhole::interpreter
