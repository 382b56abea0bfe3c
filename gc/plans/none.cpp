// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The plan that never collects. It shows the cost of allocation alone, and is the first plan to read.
//
// The heap fills up to -Xmx, then allocation fails. References are never cleared, nothing moves, and reference stores
// mark nothing.
#include "gc/heap/space.h"
#include "gc/plan.h"

namespace keyhole::gc {
namespace {

class NonePlan final : public Plan {
 public:
  NonePlan() : Plan({.log_name = "None (never collects)", .collects = false, .barrier = barrier::Kind::None}) {}

  // The budget is the initial heap, which grows region by region (heap.cpp, step 4).
  AllocationBudget budget() override { return {.eden = space.sizing.initial_regions(), .copies = 0}; }
  void collect(Collection&) override {}
};

}  // namespace

std::unique_ptr<Plan> make_none_plan() { return std::make_unique<NonePlan>(); }

}  // namespace keyhole::gc
