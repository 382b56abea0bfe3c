// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The default plan: young regions often and in parallel, old ones garbage first, everything seldom.
//
//   asked for, or no room for   --yes-->  slide everything together (policy/mark_compact.h)  <--------+
//   the survivors expected?                                                                           |
//            | no                                                                                     | to-space
//            exhausted v                                                                                        |
//   evacuate the young regions, and the next candidates if there are any (policy/parallel_copy.h)  --+
//            | all copied
//            v
//   much of the heap is old?   --yes-->  mark, choose candidates (policy/old_marking.h), in the same safepoint
//            | no
//            v
//   done: survivors are young for a while, then old
//
// Roots of a young collection are the VM's, and the references into young regions that old ones hold: those lie on
// dirty cards.
//
// Old regions are marked when they, humongous ones included, are InitiatingHeapOccupancyPercent of the heap and a good
// part of what they or the rest of the heap were has been added since the last look. What a look costs is so paid for
// by what was promoted meanwhile.
#pragma once

#include "gc/heap/generations.h"
#include "gc/heap/heap_goal.h"
#include "gc/heap/old_generation.h"
#include "gc/heap/young_size.h"
#include "gc/plan.h"
#include "gc/policy/parallel_copy.h"

namespace keyhole::gc {

class GenerationalPlan final : public Plan {
 public:
  GenerationalPlan() : Plan({.log_name = "Generational", .collects = true, .barrier = barrier::Kind::CardMark}) {}

  std::string start() override;
  AllocationBudget budget() override;
  void collect(Collection& collection) TOUCHES_OBJECTS override;
  bool wants_marking() const override { return marking_due_; }
  void mark(Collection& collection) TOUCHES_OBJECTS override;
  const OldGeneration* old_generation() const override { return &old_; }

  Generations& generations() { return generations_; }

 private:
  struct RegionStatistics;

  u64 expected_survivor_regions(const RegionStatistics& statistics) const;
  bool has_room(const RegionStatistics& statistics, u32 old_regions) const;
  bool is_stress_of_everything(const Request& request);

  void add_candidates(CopyRequest& request, const RegionStatistics& statistics);
  void add_all_old(CopyRequest& request);
  void evacuate(Collection& collection, const CopyRequest& request) TOUCHES_OBJECTS;
  void slide(Collection& collection) TOUCHES_OBJECTS;

  bool old_is_due();
  void looked_at_old();

  Generations generations_;
  OldGeneration old_;
  YoungSize young_size_;
  HeapGoal heap_goal_;
  u64 stress_collections_ = 0;
  u32 old_at_last_look_ = 0;  // old regions, humongous ones included, when it was last known what lives in them
  bool marking_due_ = false, marking_takes_everything_ = false;
};

}  // namespace keyhole::gc
