// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The default plan: young regions often and in parallel, old ones garbage first, everything seldom.
//
//   asked for, or no room for   --yes-->  slide everything together (policy/mark_compact.h)  <--------+
//   the survivors expected?                                                                           |
//            | no                                                                                     | to-space exhausted
//            v                                                                                        |
//   evacuate the young regions, and the next candidates if there are any (policy/parallel_copy.h)  --+
//            | all copied
//            v
//   much of the heap is old?   --yes-->  mark, choose candidates (policy/old_marking.h), in the same safepoint
//            | no
//            v
//   done: survivors are young for a while, then old
//
// Roots of a young collection are the VM's, and the references into young regions that old ones hold: those lie on dirty cards.
//
// Old regions are marked when they, humongous ones included, are InitiatingHeapOccupancyPercent of the heap and a good part of what they or
// the rest of the heap were has been added since the last look. What a look costs is so paid for by what was promoted meanwhile.
#include <algorithm>
#include <limits>

#include "gc/generations.h"
#include "gc/heap_goal.h"
#include "gc/old_candidates.h"
#include "gc/plan.h"
#include "gc/policy/mark_compact.h"
#include "gc/policy/old_marking.h"
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
constexpr u64 bytes_per_worker = 1_MiB;  // of what is to be marked

YoungSize young_size;
HeapGoal heap_goal;
u64 stress_collections = 0;
u32 old_at_last_look = 0;   // old regions, humongous ones included, when it was last known what lives in them
bool marking_due = false, marking_takes_everything = false;

struct Census {
  u32 young = 0, old = 0, old_humongous = 0;   // regions
  u64 young_bytes = 0;                         // none of them humongous
};

Census take_census() {
  Census census;
  space.regions.for_each_used([&](Region& region) {
    if (region.is_humongous()) {
      if (!region.is_young()) ++census.old_humongous;
    } else if (region.is_young()) {
      ++census.young;
      census.young_bytes += region.used_bytes();
    } else {
      ++census.old;
    }
  });
  return census;
}

u64 expected_survivor_regions(const Census& census) {
  return generations.expected_survivors(census.young_bytes) / space.regions.region_bytes() + destinations_in_use;
}

// A region for each destination beside what is expected.
bool has_room(const Census& census, u32 old_regions) {
  return space.regions.free_count() >= std::min<u64>(expected_survivor_regions(census) + old_regions, census.young + old_regions + destinations_in_use);
}

bool is_stress_of_everything(const Request& request) {
  if (request.cause != heap::Cause::Stress || flags::GCStressFullInterval == 0) return false;
  return ++stress_collections % static_cast<u64>(flags::GCStressFullInterval) == 0;
}

bool old_is_due() {
  Census census = take_census();
  u64 regions = space.regions.count(), old = u64{census.old} + census.old_humongous;
  old_at_last_look = std::min(old_at_last_look, census.old + census.old_humongous);   // mixed collections free some
  u64 growth = std::min<u64>(old_at_last_look, regions - old_at_last_look) / 4;
  return old > 0 && old * 100 >= regions * static_cast<u64>(flags::InitiatingHeapOccupancyPercent) && old >= old_at_last_look + growth;
}

void looked_at_old() {
  Census census = take_census();
  old_at_last_look = census.old + census.old_humongous;
}

// Regions that should stay free beside what is expected to be copied, while there are candidates to be evacuated.
u64 reserve_regions() { return u64{space.regions.count()} * static_cast<u64>(flags::G1ReservePercent) / 100; }

void set_eden() {
  Census census = take_census();
  YoungSize::Heap heap{.used = space.regions.used_count(),
                       .maximum = space.regions.count(),
                       .region_bytes = space.regions.region_bytes(),
                       .survival = generations.expected_survival(),
                       .young = census.young,
                       .goal = heap_goal.regions()};
  if (!old_candidates.empty()) heap.reserved = static_cast<u32>(std::max<u64>(old_candidates.next_regions() + gang().maximum_workers(), reserve_regions()));
  u32 eden = young_size.eden_regions(heap);
  u32 copies = static_cast<u32>(generations.survival() * static_cast<f64>(census.young + eden)) + destinations_in_use;
  space.sizing.set_eden(eden, copies);
  KEYHOLE_LOG(debug, gc_ergo, "Eden: {} regions of {}K, {} expected to be copied; {} of {} in use, goal {}", eden, heap.region_bytes / 1024, copies,
              heap.used, heap.maximum, heap.goal);
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
    heap_goal.begin(space.sizing.initial_regions(), space.sizing.maximum_regions(), hardware::now_nanoseconds());
    old_candidates.clear();
    old_at_last_look = 0;
    marking_due = marking_takes_everything = false;
    set_eden();
    space.sizing.after_collection(0, false);
    return {};
  }

  void collect(Collection& collection) const override {
    i64 start = hardware::now_nanoseconds();
    Census census = take_census();
    CopyRequest request;
    request.tenuring_threshold = generations.tenuring_threshold();
    request.survivor_regions = census.young / static_cast<u32>(flags::SurvivorRatio) + 1;
    bool full = collection.request.is_full(), stress = !full && is_stress_of_everything(collection.request);
    if (!full && !has_room(census, stress ? census.old : 0)) {
      KEYHOLE_LOG(debug, gc_ergo, "GC({}) Full collection: {} regions are free, {}K of {}K in young regions expected to survive", collection.number,
                  space.regions.free_count(), generations.expected_survivors(census.young_bytes) / 1024, census.young_bytes / 1024);
      full = true;
    }
    if (!full) {
      if (stress) add_all_old(request);
      else if (!old_candidates.empty()) add_candidates(request, census);
      evacuate(collection, request);
      full = collection.evacuation_failed;
    }
    if (full) {
      collection.kind = "Full";
      old_candidates.clear();
      compacting_collection(collection, /*move_humongous=*/collection.request.compact, workers_for(space.regions.used_bytes(), bytes_per_worker));
      generations.after_sliding();
      looked_at_old();
      collection.may_shrink_heap = true;
    }
    if (collection.request.cause == heap::Cause::AllocationFailure) heap_goal.add_pause(start, hardware::now_nanoseconds());
    if (full) heap_goal.begin_anew();
    marking_takes_everything = stress;
    marking_due = !full && (stress || (old_candidates.empty() && old_is_due()));
    set_eden();
  }

  bool wants_marking() const override { return marking_due; }

  void mark(Collection& collection) const override {
    marking_due = false;
    u32 workers = workers_for(space.regions.used_bytes(), bytes_per_worker);
    KEYHOLE_LOG(info, gc_task, "GC({}) Using {} workers of {} for marking", collection.number, workers, gang().maximum_workers());
    mark_old_regions(collection, workers, marking_takes_everything);
    looked_at_old();
    collection.may_shrink_heap = true;
    heap_goal.begin_anew();
    set_eden();
  }

 private:
  // All old regions at once: whatever their cards say about each other.
  static void add_all_old(CopyRequest& request) {
    old_candidates.clear();
    request.scan_whole_old_regions = true;
    space.regions.for_each_used([&](Region& region) {
      if (!region.is_humongous() && !region.is_young()) request.old_regions.push_back(&region);
    });
  }

  static void add_candidates(CopyRequest& request, const Census& census) {
    u64 free = space.regions.free_count(), taken = expected_survivor_regions(census) + gang().maximum_workers();
    f64 goal = static_cast<f64>(flags::MaxGCPauseMillis) * 1e6 - young_size.predicted_nanoseconds(census.young_bytes);
    if (free < taken + reserve_regions()) goal = std::numeric_limits<f64>::max();   // a sliding collection would take longer than any of these
    request.old_regions = old_candidates.take({free > taken ? free - taken : 0, goal});
  }

  static void evacuate(Collection& collection, const CopyRequest& request) {
    bool mixed = !request.old_regions.empty();
    collection.old_evacuated = mixed;
    collection.kind = mixed ? "Young (Mixed)" : "Young (Normal)";
    KEYHOLE_LOG(debug, gc_ergo, "GC({}) Collection set: all young regions and {} old ones, {} candidates remain", collection.number,
                request.old_regions.size(), old_candidates.remaining().size());
    i64 start = hardware::now_nanoseconds();
    CopyResult result = parallel_copy(collection, request);
    i64 nanoseconds = hardware::now_nanoseconds() - start;
    if (!mixed) young_size.add_pause(result.young_bytes, nanoseconds);
    if (!collection.evacuation_failed) old_candidates.add_pause(collection.copied_bytes, nanoseconds);
    generations.after_young(collection.number, result.young_bytes, result.survivors, result.promoted_bytes);
  }
};

constinit const GenerationalPlan instance;

}  // namespace

const Plan& generational_plan = instance;

}  // namespace keyhole::gc
