// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Garbage first: keeps the old regions that the last marking found worth evacuating, and decides how many of them the
// next young collection evacuates, too.
//
//   marking --> regions with less than G1MixedGCLiveThresholdPercent alive, emptiest first
//                  |      each young collection is a mixed one while there are any:
//                  |      an equal share (G1MixedGCCountTarget), and more within the predicted MaxGCPauseMillis
//                  v
//   until the remaining gain is less than G1HeapWastePercent of the heap; the next marking starts again
//
// K1: a reference in an old region to an object in another old region that is a candidate lies on a card that is
//     remembered or dirty (card_table.h). Marking ends with a pass over all old objects that establishes this, a
//     copying worker maintains it for each slot that it scans, and stores of mutators dirty their cards.
// K2: objects can only die meanwhile: the marked bytes are the most that has to be copied.
#pragma once

#include <vector>

#include "gc/heap/region.h"

namespace keyhole::gc {

class OldCandidates {
 public:
  struct Candidate {
    Region* region;
    u64 live_bytes;
  };
  // The budget of the next collection for old regions.
  struct Budget {
    u64 regions;  // regions of to-space
    f64 nanoseconds;
  };

  // Chooses candidates after a marking. `everything`: all of them, whatever the gain (for stress).
  void choose(std::vector<Candidate> old, bool everything);
  void clear();
  bool empty() const { return candidates_.empty(); }
  const std::vector<Candidate>& remaining() const { return candidates_; }

  // The regions of to-space that the next collection needs for its minimum share.
  u32 next_regions() const;
  // Takes the candidates that the next collection evacuates.
  std::vector<Region*> take(const Budget& budget);

  // --- prediction ----------------------------------------------------------------------------------------------------
  // Reports a pause that copied this much.
  void add_pause(u64 copied_bytes, i64 nanoseconds);
  f64 predicted_nanoseconds(const Candidate& candidate) const {
    return nanoseconds_per_copied_byte_ * static_cast<f64>(candidate.live_bytes);
  }

 private:
  u64 reclaimable_bytes() const;

  std::vector<Candidate> candidates_;  // the candidate to take next is the last one
  usize least_share_ = 0;
  bool everything_ = false;
  f64 nanoseconds_per_copied_byte_ = 2;  // kept when candidates are dropped; a cautious estimate at first
};

}  // namespace keyhole::gc
