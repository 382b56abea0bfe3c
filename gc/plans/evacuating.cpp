// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The simplest plan that collects: stop the world, copy everything that lives, release what was left behind.
//
//   asked for, or no room for   --yes-->  slide in place (policy/mark_compact.h)  <---------+
//   the copies expected?                                                                    | to-space exhausted:
//            | no                                                                           | some objects stay
//            v                                                                              |
//   copy everything (policy/parallel_copy.h)  --all copied-->  done                         |
//            +------------------------------------------------------------------------------+
//
// There is one generation: no object grows old, every region is in the collection set, and the roots are the VM's alone. So reference stores
// need no barrier. Copying moves every live object but the humongous ones, in time proportional to what lives. Sliding needs no room
// at all, and takes about three times as long: the last resort that makes nearly the whole of -Xmx usable.
#include "gc/plan.h"
#include "gc/policy/mark_compact.h"
#include "gc/policy/parallel_copy.h"
#include "gc/space.h"
#include "gc/workers.h"

namespace keyhole::gc {
namespace {

constexpr u64 bytes_per_worker = 1_MiB;   // of what is to be marked

class EvacuatingPlan final : public Plan {
 public:
  const PlanProperties& properties() const override {
    static constexpr PlanProperties values{"evacuating", "Evacuating", true, true, barrier::Kind::None};
    return values;
  }

  std::string start() const override { return initialize_workers(); }

  void collect(Collection& collection) const override {
    u32 ordinary = 0;
    space.regions.for_each_used([&](Region& region) { ordinary += region.is_humongous() ? 0 : 1; });
    bool slide = collection.request.is_full() || !space.sizing.copy_reserve_suffices(ordinary, space.regions.free_count());
    if (!slide) {
      CopyRequest everything;
      everything.tenuring_threshold = CopyRequest::never;
      everything.survivor_regions = space.regions.count();
      parallel_copy(collection, everything);
      slide = collection.evacuation_failed;
    }
    if (!slide) return;
    u32 workers = workers_for(space.regions.used_bytes(), bytes_per_worker);
    compacting_collection(collection, /*move_humongous=*/collection.request.compact, workers);
  }
};

constinit const EvacuatingPlan instance;

}  // namespace

const Plan& evacuating_plan = instance;

}  // namespace keyhole::gc
