// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The fast path of lightweight locking with the object monitor table, as a snippet.
//
//   enter   as in lightweight_fast_path.h. If that fails, and one of the thread's two newest cached monitors is the
//           object's: enter this monitor, and store its address in the lock record
//   exit    if the lock record has a monitor's address: exit this monitor, and clear the record. Otherwise as in
//           lightweight_fast_path.h
//
// A function that returns false has changed nothing, and the caller takes the slow path. The rules R1.. are in
// monitor_table_protocol.h, K1 in monitor_cache.h.
#pragma once

#include "runtime/sync/algorithms/lightweight_fast_path.h"
#include "runtime/sync/monitor/monitor_fast_path.h"

namespace keyhole::sync {

template <typename W, typename LockStackLimits> struct MonitorTableFastPathOf {
  using Thread = typename W::Thread;
  using Reference = typename W::Reference;
  using LockRecord = typename W::LockRecord;
  using Monitor = typename W::Monitor;
  using Lightweight = LightweightFastPathOf<W, LockStackLimits>;
  using Through = MonitorFastPath<W>;

  static constexpr u32 inline_probes = 2;

  KEYHOLE_ALWAYS_INLINE static bool try_enter(Thread* thread, Reference object, LockRecord* record) {
    if (Lightweight::try_enter(thread, object, record)) [[likely]]
      return true;
    for (u32 i = 0; i < inline_probes; ++i) {
      const auto& cached = thread->monitor_cache[i];
      if (cached.object != object) continue;
      // K1: a cached monitor is the object's current one if the thread takes it by CAS of its owner from `nobody`, or
      //     owns it already.
      if (!Through::try_enter(thread, cached.monitor)) return false;
      // monitor_table_protocol.h R7
      record->displaced.store(reinterpret_cast<uptr>(cached.monitor), std::memory_order_relaxed);
      return true;
    }
    return false;
  }

  KEYHOLE_ALWAYS_INLINE static bool try_exit(Thread* thread, Reference object, LockRecord* record) {
    u64 entered_through = record->displaced.load(std::memory_order_relaxed);
    if (entered_through == 0) [[likely]]
      return Lightweight::try_exit(thread, object, record);
    if (!Through::try_exit(thread, reinterpret_cast<Monitor*>(entered_through))) return false;
    record->displaced.store(0, std::memory_order_relaxed);
    return true;
  }
};

template <typename W> using MonitorTableFastPath = MonitorTableFastPathOf<W, WholeLockStack>;
template <typename W> using MonitorTableLimitedFastPath = MonitorTableFastPathOf<W, LimitedLockStack>;

}  // namespace keyhole::sync
