// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Policy: mark live objects, then slide them together in place. It needs no free region, and leaves one free run.
//
//   mark    a bit per 8 bytes; all bits of a live object are set (a humongous one: its first); by `workers`
//           (policy/marking.h)
//   plan    a destination for each block of 512 bytes (one word of the bitmap) in which live objects begin
//   move    in address order: rewrite the object's references, then memmove it down
//
//   new address(a) = destination[block of a] + 8 * (number of set bits below a in its block's word)
//
// Headers stay untouched until the memmove, so klass, hash and lock state stay readable and need not be saved.
//
// Where headers have no room for a hash (runtime/object/identity.h), an object that moves for the first time since it
// was hashed stores the hash, and when no gap in it is wide enough it gets 8 bytes longer: it grows. A second bitmap
// has the starts of those that grow, and the formula counts them too:
//
//   new address(a) = destination[block of a] + 8 * (set bits below a + growing objects that begin below a, in its
//   block's words)
//
// R1: objects keep their order, and no object crosses a region's end.
// R2: the live objects that begin in one block go to the same region; when they do not fit in the rest of the
//     destination, all of them go to the next one. So the formula needs no neighbouring blocks.
// R3: a destination never lies above its source. So everything at the destination has been moved away before it is
//     overwritten. Proof: objects are placed in address order. While the destination is in a region below the
//     source's, the next destination is at most the source's own region; and the survivors of one region fit into it
//     (R5).
// R4: humongous objects stay, unless asked to move; then they slide to the next whole destination region, in the same
//     order. Theirs has room for a hash from the beginning (RegionTable::humongous_region_count).
// R5: growing cannot overtake. An object that moves within its region moves by 8 bytes at least, and grows by 8; an
//     object that would not move keeps its address, and so its hash: it does not grow. In a full heap of hashed objects
//     each gap lets as many objects grow as it has words; those behind them stay.
#pragma once

#include "gc/collection.h"
#include "gc/heap/region.h"

namespace keyhole::gc {

// What happens to the last region that ordinary objects slide to, if it has room left. With MutatorsContinue mutators
// allocate in it; with KeptIfRoomy they do not, as long as a good part of the heap is free.
enum class LastRegion { MutatorsContinue, KeptIfRoomy };
// Marks and slides. Returns the region that was kept, or null.
Region* compacting_collection(Collection& collection, bool move_humongous, LastRegion last, u32 workers)
    TOUCHES_OBJECTS;

}  // namespace keyhole::gc
