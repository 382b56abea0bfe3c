// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Thread-local allocation buffers: the pieces of shared regions that one thread bump-allocates in without atomics.
//
//   tlab_start        tlab_top            tlab_end       (fields of JavaThread, owner only)
//   | objects ........ | zero ............ |
//
// R1: [top, end) is zero while the buffer is in use, so that allocation writes the header only.
// R2: whoever takes a buffer away fills [top, end), so that regions can be walked. Every collection and every heap walk takes all away.
// R3: the wanted size adapts: it doubles at each refill, up to a bound; a collection sets it to an eighth of what the thread
//     used since the last one. So a thread that allocates little holds little.
// R4: an object that does not fit is allocated outside when more than a 1/64 of the wanted size would be wasted.
#pragma once

#include "runtime/threads/java_thread.h"

namespace keyhole::gc::tlab {

inline constexpr u64 first_bytes = 16_KiB;
inline constexpr u64 largest_bytes = 128_KiB;

// Zeroed memory for `bytes` in a new buffer, or outside of one (R4). Null when the budget is spent. Never reaches a safepoint.
char* allocate_slow(JavaThread* thread, u64 bytes);
// Takes the buffer away (R2). Owner, or the world is stopped.
void retire(JavaThread* thread);
// World stopped: retires, and adapts the wanted size (R3).
void retire_for_collection(JavaThread* thread);
// Off under -XX:-UseTLAB and while every allocation counts for GC stress.
bool enabled();

}  // namespace keyhole::gc::tlab
