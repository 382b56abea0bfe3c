// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The heap as java.lang.management shows it: pools of memory, and the collectors that manage them.
//
//   plan            pools                                      collectors
//   generational    Eden Space, Survivor Space, Old Gen        Young Generation (young and mixed pauses), Old
//                                                              Generation (full ones, markings)
//   evacuating      Heap                                       Evacuation
//   none            Heap                                       None
//
// A pool's bytes are those of its regions up to their tops, so buffers of threads count as used. Humongous objects
// belong to their generation's pool. Eden has the rest of the heap's capacity. Usage is collected once before and once
// after each pause.
#pragma once

#include <span>

#include "gc/heap/heap.h"

namespace keyhole::gc::inspect {

inline constexpr u32 maximum_pools = 3;
inline constexpr i64 undefined = -1;

// The usage of a pool in bytes; `initial` and `maximum` may be undefined. used <= committed.
struct Usage {
  i64 initial = undefined;
  i64 used = 0;
  i64 committed = 0;
  i64 maximum = undefined;
};

struct Pool {
  const char* name;
  bool has_usage_threshold;  // only pools that are not full by design have one
};

struct Collector {
  const char* name;
  const char* action;  // how notifications say that a collection has ended
};

// The pools and collectors of the active plan.
std::span<const Pool> pools();
std::span<const Collector> collectors();

// Usage now. Called by any managed thread.
Usage heap_usage();
Usage usage(u32 pool);
Usage peak_usage(u32 pool);
void reset_peak_usage(u32 pool);
// Usage after the last collection of this pool; before the first, `used` is 0.
Usage usage_after_collection(u32 pool);

struct CollectorTotals {
  u64 collections = 0;
  u64 nanoseconds = 0;
};
CollectorTotals totals(u32 collector);

// One pause of a collector.
struct Pause {
  u64 number = 0;  // counts the pauses of this collector from 1; 0: it has not run yet
  u32 collector = 0;
  heap::Cause cause = heap::Cause::AllocationFailure;
  bool collects_old = true;
  i64 start_nanoseconds = 0, end_nanoseconds = 0;  // on the monotonic clock
  Usage before[maximum_pools], after[maximum_pools];
  i64 metaspace_before = 0, metaspace_after = 0;  // bytes in use
};
Pause last_pause(u32 collector);
// Whether the pause tried to recycle memory of the pool.
bool collects(const Pause& pause, u32 pool);

// Sets the observer, once. It is called at the end of each pause, world stopped: it must not block, allocate in the
// heap or reach a safepoint.
void on_pause(void (*observer)(const Pause& pause));

// --- for collection.cpp; world stopped -------------------------------------------------------------------------------
void pause_begins(i64 now_nanoseconds);
struct PauseKind {
  bool is_young;      // the pause left most old objects untouched
  bool collects_old;  // the pause recycled old regions: some of them, or all
  heap::Cause cause;
};
void pause_ends(i64 now_nanoseconds, const PauseKind& kind);

}  // namespace keyhole::gc::inspect
