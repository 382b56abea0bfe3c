// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The memory of JavaThreads. A thread that has read a JavaThread* from an object or a monitor may use it until its next
// poll, even if the other thread has ended meanwhile. So structures are never freed, and are reused only after every
// thread has passed a poll:
//
//   made --> in a list --> retired -- an operation begins --> meeting -- it has reached all threads --> reusable --+
//     ^                                                                                                          |
//     +----------------------------------------------------------------------------------------------------------+
//
// Operations are safepoints and handshakes with all threads.
//
// Most virtual threads end without ever having become known to another thread. Their carrier recycles structure and
// stacks at once. Initialising two kilobytes that are not in the cache would take a third of a short thread's time.
//
// S1: a continuation that never became known to another thread is recycled by the carrier on which it ended.
// S2: a thread becomes known (JavaThread::is_known) in the slow path of a lock and when it sleeps inside the VM: all
//     code that publishes a thread in a lock or in a list of waiters lies there.
// S3: until shortly before a thread's end, the field eetop of its java.lang.Thread also holds its address. A reader of
//     that field notes its lookup and reads the field again (structure_lookups.h). The fence that structure_lookups.h
//     needs is in enter_slow.
// S4: a coordinator of safepoints or handshakes reads the current thread of a carrier, and may set a bit of `poll` when
//     that thread has already unmounted, or has been recycled. Such a bit is legal (safepoint_protocol.h R9).
#pragma once

#include "runtime/threads/continuations/carrier.h"
#include "runtime/threads/continuations/continuation.h"
#include "runtime/threads/threads_internal.h"

namespace keyhole::threads::internal {

// The structures of a platform thread and of a continuation: a JavaThread and its additional data.
struct PlatformThread {
  JavaThread thread;
  Carrier carrier;
};
struct ContinuationThread {
  JavaThread thread;
  Continuation continuation;
};

// Makes the structure of a platform thread. It has an id, and is in no list yet. Returns null if there is no memory.
PlatformThread* make_platform_thread();
// Makes at most `count` structures of continuations, linked by JavaThread::next. Returns null if there is no memory.
JavaThread* make_continuation_threads(u32 count);
// Whether a thread's address has been looked up (S3), and not all threads have passed a poll since then.
bool has_been_looked_up();
// Resets the structure of an ended continuation, so that the next continuation can use it (S1). It stays in its list
// and keeps its stacks, but gets another id.
void recycle(JavaThread* thread, u64 id);
// Reserves `count` unused ids, and returns the first.
u64 take_ids(u32 count);
// Frees the structure of a thread whose address no other thread has read.
void release_structure(JavaThread* thread);
// Retires the structure of a thread that has left its list.
void retire(JavaThread* thread) REQUIRES(list_mutex);
// If many retired structures wait to be reused, runs a handshake with all threads.
void reuse_retired(JavaThread* self) MAY_SAFEPOINT;

// These functions make structures reusable. A structure qualifies if it retired before a safepoint or a handshake with
// all threads began. quiescence_begins() is called when the operation begins, quiescence_reached() when it has reached
// all threads.
void quiescence_begins() REQUIRES(operation_mutex);
void quiescence_reached() REQUIRES(operation_mutex);

}  // namespace keyhole::threads::internal
