// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Memory that Java maps from files, and accesses to pages that their file does not have (any more): the kernel raises
// SIGBUS, and Java is promised an InternalError.
//
//   Java code, Unsafe                    handler of SIGBUS                        a poll of Java code
//   access ──────────SIGBUS────────────> hide_page: the file's page moves aside,
//                                        zeros take its place; the thread gets
//                                        its memory_fault and asynchronous_bit
//   the same access again <──────────────┘
//   reads zeros, or writes them away ─────────────────────────────────────────> take_fault: all pages come back;
//                                                                                InternalError
//
// R1: only memory that add() knows is hidden, so a fault in the heap, in code or on a stack stays fatal.
// R2: only an access of a managed thread is answered: there the fault is in Java code or in an Unsafe native. Foreign
//     native code cannot be told that what it reads is no longer the file; it ends the process, as in HotSpot.
// R3: the faulting instruction is executed again instead of skipped. So whatever compiled code knows about the value
//     (a byte is below 256) holds, and no instruction is decoded.
// R4: a hidden page comes back at the first poll of any thread that has faulted. The next access faults again, and one
//     after the file has grown finds the file. Meanwhile other threads see the zeros, too.
// R5: remove() forgets what it unmaps, so a page never comes back over somebody else's memory.
#pragma once

#include "runtime/base/types.h"

namespace keyhole {

struct JavaThread;

namespace mapped_files {

void add(uptr address, usize bytes);
// Unmaps it. munmap's result.
int remove(uptr address, usize bytes);

// In the handler of SIGBUS. False: the fault is fatal.
bool hide_page(JavaThread* thread, uptr accessed);

// Own thread, managed: whether it has accessed a missing page since the last call. Pages that are hidden come back.
bool take_fault(JavaThread* thread);

}  // namespace mapped_files
}  // namespace keyhole
