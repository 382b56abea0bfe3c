// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Gathers the usage of pools region by region, and keeps it from the beginning and end of each pause.
#include "gc/inspect/memory_pools.h"

#include <algorithm>

#include "gc/heap/space.h"
#include "gc/plan.h"
#include "runtime/base/metaspace.h"
#include "runtime/base/mutex.h"

namespace keyhole::gc::inspect {

namespace {

constexpr Pool generational_pools[] = {{"Eden Space", false}, {"Survivor Space", false}, {"Old Gen", true}};
constexpr Collector generational_collectors[] = {{"Young Generation", "end of minor GC"},
                                                 {"Old Generation", "end of major GC"}};
constexpr Pool whole_heap[] = {{"Heap", true}};
constexpr Collector evacuation[] = {{"Evacuation", "end of major GC"}};
constexpr Collector no_collector[] = {{"None", "end of major GC"}};

bool is_generational() { return plan().old_generation() != nullptr; }

Pause current;  // written by the collection in progress
// The data that it guards is written at the end of a pause, and read by any thread.
Mutex mutex{LockRank::memory_pools};
Pause last[std::size(generational_collectors)] GUARDED_BY(mutex);
CollectorTotals all[std::size(generational_collectors)] GUARDED_BY(mutex);
Usage peaks[maximum_pools] GUARDED_BY(mutex);
Usage after_last[maximum_pools] GUARDED_BY(mutex);
void (*pause_observer)(const Pause& pause) GUARDED_BY(mutex) = nullptr;

// Gathers the usage of all pools. `regions` is stable: the world is stopped, or the heap lock is held.
void gather(RegionTable& regions, Usage (&out)[maximum_pools]) {
  u32 count = static_cast<u32>(pools().size());
  i64 region_bytes = static_cast<i64>(regions.region_bytes());
  for (Usage& pool : out) pool = Usage{.initial = 0};
  regions.for_each_used([&](Region& region) {
    Usage& pool = out[count == 1 ? 0 : static_cast<u32>(region.generation())];
    pool.used += static_cast<i64>(region.used_bytes());
    pool.committed += region_bytes;
  });
  i64 committed = 0;
  for (u32 i = 0; i < count; ++i) committed += out[i].committed;
  i64 capacity = static_cast<i64>(heap::capacity_bytes());
  out[0].committed += std::max(i64{0}, capacity - committed);  // room for the next allocations
  out[0].initial = i64{space.sizing.initial_regions()} * region_bytes;
  out[count - 1].maximum = static_cast<i64>(heap::maximum_bytes());
}

void gather_running(Usage (&out)[maximum_pools]) {
  space.with_heap_lock([&] { gather(space.regions, out); });
}

void raise_peaks(const Usage (&now)[maximum_pools]) REQUIRES(mutex) {
  for (u32 i = 0; i < maximum_pools; ++i)
    if (now[i].used >= peaks[i].used) peaks[i] = now[i];
}

}  // namespace

std::span<const Pool> pools() {
  if (is_generational()) return generational_pools;
  return whole_heap;
}

std::span<const Collector> collectors() {
  if (is_generational()) return generational_collectors;
  if (!plan().properties().collects) return no_collector;
  return evacuation;
}

Usage heap_usage() {
  Usage each[maximum_pools];
  gather_running(each);
  Usage sum{.initial = each[0].initial, .maximum = static_cast<i64>(heap::maximum_bytes())};
  for (u32 i = 0; i < pools().size(); ++i) {
    sum.used += each[i].used;
    sum.committed += each[i].committed;
  }
  return sum;
}

Usage usage(u32 pool) {
  Usage each[maximum_pools];
  gather_running(each);
  MutexLock guard(mutex);
  raise_peaks(each);
  return each[pool];
}

Usage peak_usage(u32 pool) {
  usage(pool);
  MutexLock guard(mutex);
  return peaks[pool];
}

void reset_peak_usage(u32 pool) {
  Usage now = usage(pool);
  MutexLock guard(mutex);
  peaks[pool] = now;
}

Usage usage_after_collection(u32 pool) {
  Usage now = usage(pool);
  MutexLock guard(mutex);
  Usage after = after_last[pool];
  after.initial = now.initial;
  after.maximum = now.maximum;
  return after;
}

CollectorTotals totals(u32 collector) {
  MutexLock guard(mutex);
  return all[collector];
}

Pause last_pause(u32 collector) {
  MutexLock guard(mutex);
  return last[collector];
}

void on_pause(void (*observer)(const Pause& pause)) {
  MutexLock guard(mutex);
  pause_observer = observer;
}

void pause_begins(i64 now_nanoseconds) {
  current = Pause{};
  current.start_nanoseconds = now_nanoseconds;
  current.metaspace_before = static_cast<i64>(metaspace::used_bytes());
  gather(space.regions, current.before);
}

bool collects(const Pause& pause, u32 pool) {
  constexpr u32 old = 2;
  return pool != old || pause.collects_old;
}

void pause_ends(i64 now_nanoseconds, const PauseKind& kind) {
  current.collector = kind.is_young || collectors().size() == 1 ? 0 : 1;
  current.cause = kind.cause;
  current.collects_old = kind.collects_old;
  current.end_nanoseconds = now_nanoseconds;
  current.metaspace_after = static_cast<i64>(metaspace::used_bytes());
  gather(space.regions, current.after);
  void (*observer)(const Pause& pause);
  {
    MutexLock guard(mutex);
    CollectorTotals& of_collector = all[current.collector];
    current.number = ++of_collector.collections;
    of_collector.nanoseconds += static_cast<u64>(now_nanoseconds - current.start_nanoseconds);
    raise_peaks(current.before);
    for (u32 i = 0; i < maximum_pools; ++i)
      if (collects(current, i)) after_last[i] = current.after[i];
    last[current.collector] = current;
    observer = pause_observer;
  }
  if (observer != nullptr) observer(current);
}

}  // namespace keyhole::gc::inspect
