// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Code cache sweeper: frees compiled code when the code cache is full.
//
//            compiled                    replaced, redefined      no frame is in it
//   (none) ───────────> in use, called ─────────────> retired ──────────────────────> freed
//                         |       ^                      ^
//      three quarters full|       | called: the entry    | the cache is full, and no frame is in it
//                         v       | counts one call      |
//                      in use, watched ──────────────────┘
//
// S1: code is freed at a safepoint only, when no thread executes code. A frame is in a code when its pc is one of the
//     code's call sites, because the call returns there; such code is not freed.
// S2: when the cache is three quarters full, each code is watched: its method's entries count one call, and
//     that call marks the code as called. Meanwhile the code stays in use: frames and loops
//     continue in it.
// S3: retired code is freed first, then code that has not been called since it is watched, then the oldest, until an
//     eighth of the cache is free and the method to be compiled has room.
// S4: at the end of a sweep each processor drops the instructions that it has fetched, because freed space may soon
//     hold other code.
#pragma once

#include <vector>

#include "vm/code/compiled_code.h"

namespace keyhole::sweeper {

// All functions require the compiler's lock. Code is in this list as long as it is in its method's chain.
void add(CompiledCode* code);
// If the cache is three quarters full, sets the entry of every code to one that counts one call (S2). So the next sweep
// knows which code is still called. Has an effect once between two sweeps.
void watch_when_filled();
// Sweeps. The world is stopped. Returns true if there is a free piece of `wanted_bytes` now.
bool sweep(usize wanted_bytes);
// The code of all tiers. The world is stopped.
const std::vector<CompiledCode*>& all_code();
// Discards all codes of a dead method, from its newest one. The world is stopped.
void discard_all(CompiledCode* newest);

}  // namespace keyhole::sweeper
