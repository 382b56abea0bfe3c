// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Entry stubs: code calls a statically known method through its stub, one jump in the code cache. The call names the
// stub's address, so the processor needs no load to know its target.
//
//    call rel32 ──> | jmp rel32 | int3 int3 int3 | ──> the method's code, or code_to_entry
//                   ^ 8 bytes, aligned
//
// A method gets a stub when the first code that calls it is made. The stub jumps to the address in
// Method::entry_from_code (method_codes.h, M1). A stub that loaded that word would be slower than an indirect call. So
// the jump contains the address, and is rewritten when the word changes. No other instruction is changed while threads
// may execute it.
//
// E1: a stub is written by one store of eight aligned bytes, through the writable view. It never crosses a cache line,
//     so a processor fetches either the old jump or the new one. Both are right (M3), so no thread has to wait.
// E2: new code is written before the stub that jumps to it, and a stub before code that calls it is published. Stores
//     become visible in their order, and instruction caches are coherent with them.
// E3: a processor that has fetched the old jump may still execute it, and reaches code that still exists. Code is freed
//     only at a safepoint, where no thread is between a call and its callee. The sweep ends with a membarrier: each
//     processor that runs one of our threads drops the instructions that it has fetched (sweeper.h, S4).
// E4: code names no method that may die before the code. So when a method is dead, no code is left that calls its stub,
//     and another method may get the stub.
// E5: when the cache is full, a method may have no stub. Code calls it through Method::entry_from_code then.
#pragma once

#include "vm/metadata/method.h"

namespace keyhole::entry_stubs {

// All functions require the compiler's lock.

// Allocates room for stubs when few are left. Call it before code is made: the room for that code still counts as free
// while it is made, so stubs cannot be allocated then.
void prepare();
// The address of the method's stub; 0 if there is no room for one.
uptr of(const Method* method);
// Rewrites the method's stub. Call it when Method::entry_from_code has been written.
void follow(const Method* method);
// Frees the stub of a dead method. The world is stopped.
void release(const Method* method);

}  // namespace keyhole::entry_stubs
