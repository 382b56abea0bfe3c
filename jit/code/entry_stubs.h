// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Entry stubs: compiled code calls a statically known method through the method's stub, a single jump in the code
// cache. The call instruction contains the stub's address, so the processor needs no load to find the target.
//
//    call rel32 ──> | jmp rel32 | int3 int3 int3 | ──> the method's code, or code_to_entry
//                   ^ 8 bytes, aligned
//
// A method gets its stub when the first code that calls it is compiled. The stub jumps to the address that
// Method::entry_from_code holds (method_codes.h, M1). A stub that loaded this address from memory would be slower than
// an indirect call. So the jump contains the address, and is rewritten when Method::entry_from_code changes. No other
// instruction is changed while threads may execute it.
//
// E1: a stub is written by one store of eight aligned bytes, through the writable view. A stub never crosses a cache
//     line, so a processor fetches either the old jump or the new jump. Both targets are valid (M3), so no thread has
//     to wait.
// E2: new code is written before the stub that jumps to it is rewritten, and a stub is written before code that calls
//     it is published. On x86 stores become visible in program order, and instruction caches are coherent with them.
// E3: a processor that has fetched the old jump may still execute it; the jump's old target still exists. Code is freed
//     only at a safepoint, where no thread is between a call and its callee. The sweep ends with a membarrier, so that
//     each processor that runs a thread of the VM discards the instructions that it has fetched (sweeper.h, S4).
// E4: code contains no reference to a method that may die before the code. So when a method dies, no code calls its
//     stub any more, and another method may get the stub.
// E5: when the code cache is full, a method may have no stub. Code calls such a method through Method::entry_from_code.
#pragma once

#include "vm/metadata/method.h"

namespace keyhole::entry_stubs {

// All functions require the compiler's lock.

// Allocates room for more stubs when few are left. The compiler calls this before it generates code. During code
// generation no stubs can be allocated, because the free piece that the code is generated for is not yet marked as
// used.
void prepare();
// The address of the method's stub; 0 if there is no room for one.
uptr of(const Method* method);
// Rewrites the method's stub after Method::entry_from_code has changed.
void follow(const Method* method);
// Frees the stub of a dead method. The world is stopped.
void release(const Method* method);

}  // namespace keyhole::entry_stubs
