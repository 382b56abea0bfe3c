// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// SlotPool: memory below 4 TiB for structures of one size, so that headers can point at them. Freed slots are reused
// first. Memory never goes back to the system, so `reserved_bytes` is also the peak use, rounded up to a chunk.
#pragma once

#include <sys/mman.h>

#include <atomic>
#include <new>

#include "runtime/base/address_space.h"
#include "runtime/base/mutex.h"

namespace keyhole::sync {

template <usize slot_bytes> class SlotPool {
 public:
  static constexpr usize chunk_bytes = 64_KiB;
  static_assert(chunk_bytes % slot_bytes == 0);

  // Returns an uninitialised slot; null when memory is exhausted.
  void* take() {
    MutexLock guard(mutex_);
    if (FreeSlot* slot = free_) {
      free_ = slot->next;
      return slot;
    }
    if (chunk_top_ == chunk_end_ && !map_chunk()) return nullptr;
    void* slot = chunk_top_;
    chunk_top_ += slot_bytes;
    return slot;
  }
  // Takes a slot back. The caller has destroyed the object in the slot.
  void give_back(void* slot) {
    MutexLock guard(mutex_);
    free_ = new (slot) FreeSlot{free_};
  }
  usize reserved_bytes() const { return reserved_bytes_.load(std::memory_order_relaxed); }

 private:
  struct FreeSlot {
    FreeSlot* next;
  };

  bool map_chunk() REQUIRES(mutex_) {
    char* chunk = static_cast<char*>(address_space::map_stack(chunk_bytes));
    if (chunk == nullptr) return false;
    // With a huge page, the first slot would take two megabytes of memory.
    madvise(chunk, chunk_bytes, MADV_NOHUGEPAGE);
    chunk_top_ = chunk;
    chunk_end_ = chunk + chunk_bytes;
    reserved_bytes_.fetch_add(chunk_bytes, std::memory_order_relaxed);
    return true;
  }

  Mutex mutex_{LockRank::lock_slots};
  FreeSlot* free_ GUARDED_BY(mutex_) = nullptr;
  char* chunk_top_ GUARDED_BY(mutex_) = nullptr;
  char* chunk_end_ GUARDED_BY(mutex_) = nullptr;
  std::atomic<usize> reserved_bytes_{0};
};

}  // namespace keyhole::sync
