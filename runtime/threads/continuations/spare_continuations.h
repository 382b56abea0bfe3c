// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// SpareContinuations: what a carrier has in hand, so that a virtual thread begins and ends without the list lock, which
// is taken once for a batch.
//
//            links a batch                make            end                    a batch is full
//   memory ---------------> ready (unused) --> in use --> ended (unused) -------------------------> retired
//                             ^                  |          |
//                             |  stack segment - first      +--- stack segment: the carrier's next one, if it has none
//                             |                  mount
//                             +-- end of a private life (thread_structures.h, S1): it keeps its stacks
//
// R1: by whoever sits on the carrier, managed, without a poll between a look and the change; or in a handshake.
// R2: all are in the list of continuations. Visitors leave out the unused ones: they have no roots, and their stacks
//     may be another's.
// R3: who finds no stack in the pool queues for one, and those that an idle carrier has would never come. So it then
//     has all carriers give theirs back, and from there on none keeps one: short of stacks once, short again. Only
//     those in the queue are sure of a segment that is given back.
// R4: one that ends while it is listed as asleep leaves at once, with the batch. Else it may be listed until the batch
//     is full: whoever takes it finds no thread_object, and tells Java nothing.
#pragma once

#include "runtime/base/capabilities.h"
#include "runtime/base/types.h"
#include "runtime/threads/continuations/stack_segment.h"

namespace keyhole {

struct JavaThread;

struct SpareContinuations {
  JavaThread* ready = nullptr;   // linked by Continuation::next_spare; what ended last is first
  JavaThread* ended = nullptr;   // as above
  u32 ready_count = 0, ended_count = 0;
  u64 next_id = 0, end_of_ids = 0;   // for those that are used again
  u32 next_batch = 1;            // doubles: few threads make more than one continuation
  StackSegment segment;
};

namespace threads {

// The list's part of a continuation's life. `self` is managed. Null without memory.
JavaThread* make_continuation(JavaThread* self) MAY_SAFEPOINT;
// `self` is about to end, as far as it knows its next life may begin in its stacks.
bool may_live_again(const JavaThread* self);
// Its stacks may be used again at once, its structure when nobody looks at it any more.
void end_continuation(JavaThread* self, JavaThread* continuation) MAY_SAFEPOINT;
// R3. `self` has queued a continuation, or has found no stack for it.
void recall_stack_segments(JavaThread* self) MAY_SAFEPOINT;
// The platform thread `self` ends. Managed; it may stop.
void give_back_spares(JavaThread* self);

}  // namespace threads
}  // namespace keyhole
