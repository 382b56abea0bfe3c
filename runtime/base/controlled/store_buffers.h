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
// B1: the buffer of the running strand is applied, all others are not. An applied entry keeps the value below it. So
//     handlers, natives and the VM read and write memory as ever, and no load needs a hook.
// B2: a store enters the buffer if it is a store at a place that races (Execution::places), or if the buffer is not
//     empty. A store elsewhere is seen by others only after synchronisation, which has emptied the buffer, so nobody
//     can tell when it reached memory. It leaves the buffer together with the racing store before it.
// B3: operations that drain (kinds.def) wait until the buffer is empty. The VM writes to the heap without a buffer
//     only in natives and where it calls Java, and drains there (runtime/threads/points.h).
// B4: the default policy flushes a store before the strand's next operation, so that the default schedule is that of
//     sequential consistency. If a schedule delays the store there, it and those that follow stay until the strand
//     drains, yields or ends, or the schedule flushes them.
#pragma once

#include "runtime/base/types.h"

namespace keyhole::controlled::store_buffers {

struct Flushed {
  u64 location = 0, place = 0;
  u64 value = 0;  // its bytes as in memory
  u32 event = 0;  // of the store
};

bool is_empty(u32 strand);
// B4: the strand has stored into its empty buffer since the last choice.
bool is_fresh(u32 strand);
void age(u32 strand);

// The running strand is about to store `bytes` bytes at the location. `event`: of the store, if it races.
void add(u32 strand, u64 location, u32 bytes, u64 place, u32 event, bool races);
// The oldest store, which must exist, and those that do not race behind it become memory.
Flushed flush(u32 strand, u32 running);
u64 oldest_location(u32 strand);
bool has_store_of(u32 strand, u32 event);
// Another strand goes on.
void leave(u32 strand);
void enter(u32 strand);

}  // namespace keyhole::controlled::store_buffers
