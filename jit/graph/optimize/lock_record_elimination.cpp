// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A monitor that is held over no call has no record on the thread's stack of lock records.
//
//     monitor_enter n1                          monitor_enter n1 (no record)
//     guard n5 @3 holds n1             ──>      guard n5 @3 holds n1 (no record)
//     monitor_exit n1                           monitor_exit n1 (no record)
//
// Records are there for those who look at a thread from outside, which they do at its safepoints, and for the
// interpreter. So whoever leaves in the region makes the record, and the two locked instructions have three stores less
// between them. What the algorithm itself keeps in the record is kept: the place above the last record is its own.
//
// U1: no call is in the region: no safepoint is reached, and no exception leaves it, but by a state.
// U2: no other monitor is entered in it: its record would have the same place. So there is at most one such monitor at
//     a time, and it is the innermost (S9 of frame_state.h). Levels that are left out have no record either (S6).
// U3: the region is entered in this graph: what the frame holds where a loop is entered has a record.
// U4: no region has been joined to it: between two joined ones, who leaves gives the monitor back by its record (S7).
// U5: a lock of a state belongs to one region.
// U6: locks are not recorded (recorded_locks.h). While they are, exits are calls of the interpreter's handler
//     (contended_enters.cpp), which needs a record.
#include <algorithm>
#include <map>

#include "jit/graph/ir/recorded_locks.h"
#include "jit/graph/optimize/lock_regions.h"
#include "jit/graph/optimize/phases.h"
#include "runtime/sync/algorithm.h"
#include "runtime/sync/synchronizer.h"

namespace keyhole::graph {
namespace {

using RegionsOfLocks = std::map<const HeldLock*, u32>;   // how many

// U5
RegionsOfLocks count_regions(const LockRegions& regions) {
  RegionsOfLocks count;
  for (const LockRegion& region : regions.all()) {
    for (const HeldLock* lock : region.locks) ++count[lock];
  }
  return count;
}

bool needs_no_record(const LockRegion& region, const RegionsOfLocks& regions_of) {
  auto is_entered_here = [](const Node* enter) {
    return enter->op != Op::held_monitor && enter->joined_regions == 0;   // U3, U4
  };
  return region.object != nullptr && !region.has_calls && !region.enters_others &&
         std::ranges::all_of(region.enters, is_entered_here) &&
         std::ranges::all_of(region.locks, [&](const HeldLock* lock) { return regions_of.at(lock) == 1; });
}

}  // namespace

bool eliminate_lock_records(Graph& graph) {
  if (sync::fast_path() == sync::FastPathKind::none) return false;   // all enters leave
  if (recorded_locks::need_lock_records()) return false;             // U6
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
