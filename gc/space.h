// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Space: the heap's memory. Regions, the mutators' allocator over them, and its sizes; what both halves of gc/ (allocation
// and collection) work on.
#pragma once

#include <mutex>

#include "gc/region_table.h"
#include "gc/shared_allocator.h"
#include "gc/sizing.h"

namespace keyhole::gc {

class Space {
 public:
  // Smallest TLAB worth having; a shared region with less room than this is ready to retire.
  static constexpr u64 minimum_tlab_bytes = 2_KiB;

  std::string initialize();
  void shut_down();   // tests make many heaps
  bool ready() const { return regions.count() != 0; }

  // Between minimum and wanted bytes of zeroed memory, out of a shared region; null when the budget is spent.
  // Never reaches a safepoint.
  char* allocate_shared(u64 thread_id, u64 minimum_bytes, u64 wanted_bytes, u64& taken_bytes);
  // Zeroed memory in regions of its own; null when the budget is spent or no run of regions is free.
  char* allocate_humongous(u64 bytes);
  bool is_humongous(u64 bytes) const { return bytes > regions.region_bytes() / 2; }
  // Could the trigger be moved so that an object of this size has room?
  bool extend_for(u64 bytes);

  // World stopped: no slot holds a region afterwards.
  void retire_shared_regions();
  // World stopped: mutators go on in this ToSpace or Compacting region.
  void offer(Region* region);

  // World stopped: new trigger; free memory that will not be needed soon goes back to the kernel.
  void after_collection();

  u64 used_bytes();
  void print_regions(FILE* out);

  RegionTable regions;   // guarded by `lock`, or the world is stopped
  Sizing sizing;         // likewise

 private:
  // The source of SharedAllocator: regions within the trigger.
  struct Source {
    Space& space;
    void lock() { space.lock_.lock(); }
    void unlock() { space.lock_.unlock(); }
    SharedSpan<HardwareWorld>* refill();
    void retire(SharedSpan<HardwareWorld>* span) { Region::of(span)->transition_to_full(); }
    u64 minimum_bytes() const { return minimum_tlab_bytes; }
  };

  HardwareWorld::Mutex lock_;   // the heap lock; nothing else is taken while it is held
  SharedAllocator<HardwareWorld> shared_;
};

extern Space space;

}  // namespace keyhole::gc
