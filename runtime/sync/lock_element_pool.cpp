// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Memory of lock elements: chunks below 4 TiB, never unmapped, one free list of raw slots.
//
// A slot comes back only when an algorithm's instance is drained; in the VM elements live for ever (lock_element.h R1).
#include <sys/mman.h>

#include <mutex>

#include "runtime/base/address_space.h"
#include "runtime/sync/lock_element.h"
#include "runtime/sync/sync_world.h"

namespace keyhole::sync {

namespace {

constexpr usize chunk_bytes = 64_KiB;
static_assert(chunk_bytes % lock_element_bytes == 0);

struct FreeSlot { FreeSlot* next; };

std::mutex pool_mutex;   // a leaf
FreeSlot* free_slots = nullptr;
char* chunk_top = nullptr;
char* chunk_end = nullptr;

}  // namespace

void* SyncWorld::allocate_element() {
  std::lock_guard guard(pool_mutex);
  if (FreeSlot* slot = free_slots) {
    free_slots = slot->next;
    return slot;
  }
  if (chunk_top == chunk_end) {
    chunk_top = static_cast<char*>(address_space::map_stack(chunk_bytes));
    if (chunk_top == nullptr) {
      chunk_end = nullptr;
      return nullptr;
    }
    // A huge page would back two megabytes for the first element.
    madvise(chunk_top, chunk_bytes, MADV_NOHUGEPAGE);
    chunk_end = chunk_top + chunk_bytes;
  }
  void* slot = chunk_top;
  chunk_top += lock_element_bytes;
  return slot;
}

void SyncWorld::free_element(void* slot) {
  std::lock_guard guard(pool_mutex);
  free_slots = new (slot) FreeSlot{free_slots};
}

}  // namespace keyhole::sync
