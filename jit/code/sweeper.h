// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Which code goes when the code cache is full.
//
//            compiled                    replaced, redefined        nobody in it
//   (none) ───────────> in use, called ─────────────> retired ──────────────────> freed
//                         |       ^                      ^
//      three quarters full|       | called: the entry    | the cache is full, and nobody is in it
//                         v       | counts one call      |
//                      in use, asked ────────────────────┘
//
// S1: code is freed in a safepoint only. No thread is in code then; a frame is in it when its pc is one of the code's
//     call sites, because it returns there.
// S2: code that is asked is as good as before: whoever is in it stays, loops go on in it. Only the method's entries
//     count.
// S3: what is retired goes first, then what has not been called since it was asked, then the oldest, until an eighth
//     of the cache is free and what is to be compiled has room.
// S4: at the end each processor drops the instructions that it has fetched: freed space may soon hold other code.
#pragma once

#include <vector>

#include "vm/interpreter/compiled_code.h"

namespace keyhole::sweeper {

// All of it under the compiler's lock. Code is in its method's chain as long as it is here.
void add(CompiledCode* code);
// Asks all code, when the cache is three quarters full and there has been a sweep since it did so last.
void ask_when_filled();
// World stopped. True: there is a free piece of `wanted_bytes`.
bool sweep(usize wanted_bytes);
// World stopped: all code, whoever made it.
const std::vector<CompiledCode*>& all_code();
// World stopped; of a method that is gone: all versions.
void discard_all(CompiledCode* newest);

}  // namespace keyhole::sweeper
