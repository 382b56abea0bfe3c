// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A plan: an object that decides how memory is allocated and taken back, and owns all that it remembers from one
// collection to the next. Each plan is a file in gc/plans/, and uses the policies of gc/policy. -XX:GCPlan= chooses
// one.
//
//   when                         the plan is asked                       by
//   the heap is ready            start                                   heap::initialize
//   allocation                   budget: what mutators may take          the trigger (sizing.h), after each pause
//   a reference is stored        properties().barrier                    barrier.h, the interpreter through it; the
//                                                                        code generators
//   the budget is spent          collect                                 collection.cpp, world stopped
//   a pause is over              wants_marking, mark                     the same, in the same safepoint
//   mutators run again           has_concurrent_work, concurrent_step    the service thread (service.h)
//   the heap is verified         old_generation                          verify.cpp
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "gc/barrier.h"
#include "gc/collection.h"
#include "gc/heap/sizing.h"

namespace keyhole::gc {

struct OldGeneration;

// Properties of a plan that the rest of the VM relies on.
struct PlanProperties {
  const char* log_name;  // "Using ..." in -Xlog:gc
  bool collects;
  barrier::Kind barrier;  // what a reference store must do
};

class Plan {
 public:
  explicit Plan(const PlanProperties& properties) : properties_(properties) {}
  Plan(const Plan&) = delete;
  virtual ~Plan() = default;

  const PlanProperties& properties() const { return properties_; }

  // Called when the heap is ready and nothing is allocated yet. Returns the empty string, or the reason why the plan
  // cannot run.
  virtual std::string start() { return {}; }
  // The budget until the next collection. Called with the world stopped, between a pause's work and its end, and once
  // after start.
  virtual AllocationBudget budget() = 0;
  // Collects. The world is stopped, all regions can be walked, and none is Shared. Leaves the regions in states that a
  // mutator may see.
  virtual void collect(Collection& collection) = 0;
  // Called after a collection, in the same safepoint: whether it is time to find the live objects in old regions. If
  // so, mark() does, as a pause of its own.
  virtual bool wants_marking() const { return false; }
  virtual void mark(Collection&) {}
  // Work that needs no stopped world, done between pauses and beside mutators. A step takes a fraction of a
  // millisecond, because a pause waits for it. It takes the heap lock for data that it shares with mutators. True:
  // there is more to do. Every plan gives memory back here that its last collection left free and that will not be
  // needed soon. A plan with further work overrides both functions, and calls these.
  virtual bool has_concurrent_work() const;
  virtual bool concurrent_step();
  // The old generation; null if all objects are of one generation.
  virtual const OldGeneration* old_generation() const { return nullptr; }

 private:
  const PlanProperties properties_;
};

// The active plan, from heap::initialize on.
Plan& plan();
// Makes a plan, and makes its barrier that of reference stores. Returns the empty string, or the reason for a refusal.
std::string select_plan(std::string_view name);

#define GC_PLAN(name, ...) std::unique_ptr<Plan> make_##name##_plan();
#include "gc/plans.def"
#undef GC_PLAN

}  // namespace keyhole::gc
