// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Thread-local allocation buffers: the pieces of shared regions that one thread bump-allocates in without atomics.
//
//   tlab_start        tlab_top            tlab_end       (fields of JavaThread, owner only)
//   | objects ........ | zero ............ |
//
// R1: [top, end) is zero while the buffer is in use, so that allocation writes the header only.
// R2: retiring a buffer fills [top, end), so that regions can be walked. Every collection and every heap walk retires
//     all buffers.
// R3: an object that does not fit goes into a new buffer when the rest of the old one is small (refill waste limit: a
//     64th of the wanted size), else outside of any; each such object raises the limit by four words, so that a thread
//     does not stay outside for long.
//
// The wanted size is HotSpot's policy: 50 refills between two collections (100 / (2 * TLABWasteTargetPercent)), so that
// the rests at a collection are about one percent of all. After each collection
//
//   wanted = budget * average share of the thread in all allocation / 50     within [MinTLABSize, largest_bytes()]
//
// where each collection has a weight of 35% in the average (TLABAllocationWeight). A thread without samples gets an
// equal share. A thread's first buffers begin at first_bytes and double up to the wanted size, so that thousands of
// short-lived threads hold little. -XX:TLABSize is the initial size; without ResizeTLAB it stays.
#pragma once

#include "gc/heap/space.h"

namespace keyhole::gc::tlab {

inline constexpr u64 first_bytes = 16_KiB;
// The largest buffer size. Larger buffers save nothing: one CAS for 256 KiB does not matter, and zeroing more at once
// than the second-level cache holds is slow.
u64 largest_bytes();

// Allocates zeroed memory for `bytes` in a new buffer, or outside of any (R3). Null when the budget is spent. Never
// reaches a safepoint.
char* allocate_slow(JavaThread* thread, u64 bytes) TOUCHES_OBJECTS;
// Allocates outside of any buffer. Null when the budget is spent. Never reaches a safepoint.
inline char* allocate_outside(JavaThread* thread, u64 bytes) TOUCHES_OBJECTS {
  u64 taken = 0;
  char* memory = space.allocate_shared(thread, bytes, bytes, taken);
  if (memory != nullptr) {
    thread->allocated_bytes += bytes;
    thread->allocation->tlab.outside_bytes_since += bytes;
  }
  return memory;
}
// Takes the thread's buffer away (R2). Called by the owner, or with the world stopped.
void retire(JavaThread* thread) TOUCHES_OBJECTS;
// Takes the buffer away from a thread that ends; its counters are kept.
void retire_at_detach(JavaThread* thread) TOUCHES_OBJECTS;
// World stopped, before a collection: retires all buffers, records each thread's share, logs gc+tlab.
void retire_all_for_collection(u64 collection_number);
// World stopped, when the next budget is known: adapts the wanted sizes.
void resize_all();
// Whether threads use buffers: not under -XX:-UseTLAB, nor while every allocation counts for GC stress.
bool enabled();

}  // namespace keyhole::gc::tlab
