// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Lock record elimination: a monitor whose region has no call gets no record on the thread's stack of lock records.
//
//     monitor_enter n1                          monitor_enter n1 (no record)
//     guard n5 @3 holds n1             ──>      guard n5 @3 holds n1 (no record)
//     monitor_exit n1                           monitor_exit n1 (no record)
//
// Lock records are read by other threads, at safepoints of the owner, and by the interpreter. The region has no
// safepoint, and deoptimization in it adds the record. The code saves three stores between the locked instructions of
// enter and exit. The lock algorithm may still keep data of its own in the unused record above the last one.
//
// U1: the region has no call, so it reaches no safepoint, and an exception leaves it by deoptimization only.
// U2: no other monitor is acquired in the region, because its record would take the place of the missing one. So at
//     most one monitor at a time has no record, and it is the innermost (S9 of frame_state.h). Eliminated nesting
//     levels have no record either (S6).
// U3: the region begins in this graph: a monitor that the frame holds at an OSR entry has a record.
// U4: the region is not the result of lock coarsening: deoptimization between coarsened regions releases the monitor by
//     its record (S7).
// U5: each HeldLock of the region belongs to this region only, because it is marked for all frame states that share it.
// U6: the recorder does not record lock events (recorded_locks.h). If it does, monitor exits call the interpreter's
//     handler (contended_enters.cpp), which needs the lock record.
#include <algorithm>
#include <map>

#include "jit/graph/ir/recorded_locks.h"
#include "jit/graph/optimize/lock_regions.h"
#include "jit/graph/optimize/phases.h"
#include "runtime/sync/algorithm.h"
#include "runtime/sync/synchronizer.h"

namespace keyhole::graph {
namespace {

// by HeldLock of a frame state: the number of locked regions that the HeldLock stands for
using RegionsOfLocks = std::map<const HeldLock*, u32>;

// U5: counts the regions that each HeldLock stands for.
RegionsOfLocks count_regions(const LockRegions& regions) {
  RegionsOfLocks count;
  for (const LockRegion& region : regions.all()) {
    for (const HeldLock* lock : region.locks) ++count[lock];
  }
  return count;
}

bool needs_no_record(const LockRegion& region, const RegionsOfLocks& regions_of) {
  auto is_entered_here = [](const Node* enter) {
    return enter->op != Op::held_monitor && enter->joined_regions == 0;  // U3, U4
  };
  return region.object != nullptr && !region.has_calls && !region.enters_others &&
         std::ranges::all_of(region.enters, is_entered_here) &&
         std::ranges::all_of(region.locks, [&](const HeldLock* lock) { return regions_of.at(lock) == 1; });
}

}  // namespace

bool eliminate_lock_records(Graph& graph) {
  if (sync::fast_path().is_none()) return false;          // a lock algorithm without a fast path: all enters deoptimize
  if (recorded_locks::need_lock_records()) return false;  // U6
  LockRegions regions(graph);
  if (!regions.are_known()) return false;
  RegionsOfLocks regions_of = count_regions(regions);
  bool changed = false;
  for (const LockRegion& region : regions.all()) {
    if (!needs_no_record(region, regions_of)) continue;
    for (Node* node : region.enters) node->has_no_record = true;
    for (Node* node : region.exits) node->has_no_record = true;
    for (HeldLock* lock : region.locks) lock->has_no_record = true;
    changed = true;
  }
  return changed;
}

}  // namespace keyhole::graph
