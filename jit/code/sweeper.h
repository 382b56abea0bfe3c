// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Which code goes when the code cache is full.
//
//            compiled                    recompiled                 nobody in it
//   (none) ───────────> newest, called ─────────────> replaced ──────────────────> freed
//                         |       ^
//      three quarters full|       | called: the entry counts its one call, and is the code's again
//                         v       |
//                      newest, asked ──────────────────────────────────────────> freed; the method counts from the
//                      beginning
//                                    the cache is full, and nobody is in it
//
// S1: code is freed in a safepoint only. No thread is in code then; a frame is in it when its pc is one of the code's
//     call sites, because it returns there.
// S2: code that is asked is as good as before: whoever is in it stays, loops go on in it. Only the method's entries
//     count.
// S3: what is replaced goes first, then what has not been called since it was asked, then the oldest, until an eighth
//     of the cache is free and what is to be compiled has room.
#pragma once

#include <vector>

#include "vm/interpreter/compiled_code.h"

namespace keyhole::sweeper {

// All of it under the compiler's lock. Code of `method`s is theirs (Method::entry, MethodCode::compiled) as long as it
// is here.
void add(CompiledCode* code);
// Asks all code, when the cache is three quarters full and there has been a sweep since it did so last.
void ask_when_filled();
// World stopped. True: there is a free piece of `wanted_bytes`.
bool sweep(usize wanted_bytes);
// World stopped: all code, whoever made it.
const std::vector<CompiledCode*>& all_code();
// World stopped; of a method that is gone: all versions.
void discard_all(CompiledCode* newest);

// Do the method's entries lead to its code?
bool is_installed(const Method* method);

}  // namespace keyhole::sweeper
