// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The frame around every plan: the phases that all plans share, and the log.
#include "gc/collection.h"

#include <fmt/format.h>

#include "gc/class_liveness.h"
#include "gc/heap/overhead_limit.h"
#include "gc/heap/space.h"
#include "gc/heap/tlab.h"
#include "gc/inspect/memory_pools.h"
#include "gc/plan.h"
#include "gc/verify.h"
#include "runtime/base/check.h"
#include "runtime/base/flags.h"
#include "runtime/base/log.h"
#include "runtime/recorder/object_numbers.h"
#include "runtime/recorder/recorder.h"
#include "runtime/recorder/texts.h"
#include "runtime/sync/synchronizer.h"
#include "runtime/threads/threads.h"

namespace keyhole::gc {

std::atomic<u64> collection_counter;

namespace {

std::atomic<u64> full_collection_counter, moved_object_counter;
std::atomic<u64> total_nanoseconds;

// HotSpot's name for the pause that ends a marking. Here this pause is the whole marking.
constexpr const char* remark_kind = "Remark";

u64 in_megabytes(u64 bytes) { return (bytes + 512_KiB) / 1_MiB; }

void verify_or_die(const char* when) {
  if (std::string problem = verify(when); !problem.empty()) {
    space.print_regions(stderr);
    KEYHOLE_FATAL("heap verification {}: {}", when, problem);
  }
}

void log_heap(const char* when, u64 number) {
  if (!log::enabled(log::TagSet::gc_heap, log::Level::debug)) return;
  u32 states[8] = {};
  space.regions.for_each_used([&](Region& region) { ++states[static_cast<u32>(region.state())]; });
  KEYHOLE_LOG(debug, gc_heap, "GC({}) Heap {}: used {}K, {} of {} regions of {}K: {} shared, {} full, {} humongous",
              number, when, space.regions.used_bytes() / 1024, space.regions.used_count(), space.regions.count(),
              space.regions.region_bytes() / 1024, states[static_cast<u32>(RegionState::Shared)],
              states[static_cast<u32>(RegionState::Full)],
              states[static_cast<u32>(RegionState::HumongousStart)] +
                  states[static_cast<u32>(RegionState::HumongousContinues)]);
}

}  // namespace

const char* name_of(heap::Cause cause) {
  switch (cause) {
    case heap::Cause::AllocationFailure: return "Allocation Failure";
    case heap::Cause::SystemGC: return "System.gc()";
    case heap::Cause::Stress: return "GC Stress";
    case heap::Cause::HeapDump: return "Heap Dump Initiated GC";
    case heap::Cause::MetadataThreshold: return "Metadata GC Threshold";
    case heap::Cause::MetadataClearSoftReferences: return "Metadata GC Clear Soft References";
    case heap::Cause::Shutdown: return "Shutdown";
  }
  return "?";
}

bool Request::is_full() const {
  switch (cause) {
    case heap::Cause::SystemGC:
    case heap::Cause::HeapDump:
    case heap::Cause::MetadataThreshold:
    case heap::Cause::MetadataClearSoftReferences: return true;
    default: return compact;
  }
}

void Collection::begin(Phase phase) {
  end();
  current_ = phase;
  ran_ |= 1u << static_cast<u32>(phase);
  started_ = hardware::now_nanoseconds();
  if (recorder::is_on(recorder::Family::collections)) [[unlikely]]
    recorder::record(recorder::Kind::phase, recorder::text(name_of(phase)), static_cast<u32>(number));
}

void Collection::end() {
  if (current_ != Phase::count) nanoseconds_[static_cast<u32>(current_)] += hardware::now_nanoseconds() - started_;
  current_ = Phase::count;
}

void Collection::log_phases() const {
  if (!log::enabled(log::TagSet::gc_phases, log::Level::debug)) return;
  for (u32 i = 0; i < static_cast<u32>(Phase::count); ++i) {
    if ((ran_ & (1u << i)) == 0) continue;
    KEYHOLE_LOG(debug, gc_phases, "GC({})   {}: {:.3f}ms", number, name_of(static_cast<Phase>(i)),
                static_cast<double>(nanoseconds_[i]) / 1e6);
  }
}

u64 moved_objects() { return moved_object_counter.load(std::memory_order_relaxed); }
u64 full_collections() { return full_collection_counter.load(std::memory_order_relaxed); }
u64 collector_nanoseconds() { return total_nanoseconds.load(std::memory_order_relaxed); }

void unlink_dead_classes(Collection& collection) {
  collection.begin(Phase::Classes);
  UnloadedClasses dead = class_unloader()->unlink();
  if (dead.units == 0) return;
  collection.classes_to_purge = true;
  KEYHOLE_LOG(debug, gc_phases, "GC({})   Unloaded {} classes of {} loaders and hidden classes, {}K of metadata",
              collection.number, dead.classes, dead.units, dead.bytes / 1024);
}

void make_walkable() {
  // Without TLABs, shared regions consist of whole objects up to their top.
  threads::for_each_current([](JavaThread* thread) TOUCHES_OBJECTS { tlab::retire(thread); });
}

namespace {

// Records the begin of a pause. Its kind is recorded at the end, because the plan decides on it during the pause.
void record_begin(const Collection& collection) {
  if (recorder::is_on(recorder::Family::collections)) [[unlikely]]
    recorder::record(recorder::Kind::pause_begin, recorder::text(name_of(collection.request.cause)),
                     static_cast<u32>(collection.number));
}
void record_end(const Collection& collection) {
  if (!recorder::is_on(recorder::Family::collections)) [[likely]]
    return;
  u32 kind = recorder::text(fmt::format("Pause {} ({})", collection.kind, name_of(collection.request.cause)));
  recorder::record(recorder::Kind::pause_end, kind, static_cast<u32>(collection.number));
}

// Runs one pause: the common beginning, `work`, and the common end.
template <typename Work> void run_pause(Collection& collection, Work&& work) {
  i64 start = hardware::now_nanoseconds();
  u64 used_before = space.regions.used_bytes();
  inspect::pause_begins(start);
  record_begin(collection);
  const Request& request = collection.request;
  log_heap("before", collection.number);
  work();
  if (collection.classes_to_purge) {
    collection.begin(Phase::Classes);
    class_unloader()->purge();
    recorder::forget_classes();
  }
  collection.begin(Phase::Resize);
  space.after_collection(collection.may_shrink_heap, plan().budget());
  tlab::resize_all();
  if (!flags::UseGCServiceThread) {
    while (plan().concurrent_step()) continue;
  }
  if (flags::VerifyAfterGC) {
    collection.begin(Phase::VerifyAfter);
    verify_or_die("after the collection");
  }
  collection.end();
  record_end(collection);
  if (collection.compacted) full_collection_counter.fetch_add(1, std::memory_order_relaxed);
  collection_counter.fetch_add(1, std::memory_order_release);
  ReferenceProcessor::notify_waiters();

  i64 end = hardware::now_nanoseconds(), nanoseconds = end - start;
  f64 free_fraction = 1 - static_cast<f64>(space.regions.used_bytes()) / static_cast<f64>(heap::maximum_bytes());
  overhead_limit.add_pause(start, end, collection.compacted && request.cause == heap::Cause::AllocationFailure,
                           free_fraction);
  total_nanoseconds.fetch_add(static_cast<u64>(nanoseconds), std::memory_order_relaxed);
  bool is_young = !collection.may_shrink_heap;
  inspect::pause_ends(
      end, {.is_young = is_young, .collects_old = !is_young || collection.old_evacuated, .cause = request.cause});
  collection.log_phases();
  log_heap("after", collection.number);
  std::string cause = collection.kind == remark_kind ? "" : fmt::format(" ({})", name_of(request.cause));
  KEYHOLE_LOG(info, gc, "GC({}) Pause {}{} {}M->{}M({}M) {:.3f}ms", collection.number, collection.kind, cause,
              in_megabytes(used_before), in_megabytes(space.regions.used_bytes()),
              in_megabytes(u64{space.sizing.capacity_regions()} * space.regions.region_bytes()),
              static_cast<double>(nanoseconds) / 1e6);
}

}  // namespace

void run_collection(const Request& request) {
  Collection collection(collections(), request);
  run_pause(collection, [&] {
    collection.begin(Phase::Prepare);
    sync::before_objects_move();
    tlab::retire_all_for_collection(collection.number);
    space.retire_shared_regions();
    space.log_allocation(fmt::format("GC({})", collection.number));
    if (flags::VerifyBeforeGC) {
      collection.begin(Phase::Verify);
      verify_or_die("before the collection");
    }
    plan().collect(collection);
    moved_object_counter.fetch_add(collection.compacted ? collection.slid_objects : collection.copied_objects,
                                   std::memory_order_relaxed);
    KEYHOLE_LOG(debug, gc, "GC({}) {} {} objects, {}K{}{}", collection.number,
                collection.compacted ? "compacted" : "copied", collection.copied_objects,
                collection.copied_bytes / 1024, collection.evacuation_failed ? ", to-space exhausted" : "",
                request.clear_soft ? ", soft references cleared" : "");
  });
  if (!plan().wants_marking()) return;
  Collection marking(collections(), {request.cause});
  marking.kind = remark_kind;
  run_pause(marking, [&] { plan().mark(marking); });
}

}  // namespace keyhole::gc
