// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Store buffers: the memory model TSO (total store order; Sewell, Sarkar, Owens, Nardelli, Myreen, CACM 2010) in a
// controlled VM. A plain store of a strand waits in the strand's buffer until the buffer's turn comes.
//
//   strand A       x = 1   y = 2                          memory     x 0  y 0
//                    |       |
//   buffer of A    [ x 1 ][ y 2 ] --- flush: the oldest ---------->  x 1  y 0
//
//   while A runs, its stores are applied to memory, so every load of A sees them: x 1  y 2
//   while B runs, they are undone, and those of B are applied:                    x 0  y 0
//
// B1: only the buffer of the running strand is applied. An applied store is in memory, and its entry keeps the value
//     that it has overwritten. So handlers, natives and the VM read and write memory as usual, and no load needs a
//     hook.
// B2: a store enters the buffer if its place races (Execution::places), or if the buffer is not empty. If its place
//     does not race, other strands see the store only after synchronisation, which empties the buffer first. So it does
//     not matter when the store leaves the buffer: it leaves together with the racing store before it.
// B3: operations that drain (kinds.def) wait until the buffer is empty. The VM itself writes to the heap past the
//     buffer, so it drains the buffer first, for example before natives (runtime/threads/points.h).
// B4: the default policy flushes a store before the strand's next operation, so the default schedule is sequentially
//     consistent. If a schedule delays the store at this point, the store and those that follow it stay in the buffer
//     until the strand drains, yields or ends, or the schedule flushes them.
#pragma once

#include "runtime/base/types.h"

namespace keyhole::controlled::store_buffers {

struct Flushed {
  u64 location = 0, place = 0;
  u64 value = 0;  // its bytes as in memory
  u32 event = 0;  // of the store
};

bool is_empty(u32 strand);
// B4: is_fresh() tells whether the strand has stored into its empty buffer since the last call of age(), which each
//     choice makes.
bool is_fresh(u32 strand);
void age(u32 strand);

// Called when the running strand is about to store `bytes` bytes at the location. `event` is the event of the store if
// it races.
void add(u32 strand, u64 location, u32 bytes, u64 place, u32 event, bool races);
// Moves the oldest store to memory, and also the stores after it up to the next one that races. The buffer must not be
// empty.
Flushed flush(u32 strand, u32 running);
u64 oldest_location(u32 strand);
bool has_store_of(u32 strand, u32 event);
// Called when another strand goes on: leave() undoes the stores of the strand that stops, enter() applies those of the
// other.
void leave(u32 strand);
void enter(u32 strand);

}  // namespace keyhole::controlled::store_buffers
