// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Shared by the files of this folder: pools and managers by name, and small result objects.
//
//   pool      0 CodeCache   1 Metaspace   2... those of the heap (gc/inspect/memory_pools.h)
//   manager   0 CodeCacheManager   1 Metaspace Manager   2... the collectors
//
// The Java objects of pools and managers are made once, by the library (sun.management.MemoryImpl), and know their
// names only.
#pragma once

#include "classlib/natives/late_bound.h"
#include "classlib/natives/support.h"
#include "gc/inspect/memory_pools.h"

namespace keyhole::natives::management {

inline constexpr u32 code_cache_pool = 0, metaspace_pool = 1, first_heap_pool = 2;
inline constexpr u32 first_collector = 2;

u32 pool_count();
const char* pool_name(u32 pool);
u32 manager_count();
const char* manager_name(u32 manager);
bool manages(u32 manager, u32 pool);
// The number of a MemoryPoolImpl or a MemoryManagerImpl.
u32 pool_of(JavaThread* thread, Handle object) MAY_SAFEPOINT;
u32 manager_of(JavaThread* thread, Handle object) MAY_SAFEPOINT;

gc::inspect::Usage usage_of(u32 pool);

// Makes a java.lang.management.MemoryUsage. Null: an exception is pending.
[[nodiscard]] Object* new_memory_usage(JavaThread* thread, const gc::inspect::Usage& usage) MAY_SAFEPOINT;
// Stores the MemoryUsage of every pool, before or after a pause, into `array`. False: an exception is pending.
[[nodiscard]] bool fill_usages(JavaThread* thread, Handle array,
                               const gc::inspect::Usage (&heap)[gc::inspect::maximum_pools], i64 metaspace_bytes)
    MAY_SAFEPOINT;
// Returns the elements of `all` for which is_wanted(index) is true, in an array of the same class.
template <typename Wanted>
[[nodiscard]] Object* select(JavaThread* thread, Handle all, Wanted is_wanted) MAY_SAFEPOINT {
  i32 count = 0;
  for (i32 i = 0; i < all->length(); ++i) count += is_wanted(static_cast<u32>(i)) ? 1 : 0;
  Object* chosen = new_array(thread, const_cast<Klass*>(all->klass()), count);
  if (chosen == nullptr) return nullptr;
  i32 next = 0;
  for (i32 i = 0; i < all->length(); ++i)
    if (is_wanted(static_cast<u32>(i))) barrier::store_element(chosen, next++, all->reference_at(i));
  return chosen;
}

// Converts a time on the monotonic clock to milliseconds since the VM started.
i64 uptime_milliseconds(i64 monotonic_nanoseconds);

}  // namespace keyhole::natives::management
