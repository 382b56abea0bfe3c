// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Points: stops of a controlled VM's threads before operations that other threads can observe
// (runtime/base/controlled/strands.h). In any other VM a point is one comparison, on slow paths alone.
//
//   points::before(thread, Kind::unpark, &target->parker);      may switch to other threads, and returns when the
//                                                               operation is to take place
//
// The interpreter knows places (method, bytecode index) and can describe operations in words. It registers both here,
// because locks and parking lie in lower layers.
#pragma once

#include "runtime/base/capabilities.h"
#include "runtime/base/controlled/strands.h"
#include "runtime/threads/java_thread.h"

namespace keyhole::points {

struct Hooks {
  // The place at which the thread is, from its top frame, and whether its method is quiet.
  void (*locate)(JavaThread* thread, controlled::Operation& operation) = nullptr;
  // Describes the event that the thread has just recorded. `base`: null, or the object at whose `offset` it accesses.
  void (*describe)(JavaThread* thread, u32 event, const controlled::Operation& operation, const Object* base,
                   u64 offset) = nullptr;
  // The thread stands before the operation. `resumes`: it stood there while others ran, and has just been chosen.
  void (*stand)(JavaThread* thread, const controlled::Operation& operation, const Object* base, u64 offset,
                bool resumes) = nullptr;
};
extern Hooks hooks;

namespace internal {
void stop_before(JavaThread* thread, controlled::Kind kind, u64 location, const controlled::Monitor* needed,
                 const Object* base, u64 offset);
}

// The calling thread is managed. Although it may stop, callers need not declare that: no object moves in a controlled
// VM, so raw references survive.
inline void before(JavaThread* thread, controlled::Kind kind, const void* location) {
  if (controlled::is_exploring()) [[unlikely]]
    internal::stop_before(thread, kind, reinterpret_cast<u64>(location), nullptr, nullptr, 0);
}
// Before an access to the memory at `offset` of an object, or to absolute memory without an object.
inline void before_access(JavaThread* thread, controlled::Kind kind, const Object* base, u64 offset) {
  if (controlled::is_exploring()) [[unlikely]]
    internal::stop_before(thread, kind, reinterpret_cast<u64>(base) + offset, nullptr, base, offset);
}
// Before the thread takes the monitor: returns when the monitor is free. Also while the VM boots.
inline void before_enter(JavaThread* thread, const void* object, const controlled::Monitor& monitor) {
  internal::stop_before(thread, controlled::Kind::enter, reinterpret_cast<u64>(object), &monitor, nullptr, 0);
}
// An operation that is no choice.
void note(JavaThread* thread, controlled::Kind kind, const void* location);

}  // namespace keyhole::points
