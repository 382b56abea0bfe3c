// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Entry stubs: how code calls a method that it knows. A stub is one instruction in the code cache. Code calls the
// stub's address, so the processor needs no load to know where the call leads.
//
//    call rel32 ──> | jmp rel32 | int3 int3 int3 | ──> the method's code, or code_to_entry
//                   ^ 8 bytes, aligned
//
// A method gets a stub when the first code that calls it is made. The stub leads to where Method::entry_from_code leads
// (method_codes.h, M1). A stub that loaded that word would be slower than an indirect call. So the jump contains the
// address, and is rewritten when the word changes. No other instruction is changed while it may be executed.
//
// E1: a stub is written by one store of eight aligned bytes, through the writable view. It never crosses a cache line,
//     so a processor fetches either the old jump or the new one. Both are right (M3), and nothing has to wait.
// E2: new code is written before the stub that leads to it; a stub is written before code that calls it is published.
//     Stores become visible in their order, and instruction caches are coherent with them.
// E3: a processor that has fetched the old jump may still execute it, and gets to code that still exists. Code is freed
//     only at a safepoint, where no thread is between a call and its callee. The sweep ends with a membarrier: each
//     processor that runs one of our threads drops the instructions that it has fetched (sweeper.h, S4).
// E4: code names no method that may die before the code. So when a method is dead, no code is left that calls its stub,
//     and another method may get the stub.
// E5: when the cache is full, a method may have no stub. Code calls it through Method::entry_from_code then.
#pragma once

#include "vm/metadata/method.h"

namespace keyhole::entry_stubs {

// All of it under the compiler's lock.

// Called before code is made: takes room for stubs when few are left. While code is made, its own room still counts as
// free.
void prepare();
// The address that code calls for `method`; 0: there is no room.
uptr of(const Method* method);
// Method::entry_from_code has been written.
void follow(const Method* method);
// The method is dead. World stopped.
void release(const Method* method);

}  // namespace keyhole::entry_stubs
