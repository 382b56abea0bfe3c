// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Policy: copy live objects out of a collection set of regions, by several workers. Young regions are always in it, old
// ones may be. A plan without generations has young regions only.
//
//   before   Eden  Surv  Old   Old  Hum(old)  Hum(young)  Free Free ...
//   flip     From  From  From  Old  Hum(old)  Hum(young)  Free Free ...     the third one is in the collection set
//   trace    From  From  From  Old  Hum(old)  Hum(young)  Surv Old  ...     roots: the VM's, and cards of Old and
//                                                                           Hum(old)
//   after    Free  Free  Free  Old  Hum(old)  Hum(...)    Surv Old  ...
//
// P1: whoever installs the forwarding address by CAS owns the copy: scans it, counts it. Who loses takes his copy back.
// P2: each slot is updated by one worker: those of a copy by its owner, those on a card by who claimed the card's unit,
//     a root's by its provider. (A root that two providers report gets the same address from both.)
// P3: a slot in an old region that holds a young reference afterwards lies on a dirty card. Cards of a unit are cleaned
//     when they are scanned; promotion begins on a card of its own, so nobody else marks them meanwhile.
// P4: when old regions are evacuated, the references into them that other old regions hold lie on remembered or dirty
//     cards, if the regions were candidates (old_candidates.h, K1). Regions that were not are evacuated only together
//     with all others, and then the humongous ones that remain are scanned whole. Slots that a worker scans, it notes
//     on their cards anew.
// P5: a copy whose words no to-space has room for is not made: the object forwards to itself and stays, its region is
//     kept, and a sliding collection has to follow (Collection::evacuation_failed).
// P6: a young humongous object is not copied. Unreached, its regions are free; reached, it grows older in place.
#pragma once

#include <vector>

#include "gc/collection.h"
#include "gc/generations.h"
#include "gc/old_generation.h"

namespace keyhole::gc {

struct CopyRequest {
  static constexpr u32 never = ages;

  std::vector<Region*> old_regions;   // in the collection set beside all young ones
  bool scan_whole_old_regions = false;   // whatever their cards say (P4)
  u32 tenuring_threshold = 0;            // from this age on objects are promoted; `never`: none is
  u32 survivor_regions = 0;           // what does not fit into so many is promoted, whatever its age
};
struct CopyResult {
  AgeTable survivors;
  u64 promoted_bytes = 0;             // from young to old
  u64 moved_old_bytes = 0;            // from old to old
  u64 evacuated_bytes = 0;            // bytes in the regions of the collection set
  u64 young_bytes = 0;                // of these, in young ones
  u64 cards_scanned = 0;
  u32 workers = 0;
};
// `old` gets a new promotion region; its candidates are looked at.
CopyResult parallel_copy(Collection& collection, const CopyRequest& request, OldGeneration& old);

}  // namespace keyhole::gc
