// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A plan: an object that decides how memory is allocated and taken back, and owns all that it remembers from one
// collection to the next. A file each in gc/plans/, over the policies that they share, chosen by -XX:GCPlan=.
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

// What a plan promises to the rest of the VM.
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

  // The heap is ready, nothing is allocated yet. Empty, or why the plan cannot run.
  virtual std::string start() { return {}; }
  // World stopped, between a pause's work and its end; and once after start.
  virtual AllocationBudget budget() = 0;
  // World stopped, all regions can be walked, none is Shared. Leaves states as a mutator may see them.
  virtual void collect(Collection& collection) = 0;
  // After a collection, in the same safepoint: is it time to find out what lives in old regions? If so mark() does, as
  // a pause of its own.
  virtual bool wants_marking() const { return false; }
  virtual void mark(Collection&) {}
  // Between pauses, beside mutators: what needs no stopped world. A step is a fraction of a millisecond, because a
  // pause waits for it, and it takes the heap lock for what it shares with mutators; true: there is more to do. What
  // every plan has to do here is to give memory back that its last collection left free and that will not be needed
  // soon. A plan with more to do overrides both, and calls these.
  virtual bool has_concurrent_work() const;
  virtual bool concurrent_step();
  // Null: all objects are of one generation.
  virtual const OldGeneration* old_generation() const { return nullptr; }

 private:
  const PlanProperties properties_;
};

// The plan in force, from heap::initialize on.
Plan& plan();
// Makes a plan, and its barrier the one that reference stores have. Empty, or why it is refused.
std::string select_plan(std::string_view name);

#define GC_PLAN(name, ...) std::unique_ptr<Plan> make_##name##_plan();
#include "gc/plans.def"
#undef GC_PLAN

}  // namespace keyhole::gc
