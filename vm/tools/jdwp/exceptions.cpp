// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Detects new exceptions, and finds their handlers.
#include "vm/tools/jdwp/exceptions.h"

#include <unordered_map>

#include "runtime/base/mutex.h"
#include "runtime/threads/handles.h"
#include "vm/frames/layout/virtual_frame.h"
#include "vm/frames/unwind.h"
#include "vm/link/exceptions.h"
#include "vm/tools/jdwp/events.h"
#include "vm/tools/jdwp/object_ids.h"

namespace keyhole::jdwp::exceptions {
namespace {

struct State {
  Mutex mutex{LockRank::debugger_exceptions};
  // by thread id: the object id of the exception that was reported for the thread (X1)
  std::unordered_map<u64, u64> reported GUARDED_BY(mutex);
};
State& state() {
  static auto* made = new State();  // outlives every static destructor
  return *made;
}

// Stores the exception as the last one that was reported for the thread. Returns false if it was stored already: the
// exception is still unwinding, and must not be reported again.
bool note_new(const JavaThread* thread, u64 exception) {
  MutexLock guard(state().mutex);
  u64& last = state().reported[thread->id];
  return std::exchange(last, exception) != exception;
}

// Searches the handler (X2).
events::Place find_catcher(JavaThread* thread, Handle exception) MAY_SAFEPOINT {
  events::Place found;
  for (const VirtualFrame& activation : virtual_frames(thread)) {
    if (activation.is_native() || activation.method()->handler_count == 0) continue;
    thread->pending_exception = exception.get();
    i32 handler = interpreter::find_handler(thread, activation.method(), static_cast<u32>(activation.bci()));
    take_exception(thread);
    if (handler < 0) continue;
    found = {activation.method(), static_cast<i32>(activation.method()->handlers[handler].handler_bci)};
    break;
  }
  return found;
}

// Finds the innermost activation that runs bytecode.
events::Place find_thrower(JavaThread* thread) {
  for (const VirtualFrame& activation : virtual_frames(thread)) {
    if (!activation.is_native()) return {activation.method(), activation.bci()};
  }
  return {};
}

}  // namespace

void pending(JavaThread* thread) {
  if (thread->vm_internal || !events::wants_exceptions()) return;  // X3
  if (!note_new(thread, object_ids::id_of(thread->pending_exception))) return;
  HandleScope scope(thread);
  Handle exception = scope.make(nullptr);
  exception.set(take_exception(thread));
  if (events::Place thrown = find_thrower(thread); thrown.method != nullptr)
    events::exception_thrown(thread, exception, thrown, find_catcher(thread, exception));
  if (thread->pending_exception == nullptr) thread->pending_exception = exception.get();
}

void caught(JavaThread* thread) {
  MutexLock guard(state().mutex);
  state().reported.erase(thread->id);
}

void forget_all() {
  MutexLock guard(state().mutex);
  state().reported.clear();
}

}  // namespace keyhole::jdwp::exceptions
