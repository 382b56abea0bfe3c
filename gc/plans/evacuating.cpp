// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The simplest plan that collects: stop the world, copy everything that lives, release what was left behind.
//
//   room for the copies expected?  --yes-->  copy (policy/copy_space.h)  --all copied-->  done
//            | no                                   | to-space exhausted: some objects stay in place
//            v                                      v
//      slide in place (policy/mark_compact.h)  <----+
//
// Copying moves every live object but the humongous ones, in time proportional to what lives. Sliding needs no room at all, and
// takes about three times as long: the last resort that makes nearly the whole of -Xmx usable.
#include "gc/plan.h"
#include "gc/policy/copy_space.h"
#include "gc/policy/mark_compact.h"
#include "gc/space.h"

namespace keyhole::gc {
namespace {

class EvacuatingPlan final : public Plan {
 public:
  const PlanProperties& properties() const override {
    static constexpr PlanProperties values{"evacuating", "Evacuating", true, true, barrier::Kind::None};
    return values;
  }

  void collect(Collection& collection) const override {
    u32 ordinary = 0;
    space.regions.for_each_used([&](Region& region) { ordinary += region.is_humongous() ? 0 : 1; });
    bool slide = collection.request.compact || !space.sizing.copy_reserve_suffices(ordinary, space.regions.free_count());
    if (!slide) {
      copy_collection(collection);
      slide = collection.evacuation_failed;
    }
    if (slide) compacting_collection(collection, /*move_humongous=*/collection.request.compact, /*workers=*/1);
  }
};

constinit const EvacuatingPlan instance;

}  // namespace

const Plan& evacuating_plan = instance;

}  // namespace keyhole::gc
