// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Stops a thread at a point. The thread is Blocked while others run, so that safepoints do not wait for it.
#include "runtime/threads/points.h"

#include "runtime/base/controlled/write_histories.h"
#include "runtime/threads/thread_state.h"

namespace keyhole::points {

Hooks hooks;

namespace {
bool has_histories() { return controlled::is_exploring() && controlled::has_histories(); }
controlled::Operation operation_of(JavaThread* thread, controlled::Kind kind, u64 location,
                                   const Object* base = nullptr, u64 offset = 0) {
  controlled::Operation operation{.kind = kind, .location = location};
  if (!controlled::is_exploring() || hooks.locate == nullptr) return operation;
  hooks.locate(thread, operation);
  if (controlled::has_histories()) hooks.about(thread, operation, base, offset);
  return operation;
}
// The read that has just been recorded returns a reference (write_histories.h M7).
void see_reference(const controlled::Operation& read) TOUCHES_OBJECTS {
  NarrowRef value = *reinterpret_cast<const NarrowRef*>(read.location);
  controlled::write_histories::see_reference(controlled::current(), read, reinterpret_cast<u64>(decode(value)));
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
  controlled::Operation operation = operation_of(thread, kind, location, base, offset);
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
  if (operation.is_reference && controlled::only_reads(operation.kind)) see_reference(operation);
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
void note_part(JavaThread* thread, controlled::Kind kind, const Object* base, u64 offset) {
  if (!controlled::is_exploring()) return;
  controlled::Operation operation = operation_of(thread, kind, reinterpret_cast<u64>(base) + offset, base, offset);
  operation.is_part = true;
  stand(thread, operation, nullptr, 0, false);
  describe(thread, controlled::note(operation), operation, nullptr, 0);
}
void before_fence(JavaThread* thread, controlled::Kind kind) {
  if (!has_histories()) return;
  constexpr u64 location_of_fences = 1;
  internal::stop_before(thread, kind, location_of_fences, nullptr, nullptr, 0);
}
void leave_constructor(const Object* object) {
  if (has_histories()) controlled::write_histories::freeze(controlled::current(), reinterpret_cast<u64>(object));
}
void publish(const Object* object) {
  if (has_histories()) controlled::write_histories::publish(controlled::current(), reinterpret_cast<u64>(object));
}
void class_initialized(const Object* mirror) {
  if (has_histories()) controlled::write_histories::release_class(controlled::current(), reinterpret_cast<u64>(mirror));
}
void use_class(const Object* mirror) {
  if (has_histories()) controlled::write_histories::acquire_class(controlled::current(), reinterpret_cast<u64>(mirror));
}
void note_start(JavaThread* thread) { note_at(thread, controlled::Kind::start, u64{controlled::last_started()}); }

}  // namespace keyhole::points
