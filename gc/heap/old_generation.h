// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A generational plan's state of its old generation, from one collection to the next.
#pragma once

#include "gc/old_candidates.h"

namespace keyhole::gc {

struct OldGeneration {
  // The old region with room that the next collection promotes into, or null.
  Region* promotion_region = nullptr;
  OldCandidates candidates;

  // After a sliding collection all regions but the mutators' current one are old: object starts are recorded again, all
  // cards are dirty, no region is a candidate. Promotion goes on in `last`.
  void take_everything(Region* last);
};

}  // namespace keyhole::gc
