// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The default plan: it collects young regions often, old ones garbage first, and the whole heap seldom.
//
//   asked for, or no room for   --yes-->  slide everything together (policy/mark_compact.h)  <--------+
//   the survivors expected?                                                                           |
//            | no                                                                 to-space exhausted  |
//            v                                                                                        |
//   evacuate the young regions, and the next candidates if there are any (policy/parallel_copy.h)  ---+
//            | all copied
//            v
//   much of the heap is old?   --yes-->  mark, choose candidates (policy/old_marking.h), in the same safepoint
//            | no
//            v
//   done: survivors are young for a while, then old
//
// The roots of a young collection are those of the VM, and the references from old regions into young ones, which lie
// on dirty cards.
//
// Old regions are marked under two conditions. With humongous ones they make up InitiatingHeapOccupancyPercent of the
// heap; and since the last marking or full collection they have grown by a good part of their own size, or of the rest
// of the heap. So enough has been promoted meanwhile to pay for the marking.
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
  // Old regions, humongous ones included, at the last marking or full collection.
  u32 old_at_last_look_ = 0;
  bool marking_due_ = false, marking_takes_everything_ = false;
};

}  // namespace keyhole::gc
