// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Memory that Java maps from files. An access to a page that the file does not have (any more) raises SIGBUS, and Java
// is promised an InternalError.
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
// R2: pages are hidden only for a fault of a managed thread, which is in Java code or in an Unsafe native. Foreign
//     native code could not learn that it no longer reads the file, so its fault ends the process, as in HotSpot.
// R3: the faulting instruction is executed again instead of skipped. So the assumptions of compiled code about the
//     value hold (a byte is below 256), and no instruction is decoded.
// R4: a hidden page comes back at the first poll of any thread that has faulted. The next access faults again, or finds
//     the file if it has grown. Until then other threads see the zeros, too.
// R5: remove() forgets the memory that it unmaps, so a page never comes back over another mapping.
#pragma once

#include "runtime/base/types.h"

namespace keyhole {

struct JavaThread;

namespace mapped_files {

void add(uptr address, usize bytes);
// Unmaps memory that add() has registered. Returns the result of munmap.
int remove(uptr address, usize bytes);

// Hides the missing page that `thread` has accessed at `accessed`, so that the access reads zeros when it is executed
// again. Called in the handler of SIGBUS. Returns false if the fault is fatal (R1, R2).
bool hide_page(JavaThread* thread, uptr accessed);

// Called by the thread itself, managed. If the thread has accessed a missing page since the last call, unhides all
// pages and returns true.
bool take_fault(JavaThread* thread);

}  // namespace mapped_files
}  // namespace keyhole
