// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The fast path of lightweight locking with headers that point at monitors, as a snippet.
//
//   enter, exit   as in lightweight_fast_path.h; else, when the object is inflated, as in monitor_fast_path.h
//
// A function that returns false has changed nothing, and the caller takes the slow path. It also returns false for an
// object on the thread's lock stack whose monitor has an anonymous owner, because that owner word is no thread's id
// (lightweight.h R4).
#pragma once

#include "runtime/sync/algorithms/lightweight_fast_path.h"
#include "runtime/sync/monitor/monitor_fast_path.h"

namespace keyhole::sync {

template <typename W, typename LockStackLimits> struct LightweightMonitorFastPathOf {
  using Thread = typename W::Thread;
  using Reference = typename W::Reference;
  using LockRecord = typename W::LockRecord;
  using Lightweight = LightweightFastPathOf<W, LockStackLimits>;
  using Through = MonitorFastPath<W>;

  KEYHOLE_ALWAYS_INLINE static bool try_enter(Thread* thread, Reference object, LockRecord* record) {
    return Lightweight::try_enter(thread, object, record) || Through::try_enter(thread, object, record);
  }
  KEYHOLE_ALWAYS_INLINE static bool try_exit(Thread* thread, Reference object, LockRecord* record) {
    return Lightweight::try_exit(thread, object, record) || Through::try_exit(thread, object, record);
  }
};

template <typename W> using LightweightMonitorFastPath = LightweightMonitorFastPathOf<W, WholeLockStack>;
template <typename W> using LightweightMonitorLimitedFastPath = LightweightMonitorFastPathOf<W, LimitedLockStack>;

}  // namespace keyhole::sync
