// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Garbage first: the old regions that the last marking found worth evacuating, and how many of them the next young
// collection takes along.
//
//   marking --> regions with less than G1MixedGCLiveThresholdPercent alive, emptiest first
//                  |      each young collection is a mixed one while there are any:
//                  |      an equal share (G1MixedGCCountTarget), and more as long as MaxGCPauseMillis is predicted to
//                         be kept
//                  v
//   until what could still be gained is less than G1HeapWastePercent of the heap; the next marking begins anew
//
// K1: a reference in an old region to an object in another old region that is a candidate lies on a card that is
//     remembered or dirty (card_table.h). Marking ends with a pass over all old objects that sees to it, a copying
//     worker keeps it true for each slot that it scans, and what mutators store is dirty.
// K2: only objects die meanwhile: what was marked is the most that has to be copied.
#pragma once

#include <vector>

#include "gc/region.h"

namespace keyhole::gc {

class OldCandidates {
 public:
  struct Candidate {
    Region* region;
    u64 live_bytes;
  };
  // What the next collection may spend on old regions.
  struct Budget {
    u64 regions;         // of to-space
    f64 nanoseconds;
  };

  // After a marking. `everything`: whatever they gain (stress).
  void choose(std::vector<Candidate> old, bool everything);
  void clear();
  bool empty() const { return candidates_.empty(); }
  const std::vector<Candidate>& remaining() const { return candidates_; }

  // To-space that the next collection needs for its least share.
  u32 next_regions() const;
  // Those that the next collection evacuates; candidates no more.
  std::vector<Region*> take(const Budget& budget);

  // --- prediction ----------------------------------------------------------------------------------------------------
  // A pause that copied so much.
  void add_pause(u64 copied_bytes, i64 nanoseconds);
  f64 predicted_nanoseconds(const Candidate& candidate) const {
    return nanoseconds_per_copied_byte_ * static_cast<f64>(candidate.live_bytes);
  }

 private:
  u64 reclaimable_bytes() const;

  std::vector<Candidate> candidates_;   // the one to take next is the last
  usize least_share_ = 0;
  bool everything_ = false;
  f64 nanoseconds_per_copied_byte_ = 2;   // outlives the candidates; before anything is known, a cautious guess
};

}  // namespace keyhole::gc
