// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Points: places in the VM's code, each before an operation that other threads can observe. At a point a controlled VM
// may stop the thread and let others run (runtime/base/controlled/strands.h). In any other VM a point costs one
// comparison, on a slow path.
//
//   points::before(thread, Kind::unpark, &target->parker);      may let other threads run; returns when this thread
//                                                               is to execute the operation
//
// Locks and parking have points, but lie in lower layers than the interpreter. So the interpreter registers functions
// here that find a thread's place (method, bytecode index) and describe operations in words.
#pragma once

#include "runtime/base/capabilities.h"
#include "runtime/base/controlled/strands.h"
#include "runtime/threads/java_thread.h"
#include "runtime/threads/races/races.h"

namespace keyhole::points {

struct Hooks {
  // Sets operation.place, a hash of the top frame's method and bytecode index. Sets operation.is_quiet if one of the
  // thread's top frames runs a library method that vm/interpreter/points/quiet.def lists.
  void (*locate)(JavaThread* thread, controlled::Operation& operation) = nullptr;
  // With write histories: says which variable the operation accesses, if `base` is not null, and whether the operation
  // orders less than a volatile access or a full fence.
  void (*about)(JavaThread* thread, controlled::Operation& operation, const Object* base, u64 offset) = nullptr;
  // Describes in words an event that the thread has recorded just before it executes the operation. If the operation
  // accesses memory of an object, `base` is the object and `offset` the offset of that memory in it. Otherwise `base`
  // is null.
  void (*describe)(JavaThread* thread, u32 event, const controlled::Operation& operation, const Object* base,
                   u64 offset) = nullptr;
  // Called with `resumes` false when the thread has reached the point. If other threads run before the operation,
  // called again with `resumes` true when the thread has been chosen to continue. `base` and `offset` mean the same as
  // in `describe`.
  void (*stand)(JavaThread* thread, const controlled::Operation& operation, const Object* base, u64 offset,
                bool resumes) = nullptr;
};
extern Hooks hooks;

namespace internal {
void stop_before(JavaThread* thread, controlled::Kind kind, u64 location, const controlled::Monitor* needed,
                 const Object* base, u64 offset, u32 stored_bytes = 0);
}

// A point: the thread may stop here before its operation on `location`. Callers are managed, but need not be marked
// MAY_SAFEPOINT: no object moves in a controlled VM, so raw references stay valid.
inline void before(JavaThread* thread, controlled::Kind kind, const void* location) {
  if (controlled::is_exploring()) [[unlikely]]
    internal::stop_before(thread, kind, reinterpret_cast<u64>(location), nullptr, nullptr, 0);
}
// Called before an access to memory, also for the detector of data races: at `offset` in the object `base`, or at the
// address `offset` if `base` is null.
inline void before_access(JavaThread* thread, controlled::Kind kind, const Object* base, u64 offset) {
  if (controlled::is_exploring()) [[unlikely]]
    internal::stop_before(thread, kind, reinterpret_cast<u64>(base) + offset, nullptr, base, offset);
  if (races::is_on()) [[unlikely]]
    races::access_memory(thread, kind, base, offset);
}
// Called before a plain store of `bytes` bytes, which the caller executes next. The store may go into the thread's
// store buffer (runtime/base/controlled/store_buffers.h).
inline void before_store(JavaThread* thread, const Object* base, u64 offset, u32 bytes) {
  if (controlled::is_exploring()) [[unlikely]]
    internal::stop_before(thread, controlled::Kind::write, reinterpret_cast<u64>(base) + offset, nullptr, base, offset,
                          bytes);
  if (races::is_on()) [[unlikely]]
    races::access_memory(thread, controlled::Kind::write, base, offset);
}
// Called before the VM accesses the heap past the points, or lets other threads see what this thread has written.
// Returns when the thread's store buffer is empty and memory has the last writes.
inline void drain(JavaThread* thread) {
  if (!controlled::is_exploring()) [[likely]]
    return;
  controlled::show_last_writes();
  if (controlled::must_drain()) internal::stop_before(thread, controlled::Kind::drain, 0, nullptr, nullptr, 0);
}
// Called before the thread takes the monitor, also while the VM boots. Returns when the monitor is free.
inline void before_enter(JavaThread* thread, const void* object, const controlled::Monitor& monitor) {
  internal::stop_before(thread, controlled::Kind::enter, reinterpret_cast<u64>(object), &monitor, nullptr, 0);
}
// Records an operation as an event without stopping the thread, so no other thread can run before the operation.
void note(JavaThread* thread, controlled::Kind kind, const void* location);
// Records one of several accesses that take place together, after the last one of them. The first one was a point.
void note_part(JavaThread* thread, controlled::Kind kind, const Object* base, u64 offset);
// Called when a thread passes a fence of VarHandle or Unsafe.
void before_fence(JavaThread* thread, controlled::Kind kind);
// What a write history orders without an event (runtime/base/controlled/write_histories.h M7, M8): called when a
// constructor returns, when the VM keeps an object that all threads may get from it, when a class has been initialized,
// and before a thread uses an initialized class.
void leave_constructor(const Object* object);
void publish(const Object* object);
void class_initialized(const Object* mirror);
void use_class(const Object* mirror);
// Records that the thread has just started another thread. Called before any other thread runs.
void note_start(JavaThread* thread);

}  // namespace keyhole::points
