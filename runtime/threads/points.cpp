// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Stops a thread at a point. The thread is Blocked while others run, so that safepoints do not wait for it.
#include "runtime/threads/points.h"

#include "runtime/threads/thread_state.h"

namespace keyhole::points {

Hooks hooks;

namespace {
controlled::Operation operation_of(JavaThread* thread, controlled::Kind kind, u64 location) {
  controlled::Operation operation{.kind = kind, .location = location};
  if (controlled::is_exploring() && hooks.locate != nullptr) hooks.locate(thread, operation);
  return operation;
}
void describe(JavaThread* thread, u32 event, const controlled::Operation& operation, const Object* base, u64 offset) {
  if (controlled::describes() && hooks.describe != nullptr) hooks.describe(thread, event, operation, base, offset);
}
void stand(JavaThread* thread, const controlled::Operation& operation, const Object* base, u64 offset, bool resumes) {
  if (hooks.stand != nullptr && controlled::is_exploring()) hooks.stand(thread, operation, base, offset, resumes);
}
}  // namespace

namespace internal {
// Clang's thread safety analysis is off: callers are not marked MAY_SAFEPOINT, although the thread may stop here
// (points.h).
void stop_before(JavaThread* thread, controlled::Kind kind, u64 location, const controlled::Monitor* needed,
                 const Object* base, u64 offset, u32 stored_bytes) NO_THREAD_SAFETY_ANALYSIS {
  controlled::Operation operation = operation_of(thread, kind, location);
  stand(thread, operation, base, offset, false);
  if (controlled::stop_before(operation, needed)) {
    {
      BlockedScope blocked(thread);
      controlled::go_on();
    }
    stand(thread, operation, base, offset, true);
  }
  bool may_wait = stored_bytes != 0;
  if (may_wait && controlled::enters_buffer(operation)) operation.kind = controlled::Kind::store;
  u32 event = controlled::record(operation);
  describe(thread, event, operation, base, offset);
  if (may_wait) controlled::buffer_store(operation, event, stored_bytes);
}
}  // namespace internal

namespace {
void note_at(JavaThread* thread, controlled::Kind kind, u64 location) {
  if (!controlled::is_exploring()) return;
  controlled::Operation operation = operation_of(thread, kind, location);
  stand(thread, operation, nullptr, 0, false);
  describe(thread, controlled::note(operation), operation, nullptr, 0);
}
}  // namespace

void note(JavaThread* thread, controlled::Kind kind, const void* location) {
  note_at(thread, kind, reinterpret_cast<u64>(location));
}
void note_start(JavaThread* thread) { note_at(thread, controlled::Kind::start, u64{controlled::last_started()}); }

}  // namespace keyhole::points
