// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Memory of monitors: chunks below 4 TiB, never unmapped, one free list.
//
// A freed monitor is reused only after every thread has passed a poll (the callers of free_monitor see to that), so an old
// pointer is never dereferenced as a new monitor; and since chunks stay mapped a stray read cannot fault.
#include <sys/mman.h>

#include <mutex>
#include <new>

#include "runtime/base/address_space.h"
#include "runtime/sync/sync_world.h"

namespace keyhole::sync {

namespace {

constexpr usize chunk_bytes = 64_KiB;

std::mutex pool_mutex;             // a leaf
ObjectMonitor* free_list = nullptr;   // through next_in_list
char* chunk_top = nullptr;
char* chunk_end = nullptr;

}  // namespace

ObjectMonitor* SyncWorld::allocate_monitor() {
  void* memory;
  {
    std::lock_guard guard(pool_mutex);
    if (free_list != nullptr) {
      memory = free_list;
      free_list = free_list->next_in_list;
    } else {
      if (chunk_top == chunk_end) {
        chunk_top = static_cast<char*>(address_space::map_stack(chunk_bytes));
        if (chunk_top == nullptr) {
          chunk_end = nullptr;
          return nullptr;
        }
        madvise(chunk_top, chunk_bytes, MADV_NOHUGEPAGE);
        chunk_end = chunk_top + chunk_bytes;
      }
      memory = chunk_top;
      chunk_top += sizeof(ObjectMonitor);
    }
  }
  return new (memory) ObjectMonitor;
}

void SyncWorld::free_monitor(ObjectMonitor* monitor) {
  std::lock_guard guard(pool_mutex);
  monitor->next_in_list = free_list;
  free_list = monitor;
}

static_assert(chunk_bytes % sizeof(ObjectMonitor) == 0);

}  // namespace keyhole::sync
