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
// P1: the worker that installs the forwarding address by CAS owns the copy: it scans and counts it. A worker that loses
//     the race discards its copy, which may be torn (forwarding.h, F3).
// P2: one worker updates each slot: the owner of a copy its slots, the worker that claimed a unit the slots on its
//     cards, a provider its roots. (A root that two providers report gets the same address from both.)
// P3: a slot in an old region that holds a young reference afterwards lies on a dirty card. Cards of a unit are cleaned
//     when they are scanned; promotion begins on a card of its own, so no other worker marks them meanwhile.
// P4: when candidates are evacuated, references into them from other old regions lie on remembered or dirty cards
//     (old_candidates.h, K1). Old regions that are no candidates are evacuated only when all old regions are. Only the
//     humongous ones stay then, and they are scanned as a whole (scan_whole_old_regions). Scanning cleans a card; for
//     each reference that it finds the worker notes on the card again what the next collection has to know.
// P5: when to-space has no room for a copy, the object forwards to itself and stays, its region is kept, and a sliding
//     collection must follow (Collection::evacuation_failed).
// P6: a young humongous object is not copied. If it is not reached its regions become free; else it ages in place.
// P7: a collection that moves no old object skips clean continuations. The roots of the others decide whether they
//     become clean (runtime/threads/continuations/continuation_lists.h).
#pragma once

#include <vector>

#include "gc/collection.h"
#include "gc/heap/generations.h"
#include "gc/heap/old_generation.h"

namespace keyhole::gc {

struct CopyRequest {
  static constexpr u32 never = ages;

  std::vector<Region*> old_regions;     // in the collection set, in addition to all young ones
  bool scan_whole_old_regions = false;  // scan old regions that stay as a whole, regardless of their cards (P4)
  u32 tenuring_threshold = 0;           // from this age on objects are promoted; `never`: none is
  u32 survivor_regions = 0;             // survivors that do not fit into them are promoted regardless of age
};
struct CopyResult {
  AgeTable survivors;
  u64 promoted_bytes = 0;   // bytes promoted from young to old regions
  u64 moved_old_bytes = 0;  // bytes moved from old to old regions
  u64 evacuated_bytes = 0;  // bytes in the regions of the collection set
  u64 young_bytes = 0;      // the part of them in young regions
  u64 cards_scanned = 0;
  u32 workers = 0;
};
// Copies the live objects out of the collection set. The promotion region of `old` is replaced by a new one, and its
// candidates are read.
CopyResult parallel_copy(Collection& collection, const CopyRequest& request, OldGeneration& old) TOUCHES_OBJECTS;

}  // namespace keyhole::gc
