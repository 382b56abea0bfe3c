// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The default plan: young regions often and in parallel, everything seldom.
//
//   asked for, or no room for   --yes-->  slide everything together (policy/mark_compact.h)  <--------+
//   the survivors expected?                                                                           |
//            | no                                                                                     | to-space exhausted
//            v                                                                                        |
//   evacuate the young regions (policy/parallel_copy.h)  --------------------------------------------+
//            | all copied
//            v
//   done: survivors are young for a while, then old
//
// Roots of a young collection are the VM's, and the references into young regions that old ones hold: those lie on dirty cards.
#include <algorithm>

#include "gc/generations.h"
#include "gc/plan.h"
#include "gc/policy/mark_compact.h"
#include "gc/policy/parallel_copy.h"
#include "gc/space.h"
#include "gc/workers.h"
#include "gc/young_size.h"
#include "runtime/base/flags.h"
#include "runtime/base/log.h"
#include "runtime/base/platform/hardware_world.h"

namespace keyhole::gc {
namespace {

constexpr u32 destinations_in_use = 2;   // survivors and old

YoungSize young_size;
u64 stress_collections = 0;

struct Census {
  u32 young = 0, old = 0, humongous = 0;   // regions
  u64 young_bytes = 0;
};

Census take_census() {
  Census census;
  space.regions.for_each_used([&](Region& region) {
    if (region.is_humongous()) {
      ++census.humongous;
    } else if (region.is_young()) {
      ++census.young;
      census.young_bytes += region.used_bytes();
    } else {
      ++census.old;
    }
  });
  return census;
}

bool is_full(const Request& request) { return request.compact || request.cause == heap::Cause::SystemGC || request.cause == heap::Cause::HeapDump; }

// A region for each destination beside what is expected.
bool has_room(const Census& census, u32 old_regions) {
  u64 survivors = generations.expected_survivors(census.young_bytes) / space.regions.region_bytes() + destinations_in_use;
  return space.regions.free_count() >= std::min<u64>(survivors + old_regions, census.young + old_regions + destinations_in_use);
}

bool stress_evacuates_old(const Request& request) {
  if (request.cause != heap::Cause::Stress || flags::GCStressFullInterval == 0) return false;
  return ++stress_collections % static_cast<u64>(flags::GCStressFullInterval) == 0;
}

void set_eden() {
  u32 used = space.regions.used_count(), maximum = space.regions.count();
  space.sizing.set_eden(young_size.eden_regions(used, maximum, space.regions.region_bytes(), generations.expected_survival()));
}

class GenerationalPlan final : public Plan {
 public:
  const PlanProperties& properties() const override {
    static constexpr PlanProperties values{"generational", "Generational", true, true, barrier::Kind::CardMark};
    return values;
  }

  std::string start() const override {
    if (std::string error = initialize_workers(); !error.empty()) return error;
    generations.initialize();
    young_size = YoungSize();
    set_eden();
    space.sizing.after_collection(0);
    return {};
  }

  void collect(Collection& collection) const override {
    Census census = take_census();
    bool full = is_full(collection.request);
    CopyRequest request;
    request.tenuring_threshold = generations.tenuring_threshold();
    if (!full && stress_evacuates_old(collection.request)) add_all_old(request);
    if (!full && !has_room(census, static_cast<u32>(request.old_regions.size()))) {
      KEYHOLE_LOG(debug, gc_ergo, "GC({}) Full collection: {} regions are free, {}K of {}K in young regions expected to survive", collection.number,
                  space.regions.free_count(), generations.expected_survivors(census.young_bytes) / 1024, census.young_bytes / 1024);
      full = true;
    }
    if (!full) {
      evacuate(collection, request);
      full = collection.evacuation_failed;
    }
    if (full) {
      collection.kind = "Full";
      compacting_collection(collection, /*move_humongous=*/collection.request.compact);
      generations.after_sliding();
    }
    set_eden();
  }

 private:
  static void add_all_old(CopyRequest& request) {
    space.regions.for_each_used([&](Region& region) {
      if (!region.is_humongous() && !region.is_young()) request.old_regions.push_back(&region);
    });
  }

  static void evacuate(Collection& collection, const CopyRequest& request) {
    collection.kind = request.old_regions.empty() ? "Young (Normal)" : "Young (Mixed)";
    i64 start = hardware::now_nanoseconds();
    CopyResult result = parallel_copy(collection, request);
    if (request.old_regions.empty()) young_size.add_pause(result.young_bytes, hardware::now_nanoseconds() - start);
    generations.after_young(collection.number, result.young_bytes, result.survivors, result.promoted_bytes);
  }
};

constinit const GenerationalPlan instance;

}  // namespace

const Plan& generational_plan = instance;

}  // namespace keyhole::gc
