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
//
// Old regions are evacuated together with the young ones ("mixed") when they are InitiatingHeapOccupancyPercent of the heap, and there are a
// quarter more of them than after the last collection that looked at them. As nothing is known of what lives in each, all of them are taken. Half of
// what was added since then is expected to live; if more does, to-space runs out and the collection goes on by sliding.
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
u32 old_at_last_look = 0;   // old regions after the last collection that had the old generation in it

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

u32 expected_old_survivors(const Census& census) {
  u32 known = std::min(old_at_last_look, census.old);
  return known + (census.old - known) / 2;
}

bool old_is_due(const Census& census) {
  u64 threshold = u64{space.regions.count()} * static_cast<u64>(flags::InitiatingHeapOccupancyPercent) / 100;
  return census.old > 0 && census.old >= threshold && census.old >= old_at_last_look + old_at_last_look / 4 &&
         has_room(census, expected_old_survivors(census));
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
    old_at_last_look = 0;
    set_eden();
    space.sizing.after_collection(0);
    return {};
  }

  void collect(Collection& collection) const override {
    Census census = take_census();
    bool full = is_full(collection.request);
    CopyRequest request;
    request.tenuring_threshold = generations.tenuring_threshold();
    bool stress_old = stress_evacuates_old(collection.request);
    bool old_too = stress_old || old_is_due(census);
    if (!full && old_too) add_all_old(request);
    if (!full && !has_room(census, stress_old ? census.old : old_too ? expected_old_survivors(census) : 0)) {
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
    if (full || old_too) old_at_last_look = take_census().old;
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
