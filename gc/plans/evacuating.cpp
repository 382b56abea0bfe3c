// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The simplest plan that collects: stop the world, copy all live objects, release the regions that they left.
//
//   asked for, or no room for   --yes-->  slide in place (policy/mark_compact.h)  <---------+
//   the copies expected?                                                                    | to-space exhausted:
//            | no                                                                           | some objects stay
//            v                                                                              |
//   copy everything (policy/parallel_copy.h)  --all copied-->  done                         |
//            +------------------------------------------------------------------------------+
//
// There is one generation: no object grows old, every region is in the collection set, and the roots are the VM's
// alone. So reference stores need no barrier. Copying moves all live objects except humongous ones, in time
// proportional to their size. Sliding needs no room at all, and takes about three times as long. It is the last resort,
// which makes nearly all of -Xmx usable.
#include "gc/heap/copy_reserve.h"
#include "gc/heap/old_generation.h"
#include "gc/heap/space.h"
#include "gc/plan.h"
#include "gc/policy/mark_compact.h"
#include "gc/policy/parallel_copy.h"
#include "gc/workers.h"

namespace keyhole::gc {
namespace {

class EvacuatingPlan final : public Plan {
 public:
  EvacuatingPlan() : Plan({.log_name = "Evacuating", .collects = true, .barrier = barrier::Kind::None}) {}

  std::string start() override { return initialize_workers(); }
  AllocationBudget budget() override {
    return reserve_.budget(space.regions.used_count(), space.regions.count(), space.regions.region_bytes());
  }

  void collect(Collection& collection) TOUCHES_OBJECTS override {
    u32 ordinary = 0;
    space.regions.for_each_used([&](Region& region) { ordinary += region.is_humongous() ? 0 : 1; });
    bool slide = collection.request.is_full() || !reserve_.suffices(ordinary, space.regions.free_count());
    if (!slide) {
      CopyRequest everything;
      everything.tenuring_threshold = CopyRequest::never;
      everything.survivor_regions = space.regions.count();
      OldGeneration nothing;
      parallel_copy(collection, everything, nothing);
      slide = collection.evacuation_failed;
    }
    if (slide) {
      u32 workers = workers_for(space.regions.used_bytes(), bytes_marked_per_worker);
      compacting_collection(collection, /*move_humongous=*/collection.request.compact, LastRegion::MutatorsContinue,
                            workers);
    }
    reserve_.after_collection(space.regions.used_count());
  }

 private:
  CopyReserve reserve_;
};

}  // namespace

std::unique_ptr<Plan> make_evacuating_plan() { return std::make_unique<EvacuatingPlan>(); }

}  // namespace keyhole::gc
