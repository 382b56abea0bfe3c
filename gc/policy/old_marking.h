// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Policy: find out what lives in the old generation, so that the emptiest regions can be evacuated first ("Pause
// Remark"). Nothing moves.
//
//   mark      all that lives, by several workers, with References and weak roots (policy/marking.h)
//   release   regions in which nothing lives, dead humongous objects
//   choose    candidates by what lives in them (old_candidates.h)
//   rebuild   each region, by one worker: what died becomes filler, cards with references into candidates are
//             remembered
//
// The world is stopped all along. It runs after a young collection, in the same safepoint: eden is empty then, and what
// is young was copied just now.
//
// S1: afterwards no dead object is left in any region that can be walked. A dead object may refer to a region that was
//     released, and nobody must follow or verify such a reference.
// S2: cards of dead objects say nothing about the filler in their place; that a dirty one stays dirty costs the next
//     collection a look.
#pragma once

#include "gc/collection.h"
#include "gc/old_generation.h"

namespace keyhole::gc {

// `everything`: each old region becomes a candidate (stress).
void mark_old_regions(Collection& collection, u32 workers, bool everything, OldGeneration& old);

}  // namespace keyhole::gc
