// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The memory of JavaThreads. Whoever has read a JavaThread* from an object or a monitor may use it until its next poll,
// also when the thread has ended meanwhile. So structures are never freed, and used again only when everybody has
// passed a poll:
//
//   made --> in a list --> retired -- an operation begins --> meeting -- it has reached all threads --> reusable --+
//     ^                                                                                                          |
//     +----------------------------------------------------------------------------------------------------------+
//
// Operations are safepoints and handshakes with all threads.
//
// Most virtual threads end without anybody else having learned of them. Their structures are used again at once, with
// their stacks: two kilobytes that are written anew, and new to the cache, would be a third of a short life.
//
// S1: a continuation whose life was private is used again by the carrier on which it ended.
// S2: private: it has not been in the slow path of a lock, and has not slept inside the VM. Whatever publishes a thread
//     in a lock or in a list of waiters is there, and sets JavaThread::is_known.
// S3: its java.lang.Thread leads to it as well (eetop), until shortly before its end. Who reads that says so, and reads
//     once more (structure_lookups.h). The fence there is the one of enter_seat.
// S4: coordinators of safepoints and handshakes read who sits somewhere. They may set bits of somebody who has left,
//     also in its next life (safepoint_protocol.h, R9).
#pragma once

#include "runtime/threads/continuations/carrier.h"
#include "runtime/threads/continuations/continuation.h"
#include "runtime/threads/threads_internal.h"

namespace keyhole::threads::internal {

// The two kinds of structures, each with what it has besides.
struct PlatformThread {
  JavaThread thread;
  Carrier carrier;
};
struct ContinuationThread {
  JavaThread thread;
  Continuation continuation;
};

// In no list, with an id. Null without memory.
PlatformThread* make_platform_thread();
// At most `count`, linked by JavaThread::next. Null without memory.
JavaThread* make_continuation_threads(u32 count);
// S3: somebody has looked a thread up, and not all have passed a poll since.
bool has_been_looked_up();
// S1. Ended, and in its list still: as if it were made, with another id, in the same stacks.
void begin_next_life(JavaThread* thread, u64 id);
// `count` ids that nobody has. The first.
u64 take_ids(u32 count);
// Nobody ever saw it.
void release_structure(JavaThread* thread);
// It has left its list.
void retire(JavaThread* thread) REQUIRES(list_mutex);
// Shakes hands with all threads when many structures wait to be used again.
void reuse_retired(JavaThread* self) MAY_SAFEPOINT;

// When an operation begins, and when it has reached all threads.
void quiescence_begins() REQUIRES(operation_mutex);
void quiescence_reached() REQUIRES(operation_mutex);

}  // namespace keyhole::threads::internal
