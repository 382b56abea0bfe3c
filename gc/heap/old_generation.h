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

  // Called after a sliding collection, which makes all regions old except the mutators' current one. Records object
  // starts again, makes all cards dirty, and drops the candidates. Promotion continues in `last`.
  void take_everything(Region* last);
};

}  // namespace keyhole::gc
