// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The phases of a parallel copy, which the coordinator runs.
#include "gc/policy/parallel_copy.h"

#include <memory>

#include "gc/heap/space.h"
#include "gc/policy/copy_worker.h"
#include "gc/root_set.h"
#include "gc/workers.h"
#include "runtime/base/log.h"
#include "runtime/sync/synchronizer.h"
#include "runtime/threads/continuations/continuation_lists.h"

namespace keyhole::gc {
namespace {

// The share of the collection set for which another worker is worth its wake-up.
constexpr u64 bytes_per_worker = 1_MiB;

void update_weak_roots(CopyWorker& worker) {
  RootVisitorOf visitor(
      [&](Object** slot) {
        if (*slot != nullptr) *slot = worker.is_live(*slot) ? worker.current(*slot) : nullptr;
      },
      [&](NarrowRef* slot) {
        if (*slot != 0) *slot = worker.is_live(decode(*slot)) ? encode(worker.current(decode(*slot))) : 0;
      });
  for (const NamedProvider& root : weak_roots()) root.provider(visitor);
  sync::update_references(
      [](Object* object, void* context) -> Object* {
        CopyWorker& worker = *static_cast<CopyWorker*>(context);
        return worker.is_live(object) ? worker.current(object) : nullptr;
      },
      &worker);
}

}  // namespace

CopyResult parallel_copy(Collection& collection, const CopyRequest& request, OldGeneration& old) {
  u64 maximum_bytes = u64{space.regions.count()} * space.regions.region_bytes();
  collection.references.begin(collection.request.clear_soft,
                              maximum_bytes - u64{space.sizing.live_regions()} * space.regions.region_bytes());
  collection.begin(Phase::Roots);
  threads::CleanSkipped clean_skipped(request.old_regions.empty());  // P7
  CopyState state(collection, request, old);
  state.flip();
  u32 count = workers_for(state.evacuated_bytes + state.card_units.size() * 1_KiB, bytes_per_worker);
  KEYHOLE_LOG(info, gc_task, "GC({}) Using {} workers of {} for evacuation", collection.number, count,
              gang().maximum_workers());
  std::vector<std::unique_ptr<CopyWorker>> workers;
  for (u32 number = 0; number < count; ++number) workers.push_back(std::make_unique<CopyWorker>(state));

  collection.begin(Phase::Trace);
  state.group.begin();
  run_on_workers(count, [&](u32 number) TOUCHES_OBJECTS { workers[number]->run(count == 1); });
  collection.begin(Phase::References);
  std::vector<Tracer*> tracers;
  for (auto& worker : workers) tracers.push_back(worker.get());
  collection.references.process(tracers, collection.number);
  collection.begin(Phase::WeakRoots);
  update_weak_roots(*workers[0]);
  threads::classify_continuations();
  collection.begin(Phase::Release);
  for (auto& worker : workers) worker->retire_buffers();
  state.release();
  collection.references.advance_clock();

  CopyResult result;
  result.evacuated_bytes = state.evacuated_bytes;
  result.young_bytes = state.young_bytes;
  result.workers = count;
  for (auto& worker : workers) {
    result.survivors.add(worker->survivors);
    result.promoted_bytes += worker->promoted_bytes;
    result.moved_old_bytes += worker->moved_old_bytes;
    result.cards_scanned += worker->cards_scanned;
    collection.copied_objects += worker->copied_objects;
  }
  collection.copied_bytes += result.promoted_bytes + result.moved_old_bytes + result.survivors.total_bytes();
  collection.evacuation_failed = state.failed.load(std::memory_order_relaxed);
  return result;
}

}  // namespace keyhole::gc
