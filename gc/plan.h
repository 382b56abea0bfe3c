// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A plan: which policies a collection is made of. One small file each in gc/plans/, chosen by -XX:GCPlan=.
#pragma once

#include <string>
#include <string_view>

#include "gc/barrier.h"
#include "gc/collection.h"

namespace keyhole::gc {

// What a plan promises to the rest of the VM.
struct PlanProperties {
  std::string_view name;        // of -XX:GCPlan=
  const char* log_name;         // "Using ..." in -Xlog:gc
  bool collects;
  bool moves_objects;
  barrier::Kind barrier;        // what a reference store must do; the code generators read the same
};

class Plan {
 public:
  virtual const PlanProperties& properties() const = 0;
  // World stopped, all regions can be walked, none is Shared. Leaves states as a mutator may see them.
  virtual void collect(Collection& collection) const = 0;
  // After a collection, in the same safepoint: is it time to find out what lives in old regions? If so mark() does, as a pause of its own.
  virtual bool wants_marking() const { return false; }
  virtual void mark(Collection&) const {}
  // The heap is ready, nothing is allocated yet. Empty, or why the plan cannot run.
  virtual std::string start() const { return {}; }
 protected:
  ~Plan() = default;
};

extern const Plan& none_plan;
extern const Plan& evacuating_plan;
extern const Plan& generational_plan;

// The plan in force. select_plan: empty, or why it is refused.
const Plan& plan();
std::string select_plan(std::string_view name);

}  // namespace keyhole::gc
