// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The decisions of the default plan: the regions to collect, the size of eden, the times to mark the old generation.
#include "gc/plans/generational.h"

#include <algorithm>
#include <limits>

#include "gc/heap/space.h"
#include "gc/policy/mark_compact.h"
#include "gc/policy/old_marking.h"
#include "gc/workers.h"
#include "runtime/base/flags.h"
#include "runtime/base/log.h"
#include "runtime/base/platform/hardware_world.h"
#include "runtime/threads/continuations/continuation_lists.h"

namespace keyhole::gc {
namespace {

constexpr u32 destinations_in_use = 2;  // survivors and old

// The regions that should stay free in addition to the expected copies, while there are candidates to be evacuated.
u64 reserve_regions() { return u64{space.regions.count()} * static_cast<u64>(flags::G1ReservePercent) / 100; }

}  // namespace

struct GenerationalPlan::RegionStatistics {
  u32 young = 0, old = 0, old_humongous = 0;  // regions
  u64 young_bytes = 0;                        // without humongous objects

  static RegionStatistics take() {
    RegionStatistics statistics;
    space.regions.for_each_used([&](Region& region) {
      if (region.is_humongous()) {
        if (!region.is_young()) ++statistics.old_humongous;
      } else if (region.is_young()) {
        ++statistics.young;
        statistics.young_bytes += region.used_bytes();
      } else {
        ++statistics.old;
      }
    });
    return statistics;
  }
};

std::string GenerationalPlan::start() {
  if (std::string error = initialize_workers(); !error.empty()) return error;
  generations_.initialize();
  heap_goal_.begin(space.sizing.initial_regions(), space.sizing.maximum_regions(), space.sizing.region_bytes(),
                   hardware::now_nanoseconds());
  return {};
}

// --- allocation ------------------------------------------------------------------------------------------------------

AllocationBudget GenerationalPlan::budget() {
  RegionStatistics statistics = RegionStatistics::take();
  YoungSize::Heap heap{.used = space.regions.used_count(),
                       .maximum = space.regions.count(),
                       .region_bytes = space.regions.region_bytes(),
                       .survival = generations_.expected_survival(),
                       .young = statistics.young,
                       .goal = heap_goal_.regions(),
                       .eden_goal = heap_goal_.eden_regions()};
  if (!old_.candidates.empty()) {
    heap.reserved =
        static_cast<u32>(std::max<u64>(old_.candidates.next_regions() + gang().maximum_workers(), reserve_regions()));
  }
  u32 eden = young_size_.eden_regions(heap);
  u32 copies =
      static_cast<u32>(generations_.survival() * static_cast<f64>(statistics.young + eden)) + destinations_in_use;
  KEYHOLE_LOG(debug, gc_ergo, "Eden: {} regions of {}K, {} expected to be copied; {} of {} in use, goal {}", eden,
              heap.region_bytes / 1024, copies, heap.used, heap.maximum, heap.goal);
  return {.eden = eden, .copies = copies};
}

// --- collection ------------------------------------------------------------------------------------------------------

u64 GenerationalPlan::expected_survivor_regions(const RegionStatistics& statistics) const {
  return generations_.expected_survivors(statistics.young_bytes) / space.regions.region_bytes() + destinations_in_use;
}

// Whether there is room for the expected copies, and a further region for each destination.
bool GenerationalPlan::has_room(const RegionStatistics& statistics, u32 old_regions) const {
  return space.regions.free_count() >= std::min<u64>(expected_survivor_regions(statistics) + old_regions,
                                                     statistics.young + old_regions + destinations_in_use);
}

bool GenerationalPlan::is_stress_of_everything(const Request& request) {
  if (request.cause != heap::Cause::Stress || flags::GCStressFullInterval == 0) return false;
  return ++stress_collections_ % static_cast<u64>(flags::GCStressFullInterval) == 0;
}

void GenerationalPlan::collect(Collection& collection) {
  i64 start = hardware::now_nanoseconds();
  RegionStatistics statistics = RegionStatistics::take();
  CopyRequest request;
  request.tenuring_threshold = generations_.tenuring_threshold();
  request.survivor_regions = statistics.young / static_cast<u32>(flags::SurvivorRatio) + 1;
  bool full = collection.request.is_full(), stress = !full && is_stress_of_everything(collection.request);
  if (!full && !has_room(statistics, stress ? statistics.old : 0)) {
    KEYHOLE_LOG(debug, gc_ergo,
                "GC({}) Full collection: {} regions are free, {}K of {}K in young regions expected to survive",
                collection.number, space.regions.free_count(),
                generations_.expected_survivors(statistics.young_bytes) / 1024, statistics.young_bytes / 1024);
    full = true;
  }
  if (!full) {
    if (stress) add_all_old(request);
    else if (!old_.candidates.empty()) add_candidates(request, statistics);
    evacuate(collection, request);
    full = collection.evacuation_failed;
  }
  if (full) slide(collection);
  if (collection.request.cause == heap::Cause::AllocationFailure)
    heap_goal_.add_pause(start, hardware::now_nanoseconds());
  if (full) heap_goal_.restart();
  marking_takes_everything_ = stress;
  marking_due_ = !full && (stress || (old_.candidates.empty() && old_is_due()));
}

// Adds all old regions at once. Then their cards need not say which of them refer to each other.
void GenerationalPlan::add_all_old(CopyRequest& request) {
  old_.candidates.clear();
  request.scan_whole_old_regions = true;
  space.regions.for_each_used([&](Region& region) {
    if (!region.is_humongous() && !region.is_young()) request.old_regions.push_back(&region);
  });
}

void GenerationalPlan::add_candidates(CopyRequest& request, const RegionStatistics& statistics) {
  u64 free = space.regions.free_count(), taken = expected_survivor_regions(statistics) + gang().maximum_workers();
  f64 goal =
      static_cast<f64>(flags::MaxGCPauseMillis) * 1e6 - young_size_.predicted_nanoseconds(statistics.young_bytes);
  // When room is short, the pause goal does not count: a sliding collection would take longer than any of these.
  if (free < taken + reserve_regions()) goal = std::numeric_limits<f64>::max();
  request.old_regions = old_.candidates.take({free > taken ? free - taken : 0, goal});
}

void GenerationalPlan::evacuate(Collection& collection, const CopyRequest& request) {
  bool mixed = !request.old_regions.empty();
  collection.old_evacuated = mixed;
  collection.kind = mixed ? "Young (Mixed)" : "Young (Normal)";
  KEYHOLE_LOG(debug, gc_ergo, "GC({}) Collection set: all young regions and {} old ones, {} candidates remain",
              collection.number, request.old_regions.size(), old_.candidates.remaining().size());
  i64 start = hardware::now_nanoseconds();
  CopyResult result = parallel_copy(collection, request, old_);
  i64 nanoseconds = hardware::now_nanoseconds() - start;
  if (!mixed) young_size_.add_pause(result.young_bytes, nanoseconds);
  if (!collection.evacuation_failed) old_.candidates.add_pause(collection.copied_bytes, nanoseconds);
  generations_.after_young(collection.number, result.young_bytes, result.survivors, result.promoted_bytes);
}

void GenerationalPlan::slide(Collection& collection) {
  collection.kind = "Full";
  old_.candidates.clear();
  // Objects in a region in which mutators continue become young again.
  Region* last =
      compacting_collection(collection, /*move_humongous=*/collection.request.compact, LastRegion::KeptIfRoomy,
                            workers_for(space.regions.used_bytes(), bytes_marked_per_worker));
  old_.take_everything(last);
  if (RegionStatistics::take().young == 0) threads::classify_continuations();
  looked_at_old();
  collection.may_shrink_heap = true;
}

// --- the old generation ----------------------------------------------------------------------------------------------

bool GenerationalPlan::old_is_due() {
  RegionStatistics statistics = RegionStatistics::take();
  u64 regions = space.regions.count(), old = u64{statistics.old} + statistics.old_humongous;
  // Mixed collections have freed some regions since the last look.
  old_at_last_look_ = std::min(old_at_last_look_, statistics.old + statistics.old_humongous);
  u64 growth = std::min<u64>(old_at_last_look_, regions - old_at_last_look_) / 4;
  return old > 0 && old * 100 >= regions * static_cast<u64>(flags::InitiatingHeapOccupancyPercent) &&
         old >= old_at_last_look_ + growth;
}

void GenerationalPlan::looked_at_old() {
  RegionStatistics statistics = RegionStatistics::take();
  old_at_last_look_ = statistics.old + statistics.old_humongous;
}

void GenerationalPlan::mark(Collection& collection) {
  marking_due_ = false;
  u32 workers = workers_for(space.regions.used_bytes(), bytes_marked_per_worker);
  KEYHOLE_LOG(info, gc_task, "GC({}) Using {} workers of {} for marking", collection.number, workers,
              gang().maximum_workers());
  mark_old_regions(collection, workers, marking_takes_everything_, old_);
  looked_at_old();
  collection.may_shrink_heap = true;
  heap_goal_.restart();
}

std::unique_ptr<Plan> make_generational_plan() { return std::make_unique<GenerationalPlan>(); }

}  // namespace keyhole::gc
