// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Space: the heap's memory. It consists of the regions, the mutators' allocator over them, and the sizes of the heap.
// Allocation and collection share it.
#pragma once

#include <atomic>
#include <cstring>
#include <string>

#include "gc/heap/region_table.h"
#include "gc/heap/shared_allocator.h"
#include "gc/heap/sizing.h"
#include "runtime/base/flags.h"
#include "runtime/base/mutex.h"
#include "runtime/threads/java_thread.h"

namespace keyhole::gc {

class Space {
 public:
  // A region goes back to mutators if it has at least this much room left.
  static constexpr u64 minimum_tlab_bytes = 2_KiB;

  std::string initialize();
  void shut_down();  // tests make many heaps
  bool ready() const { return regions.count() != 0; }

  // Allocates between minimum and wanted bytes of zeroed memory in a shared region; null when the budget is spent.
  // Never reaches a safepoint.
  char* allocate_shared(JavaThread* thread, u64 minimum_bytes, u64 wanted_bytes, u64& taken_bytes) TOUCHES_OBJECTS;
  // Allocates zeroed memory in regions of its own; null when the budget is spent or no run of regions is free.
  char* allocate_humongous(u64 bytes);
  bool is_humongous(u64 bytes) const { return bytes > regions.region_bytes() / 2; }
  // Moves the trigger so that an object of this size fits. False: that is impossible.
  bool extend_for(u64 bytes);

  // World stopped: takes the regions out of all slots.
  void retire_shared_regions();
  // World stopped: mutators continue in this ToSpace or Compacting region.
  void offer(Region* region);

  // World stopped: computes the new trigger, and chooses the free memory that will not be needed soon. `may_shrink`:
  // all live objects are known.
  void after_collection(bool may_shrink, AllocationBudget budget);
  // Gives a piece of the chosen memory back to the kernel, beside mutators or with the world stopped. True: there is
  // more.
  bool return_some_memory();
  bool has_memory_to_return() const { return memory_to_return_.load(std::memory_order_relaxed); }

  // Called when a thread ends, or is counted at a safepoint: adds its counters to the totals.
  void add_to_totals(AllocationCounters& counters);
  // The totals of all threads: of those that have ended, and of the others as they were last counted.
  AllocationCounters allocation_totals() const {
    MutexLock guard(lock_);
    return totals_;
  }
  // Logs the allocation since the last such line, for -Xlog:gc+alloc. World stopped.
  void log_allocation(const std::string& prefix);
  // Logs the allocation since the start. Called by any thread.
  void log_allocation_totals();

  // Calls look() under the heap lock, to read `regions` while mutators run: no region changes its owner meanwhile, but
  // tops move.
  template <typename Look> void with_heap_lock(Look&& look) CALLS_VISITOR {
    MutexLock guard(lock_);
    look();
  }
  u64 used_bytes();
  void print_regions(FILE* out);
  // Records the events `heap_layout`, and `region` for the regions in use, at the beginning of a recording.
  void record_regions();

  RegionTable regions;  // guarded by `lock`, or the world is stopped
  Sizing sizing;        // guarded in the same way

 private:
  // The source of SharedAllocator: regions within the trigger.
  struct Source {
    Space& space;
    void lock() ACQUIRE(space.lock_);
    bool try_lock() TRY_ACQUIRE(true, space.lock_) { return space.lock_.try_lock(); }
    void unlock() RELEASE(space.lock_) { space.lock_.unlock(); }
    SharedSpan<HardwareWorld>* refill();
    void retire(SharedSpan<HardwareWorld>* span, uptr first_free) TOUCHES_OBJECTS;
    void retire_open(SharedSpan<HardwareWorld>* span) { Region::of(span)->transition_to_full(); }
    u64 minimum_bytes() const { return flags::MinTLABSize; }
  };
  // Counts of regions.
  struct RegionCounters {
    u64 opened = 0, retired = 0, retire_waste_bytes = 0, humongous = 0;
  };

  char* allocate_shared_slow(JavaThread* thread, u64 minimum_bytes, u64 wanted_bytes, u64& taken_bytes) TOUCHES_OBJECTS;
  std::string allocation_line(const AllocationCounters& counters, const RegionCounters& regions) const;

  mutable Mutex lock_{LockRank::heap};
  std::atomic<bool> memory_to_return_{false};  // written under the lock, or with the world stopped
  u64 returned_bytes_ GUARDED_BY(lock_) = 0;   // bytes returned since the last collection
  SharedAllocator<HardwareWorld> shared_;
  RegionCounters region_counters_ GUARDED_BY(lock_);
  RegionCounters region_counters_logged_;  // world stopped
  AllocationCounters totals_ GUARDED_BY(lock_);
  AllocationCounters totals_logged_;  // world stopped
  // World stopped.
  SharedAllocator<HardwareWorld>::SlotUse slots_logged_[SharedAllocator<HardwareWorld>::maximum_slots];
};

extern Space space;

// This is inline, because a call costs more than clearing a small object.
[[gnu::always_inline]] inline void zero(char* memory, u64 bytes) {
  constexpr u64 small_bytes = 64;
  if (bytes > small_bytes) {
    memset(memory, 0, bytes);
    return;
  }
  for (char* end = memory + bytes; memory < end; memory += sizeof(u64)) memset(memory, 0, sizeof(u64));
}

// This is inline: under -XX:-UseTLAB each object is allocated here, and three calls on top of the CAS would cost half
// as much as the CAS.
inline char* Space::allocate_shared(JavaThread* thread, u64 minimum_bytes, u64 wanted_bytes, u64& taken_bytes) {
  AllocationState& state = *thread->allocation;
  // A cached pointer to the span saves a load before the CAS, which nothing else could overlap. A span that has left
  // its slot meanwhile is closed (shared_allocator.h R2), so an old pointer does no harm.
  if (auto* span = static_cast<SharedSpan<HardwareWorld>*>(state.home_span); span != nullptr && flags::UseCASAllocation)
      [[likely]] {
    if (uptr start = span->allocate(minimum_bytes, wanted_bytes, taken_bytes, state.counters.cas_failures)) [[likely]] {
      ++state.counters.pieces;
      char* memory = reinterpret_cast<char*>(start);
      if (Region::of(span)->dirty()) zero(memory, taken_bytes);
      return memory;
    }
  }
  return allocate_shared_slow(thread, minimum_bytes, wanted_bytes, taken_bytes);
}

}  // namespace keyhole::gc
