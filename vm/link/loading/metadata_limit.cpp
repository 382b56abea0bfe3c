// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The threshold of class metadata, the end of class ids, and what happens at either.
#include "vm/link/loading/metadata_limit.h"

#include <algorithm>
#include <atomic>

#include "gc/heap/heap.h"
#include "runtime/base/address_space.h"
#include "runtime/base/flags.h"
#include "runtime/base/metaspace.h"
#include "runtime/base/mutex.h"
#include "vm/link/exceptions.h"
#include "vm/link/loading/loader_data.h"
#include "vm/link/out_of_memory.h"

namespace keyhole {
namespace {

std::atomic<usize> threshold;  // 0: MetaspaceSize; the first thread that returns from a collection moves it

// Room for one class of the maximum size, and for what other threads allocate meanwhile.
constexpr usize ample_bytes = 8_MiB;

// The size at which the VM collects. Exhausting the reserved range would end the VM, so one eighth of it stays free for
// what threads allocate during the collection.
usize limit() {
  constexpr usize reserved = address_space::metaspace_reserve_bytes / 8 * 7;
  return flags::MaxMetaspaceSize == 0 ? reserved : std::min(static_cast<usize>(flags::MaxMetaspaceSize), reserved);
}
usize bounded(usize bytes) { return std::min(std::max(bytes, static_cast<usize>(flags::MetaspaceSize)), limit()); }

// Unloads classes, more and more aggressively, until `is_enough` holds; it does not hold at the call. If several
// threads come here for the same reason, one collects for all.
template <typename IsEnough> bool unload_until(JavaThread* thread, IsEnough&& is_enough) MAY_SAFEPOINT {
  if (!flags::ClassUnloading) return is_enough();
  for (heap::Cause cause : {heap::Cause::MetadataThreshold, heap::Cause::MetadataClearSoftReferences}) {
    // No collection is missed, because there was no safepoint since the caller's check.
    heap::collect_unless_done(thread, cause, heap::collections_for(cause));
    if (is_enough()) return true;
  }
  return false;
}

}  // namespace

bool make_room_for_metadata(JavaThread* thread) {
  usize now = threshold.load(std::memory_order_relaxed);
  if (now == 0) now = bounded(0);
  if (metaspace::used_bytes() < now && metaspace::has_room(ample_bytes)) [[likely]]
    return true;
  bool has_room =
      unload_until(thread, [] { return metaspace::used_bytes() < limit() && metaspace::has_room(ample_bytes); });
  threshold.store(bounded(metaspace::used_bytes() * 100 / static_cast<usize>(100 - flags::MinMetaspaceFreeRatio)),
                  std::memory_order_relaxed);
  return has_room || throw_out_of_memory(thread, metadata_exhausted_message);
}

bool add_class(JavaThread* thread, ClassUnit& unit, Klass* klass) {
  auto has_id = [&] {
    MutexLock guard(unit.loader->mutex);
    return unit.try_add(klass);
  };
  return has_id() || unload_until(thread, has_id) || throw_out_of_memory(thread, class_ids_exhausted_message);
}

}  // namespace keyhole
