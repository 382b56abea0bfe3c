// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Write histories: the Java memory model (JLS 17.4, 17.5) in a controlled VM. A read may see another write than the
// last one.
//
//   strand A             x = 1             x = 3
//   strand B                                       reads x: 3, 1 or 0
//
//   memory               1                 3                                              the last write
//   history of x         0 (first value)   1 (A, event 4, clock)   3 (A, event 9, clock)  in the order of events
//
// M1: memory has the last write. When a read sees an older one, its value is put into memory for the handler that
//     reads, and settle() puts the last write back before any other operation. So handlers and natives read memory as
//     usual.
// M2: happens-before is known by vector clocks. A clock has, for each strand, one more than the number of its last
//     event that it covers. kinds.def says which operations acquire and release.
// M3: a plain read may see each write of the history, unless another write of the history happens after it and before
//     the read (JLS 17.4.5). Plain reads are not coherent: a later read may see an earlier write.
// M4: opaque, acquiring and volatile reads are coherent: they see no write that is older, in the order of events, than
//     one that happens before the read, or than one that such a read has seen that happens before this one. A volatile
//     read also sees none that is older than the last volatile write or update. An update sees the last write.
// M5: a read that acquires, and sees a write that releases, gets what had happened before the write. A write after a
//     release fence releases what had happened before the fence. An acquire fence gets what the writes seen so far
//     released. Full fences are volatile accesses of one variable.
// M6: a read sees only writes that have taken place. So results that need load buffering (a read that sees a write
//     which its own strand's later write has caused) do not occur, and no value appears out of thin air.
// M7: final fields are frozen when the constructor returns. If a strand reads the reference to the object from a write
//     that happens after the freeze, it sees the final fields, and what is reached through them, as of the freeze.
// M8: an access to a static field happens after the initialization of its class. What the VM keeps for all threads,
//     such as the objects that linking makes, is published: each strand sees it, and what is reached through it, at
//     least as of then.
// M9: a history begins with the first write that may race, keeps at most max_writes writes, and exists for fields and
//     array elements only. A plain write at a place that does not race is added if there is a history: it hides the
//     writes that happened before it.
#pragma once

#include "runtime/base/controlled/execution.h"

namespace keyhole::controlled {
struct Operation;
}

namespace keyhole::controlled::write_histories {

inline constexpr u32 max_writes = 64;

// Moves the strand's clock over the event. Called for each event, when it has been recorded.
void order(u32 strand, u32 event, const Operation& operation);

// Returns how many writes the read may see: 0 or 1 if only the last one.
u32 visible_writes(u32 strand, const Operation& read);
// The read sees one of the writes that visible_writes() has just found; 0 is the last one. `event` is the read's.
void see(u32 strand, const Operation& read, u32 event, u32 older);
// The read that see() was just about returns this reference (M7). It may be null.
void see_reference(u32 strand, const Operation& read, u64 object);

// Called when the strand is about to write.
void add(u32 strand, const Operation& write, u32 event, bool races);
// M1. Also reads the values of the last writes, which the handlers have written since add().
void settle();

// M7, M8: called at the end of a constructor, when the VM keeps an object, at the end of a class initialization and
// before an access.
void freeze(u32 strand, u64 object);
void publish(u32 strand, u64 object);
void release_class(u32 strand, u64 mirror);
void acquire_class(u32 strand, u64 mirror);

}  // namespace keyhole::controlled::write_histories
