// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Policy: mark the old generation, so that the emptiest regions can be evacuated first ("Pause Remark"). Nothing moves.
//
//   mark      all live objects, by several workers, with References and weak roots (policy/marking.h)
//   release   regions without live objects, dead humongous objects
//   choose    candidates by their live bytes (old_candidates.h)
//   rebuild   each region, by one worker: dead objects become filler, cards with references into candidates are
//             remembered
//
// The world is stopped throughout. It runs after a young collection, in the same safepoint: then eden is empty, and
// young objects have just been copied.
//
// S1: afterwards no dead object is left in any region that can be walked. A dead object may refer to a released region,
//     and such a reference must not be followed or verified.
// S2: cards of dead objects do not matter for the filler in their place; a card left dirty costs the next collection a
//     scan.
#pragma once

#include "gc/collection.h"
#include "gc/heap/old_generation.h"

namespace keyhole::gc {

// Marks and chooses candidates. `everything`: each old region becomes a candidate (for stress).
void mark_old_regions(Collection& collection, u32 workers, bool everything, OldGeneration& old) TOUCHES_OBJECTS;

}  // namespace keyhole::gc
