// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// MonitorCache: the monitors that a thread used last, so that most enters of an inflated object do not search the
// table. HotSpot's OMCache.
//
//   monitor_cache   | (A, Ma) | (B, Mb) | . |      newest first, -XX:OMCacheSize entries; {null, null} = free
//
// K1: handshakes for deflation and collections clear the cache. So an entry says that the object has had this monitor
//     since the last handshake or collection, and that the monitor's memory has not been reused. The monitor may have
//     been deflated; then its owner is `deflater` for ever, and no thread can enter it.
// K2: only the thread itself uses its cache; other threads write to it while that thread is stopped.
#pragma once

#include "runtime/base/types.h"

namespace keyhole::sync {

template <typename W> struct MonitorCacheOf {
  using Thread = typename W::Thread;
  using Reference = typename W::Reference;
  using Monitor = typename W::Monitor;

  // Returns the object's monitor from the cache. Returns null if the cache has no monitor of the object, or has a
  // deflated one (K1).
  static Monitor* find(const Thread* thread, Reference object) {
    for (const auto& cached : thread->monitor_cache) {
      if (cached.object == object) return cached.monitor->is_deflated() ? nullptr : cached.monitor;
    }
    return nullptr;
  }

  static void remember(Thread* thread, Reference object, Monitor* monitor, u32 size) {
    auto* cache = thread->monitor_cache;
    u32 place = 0;
    while (place + 1 < size && cache[place].object != object) ++place;
    for (; place != 0; --place) cache[place] = cache[place - 1];
    cache[0] = {object, monitor};
  }

  static void forget_all(Thread* thread) {
    for (auto& cached : thread->monitor_cache) cached = {};
  }
};

}  // namespace keyhole::sync
