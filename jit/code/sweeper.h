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
// S1: code is freed only at a safepoint, when no thread executes compiled code. If a frame's pc is one of the code's
//     call sites, a callee will return to the code, so the code is not freed.
// S2: when the cache becomes three quarters full, all code in use is watched: the entry points of its method are set to
//     the interpreter's counting entry. The next call marks the code as called and restores the entry points. Meanwhile
//     frames continue in the code, and may enter it at loop headers.
// S3: a sweep frees all retired code and all watched code that was not called. If less than an eighth of the cache is
//     free then, or the method to be compiled has no room, the sweep also frees the oldest code until both hold. Code
//     in use is not freed while its method has a frame, even an interpreted one.
// S4: at the end of a sweep each processor that runs a thread of the VM discards the instructions that it has fetched,
//     because freed space may soon contain other code.
#pragma once

#include <vector>

#include "vm/code/compiled_code.h"

namespace keyhole::sweeper {

// All functions require the compiler's lock. Adds code to the sweeper's list, where it stays as long as it is in its
// method's chain of codes.
void add(CompiledCode* code);
// If the cache is three quarters full, sets the entry points of all code in use so that the next sweep knows which code
// is still called (S2). Between two sweeps, only the first call of this function that finds the cache three quarters
// full has an effect.
void watch_when_filled();
// Sweeps the cache. The world is stopped. Returns true if the cache has a free piece of `wanted_bytes` afterwards.
bool sweep(usize wanted_bytes);
// Returns all code of all tiers. The world is stopped.
const std::vector<CompiledCode*>& all_code();
// Frees all codes of a dead method, starting with its newest code. The world is stopped.
void discard_all(CompiledCode* newest);

}  // namespace keyhole::sweeper
