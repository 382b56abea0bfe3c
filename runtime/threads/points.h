// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Points: stops of a controlled VM's threads before operations that other threads can observe
// (runtime/base/controlled/strands.h). In any other VM a point is one comparison, and lies on a slow path.
//
//   points::before(thread, Kind::unpark, &target->parker);      may switch to other threads, and returns when the
//                                                               operation is to take place
//
// The interpreter registers functions here that find the place of a thread (method, bytecode index) and describe
// operations in words. Locks and parking, which use them, lie in lower layers than the interpreter.
#pragma once

#include "runtime/base/capabilities.h"
#include "runtime/base/controlled/strands.h"
#include "runtime/threads/java_thread.h"

namespace keyhole::points {

struct Hooks {
  // Returns the place at which the thread is, from its top frame, and whether the method there is quiet (quiet.def).
  void (*locate)(JavaThread* thread, controlled::Operation& operation) = nullptr;
  // Describes the event that the thread has just recorded. `base`: null, or the object at whose `offset` it accesses.
  void (*describe)(JavaThread* thread, u32 event, const controlled::Operation& operation, const Object* base,
                   u64 offset) = nullptr;
  // Called when the thread stands before the operation. `resumes`: other threads have run meanwhile, and the thread has
  // just been chosen to continue.
  void (*stand)(JavaThread* thread, const controlled::Operation& operation, const Object* base, u64 offset,
                bool resumes) = nullptr;
};
extern Hooks hooks;

namespace internal {
void stop_before(JavaThread* thread, controlled::Kind kind, u64 location, const controlled::Monitor* needed,
                 const Object* base, u64 offset, u32 stored_bytes = 0);
}

// The calling thread is managed. Although it may stop, callers need not declare that: no object moves in a controlled
// VM, so raw references survive.
inline void before(JavaThread* thread, controlled::Kind kind, const void* location) {
  if (controlled::is_exploring()) [[unlikely]]
    internal::stop_before(thread, kind, reinterpret_cast<u64>(location), nullptr, nullptr, 0);
}
// Called before an access to the memory at `offset` of an object; if there is no object, `offset` is an address.
inline void before_access(JavaThread* thread, controlled::Kind kind, const Object* base, u64 offset) {
  if (controlled::is_exploring()) [[unlikely]]
    internal::stop_before(thread, kind, reinterpret_cast<u64>(base) + offset, nullptr, base, offset);
}
// Called before a plain store of `bytes` bytes, which the caller executes next. The store may go into the thread's
// store buffer (runtime/base/controlled/store_buffers.h).
inline void before_store(JavaThread* thread, const Object* base, u64 offset, u32 bytes) {
  if (controlled::is_exploring()) [[unlikely]]
    internal::stop_before(thread, controlled::Kind::write, reinterpret_cast<u64>(base) + offset, nullptr, base, offset,
                          bytes);
}
// Called before the VM writes to the heap, or lets other threads see what this one has written. Returns when the
// thread's store buffer is empty.
inline void drain(JavaThread* thread) {
  if (controlled::is_exploring() && controlled::must_drain()) [[unlikely]]
    internal::stop_before(thread, controlled::Kind::drain, 0, nullptr, nullptr, 0);
}
// Called before the thread takes the monitor, also while the VM boots. Returns when the monitor is free.
inline void before_enter(JavaThread* thread, const void* object, const controlled::Monitor& monitor) {
  internal::stop_before(thread, controlled::Kind::enter, reinterpret_cast<u64>(object), &monitor, nullptr, 0);
}
// Notes an operation before which the thread does not stop, so that it is no choice of the schedule.
void note(JavaThread* thread, controlled::Kind kind, const void* location);

}  // namespace keyhole::points
