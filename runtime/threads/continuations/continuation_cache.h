// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// ContinuationCache: a carrier's free list of continuations, so that a virtual thread begins and ends without the list
// lock. The lock is taken once for a batch.
//
//            link a batch              make            end                     the batch is full
//   memory ---------------> free list -----> in use ---------> list `ended` --------------------> retired
//                             ^               |  |              |
//                             |               |  +- first mount |
//                             |               |     takes a     +- stack segment: the carrier keeps it if it has none
//                             |               |     stack
//                             +-- recycled ---+     segment     (thread_structures.h S1; it keeps its stack segment)
//
// R1: the cache is read and changed by the thread that is mounted on the carrier, managed and without a poll in
//     between, or by a handshake with that thread.
// R2: every cached continuation is in the list of continuations. Visitors of the list skip those that are not in use:
//     they have no roots, and their stacks may belong to another continuation.
// R3: when the pool has no free stack segment, the continuation queues for one. Segments cached by idle carriers would
//     never reach it, so all carriers return theirs, and caching stays off from then on: a program that ran short of
//     stacks once will do so again. Only continuations in the queue are certain to get a returned segment.
// R4: when a continuation ends while it is in the unblocker's list, its batch retires at once. Before a batch is full,
//     a late waker may still list a continuation of it. The unblocker then finds no thread_object and does not call
//     Java.
#pragma once

#include "runtime/base/capabilities.h"
#include "runtime/base/types.h"
#include "runtime/threads/continuations/stack_segment.h"

namespace keyhole {

struct JavaThread;

struct ContinuationCache {
  JavaThread* free_list = nullptr;  // linked by Continuation::next_cached, latest first
  JavaThread* ended = nullptr;      // linked by Continuation::next_cached, too
  u32 free_count = 0, ended_count = 0;
  u64 next_id = 0, end_of_ids = 0;  // ids reserved for recycled continuations
  // The size of the next batch. It doubles with each batch. It begins at 1, because most threads make at most one
  // continuation.
  u32 next_batch = 1;
  StackSegment segment;
};

namespace threads {

// Takes a continuation from the free list of this carrier; it is in use from now on. `self` is managed. Returns null if
// there is no memory.
JavaThread* make_continuation(JavaThread* self) MAY_SAFEPOINT;
// Whether the next continuation may reuse the structure and stacks of `self`, a continuation that is about to end. Its
// mounter still has to check that no thread has looked up its address (structure_lookups.h).
bool may_be_recycled(const JavaThread* self);
// Called when a continuation has ended. Its stacks may be reused at once. Its structure may be reused at once if it is
// recycled, otherwise only after every thread has passed a poll.
void end_continuation(JavaThread* self, JavaThread* continuation) MAY_SAFEPOINT;
// Makes all carriers return their cached segments to the pool (R3). Called after the pool had no segment for a
// continuation that `self` makes or mounts.
void recall_stack_segments(JavaThread* self) MAY_SAFEPOINT;
// Empties the cache of the carrier of `self`, a platform thread that ends. `self` is managed at the call, and may stop
// at a safepoint.
void release_continuation_cache(JavaThread* self);

}  // namespace threads
}  // namespace keyhole
