// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// What a plan with generations keeps of the old one, and what each collection needs of it and leaves for the next.
#pragma once

#include "gc/old_candidates.h"

namespace keyhole::gc {

struct OldGeneration {
  // The old region with room that the next collection promotes into, or null.
  Region* promotion_region = nullptr;
  OldCandidates candidates;

  // After a sliding collection everything but the region that mutators go on in is old: object starts are recorded
  // anew, all cards are dirty, nothing is a candidate.
  void take_everything();
};

}  // namespace keyhole::gc
