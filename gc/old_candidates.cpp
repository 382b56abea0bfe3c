// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Chooses candidates, and takes some of them.
#include "gc/old_candidates.h"

#include <algorithm>

#include "gc/heap/space.h"
#include "runtime/base/flags.h"

namespace keyhole::gc {

void OldCandidates::clear() {
  candidates_.clear();
  least_share_ = 0;
  everything_ = false;
}

u64 OldCandidates::reclaimable_bytes() const {
  u64 bytes = 0;
  for (const Candidate& candidate : candidates_) bytes += candidate.region->bytes() - candidate.live_bytes;
  return bytes;
}

void OldCandidates::choose(std::vector<Candidate> old, bool everything) {
  clear();
  everything_ = everything;
  for (const Candidate& candidate : old) {
    u64 threshold = candidate.region->bytes() / 100 * static_cast<u64>(flags::G1MixedGCLiveThresholdPercent);
    if (everything || candidate.live_bytes < threshold) candidates_.push_back(candidate);
  }
  std::sort(candidates_.begin(), candidates_.end(), [](const Candidate& a, const Candidate& b) {
    return a.live_bytes != b.live_bytes ? a.live_bytes > b.live_bytes : a.region->index() > b.region->index();
  });
  u64 heap_bytes = u64{space.regions.count()} * space.regions.region_bytes();
  if (!everything && reclaimable_bytes() <= heap_bytes / 100 * static_cast<u64>(flags::G1HeapWastePercent))
    candidates_.clear();
  usize collections = static_cast<usize>(flags::G1MixedGCCountTarget);
  least_share_ = (candidates_.size() + collections - 1) / collections;
}

u32 OldCandidates::next_regions() const {
  u64 bytes = 0;
  for (usize i = 0; i < std::min(least_share_, candidates_.size()); ++i)
    bytes += candidates_[candidates_.size() - 1 - i].live_bytes;
  return candidates_.empty() ? 0 : static_cast<u32>(bytes / space.regions.region_bytes()) + 1;
}

std::vector<Region*> OldCandidates::take(const Budget& budget) {
  std::vector<Region*> taken;
  u64 live_bytes = 0;
  f64 nanoseconds = 0;
  while (!candidates_.empty()) {
    const Candidate& next = candidates_.back();
    live_bytes += next.live_bytes;
    nanoseconds += predicted_nanoseconds(next);
    if (live_bytes > budget.regions * space.regions.region_bytes()) break;
    if (taken.size() >= least_share_ && nanoseconds > budget.nanoseconds) break;
    taken.push_back(next.region);
    candidates_.pop_back();
  }
  u64 heap_bytes = u64{space.regions.count()} * space.regions.region_bytes();
  if (!everything_ && reclaimable_bytes() <= heap_bytes / 100 * static_cast<u64>(flags::G1HeapWastePercent))
    candidates_.clear();
  return taken;
}

void OldCandidates::add_pause(u64 copied_bytes, i64 nanoseconds) {
  constexpr u64 least_bytes = 256_KiB;  // in a smaller pause the fixed cost would count as the cost of bytes
  if (copied_bytes < least_bytes) return;
  constexpr f64 weight = 0.3;
  nanoseconds_per_copied_byte_ +=
      weight * (static_cast<f64>(nanoseconds) / static_cast<f64>(copied_bytes) - nanoseconds_per_copied_byte_);
}

}  // namespace keyhole::gc
