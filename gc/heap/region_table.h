// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// All regions of the heap: look-up by address, allocation, release, counts.
//
//   heap base                                                              heap base + maximum heap
//   | 0 | 1 | 2 | ...  ordinary regions, lowest free first -->    ...  <-- humongous runs, highest free first | n-1 |
//
// The whole range is reserved once and backed by the kernel as it is touched. So are the Region structures and the
// cards (card_table.h): a small program's heap costs only the pages it uses. Therefore the table keeps two limits: no
// region between them was ever taken.
//
// Callers hold the heap lock, or the world is stopped.
#pragma once

#include "gc/heap/region.h"
#include "runtime/base/address_space.h"
#include "runtime/object/klass.h"

namespace keyhole::gc {

class RegionTable {
 public:
  static constexpr u64 minimum_region_bytes = 256_KiB;
  static constexpr u64 maximum_region_bytes = 32_MiB;

  // False when the kernel refuses the address range.
  bool reserve(u64 region_bytes, u32 count);
  void unreserve();  // tests make many heaps

  u32 count() const { return count_; }
  u32 region_shift() const { return region_shift_; }
  u64 region_bytes() const { return u64{1} << region_shift_; }
  u32 used_count() const { return used_count_; }
  u32 free_count() const { return count_ - used_count_; }
  uptr base() const { return address_space::heap_base; }

  Region* at(u32 index) {
    Region* region = regions_ + index;
    if (!region->initialized()) [[unlikely]] {
      region->initialize(index, reinterpret_cast<char*>(base() + (u64{index} << region_shift_)), region_bytes());
    }
    return region;
  }
  bool contains(const void* address) const {
    return reinterpret_cast<uptr>(address) - base() < (u64{count_} << region_shift_);
  }
  u32 index_of(const void* address) const {
    return static_cast<u32>((reinterpret_cast<uptr>(address) - base()) >> region_shift_);
  }
  Region* region_of(const void* address) { return at(index_of(address)); }

  // Takes a free region for mutators; null when none is free.
  Region* take_shared();
  Region* take_to_space();
  // Takes `count` adjacent regions for one object of `bytes`.
  Region* take_humongous(u32 count, u64 bytes);
  void release(Region* region);
  // Releases the whole run that starts here.
  void release_humongous(Region* start);
  // The number of regions for an object that is allocated with this many bytes, plus room for a hash, which may be
  // appended when it moves.
  u32 humongous_region_count(u64 plain_bytes) const {
    u64 bytes = plain_bytes + (layout::hash_is_in_word ? 0 : layout::object_alignment);
    return static_cast<u32>((bytes + region_bytes() - 1) >> region_shift_);
  }
  u32 humongous_region_count(const Object* object) const TOUCHES_OBJECTS {
    const Klass* klass = object->klass();
    return humongous_region_count(plain_bytes(klass, extent_of(object, klass)));
  }

  // With poisoning, regions are taken round robin, so that a freed one stays poisoned as long as possible.
  void set_round_robin(bool on) { round_robin_ = on; }
  // Counts again after compaction, which changes states without taking and releasing regions.
  void recount();
  // Lets the kernel back the first regions now; they are still zero.
  void touch(u32 regions);
  // Chooses the regions whose memory goes back to the kernel: all free dirty regions except the first `keep`. False:
  // there are none.
  bool choose_to_uncommit(u32 keep);
  // Uncommits up to `bytes` of one chosen region, the highest first. Returns the number of uncommitted bytes; 0: all
  // regions are done. A region that is taken meanwhile keeps its memory.
  u64 uncommit_some(u64 bytes);

  // Visits every region that may hold something, in address order.
  template <typename Visitor> void for_each_used(Visitor&& visit) CALLS_VISITOR {
    for (u32 i = 0; i < low_limit_; ++i)
      if (!regions_[i].is_free()) visit(*at(i));
    for (u32 i = low_limit_ > high_limit_ ? low_limit_ : high_limit_; i < count_; ++i) {
      if (!regions_[i].is_free()) visit(*at(i));
    }
  }
  u64 used_bytes();
  u32 low_limit() const { return low_limit_; }

 private:
  Region* find_free();
  bool has_free_memory(u32 index) const;  // free memory that is backed by the kernel

  Region* regions_ = nullptr;
  u32 count_ = 0;
  u32 region_shift_ = 0;
  u32 used_count_ = 0;
  u32 first_free_hint_ = 0;  // no region below it is free (unless round robin)
  u32 low_limit_ = 0;        // one above the highest ordinary region ever taken
  u32 high_limit_ = 0;       // the lowest humongous region ever taken
  bool round_robin_ = false;
  // Regions to be uncommitted lie in [first, end). If the last of them is still in epoch `epoch`, `done` bytes of it
  // are uncommitted.
  struct {
    u32 first = 0, end = 0, epoch = 0;
    u64 done = 0;
  } uncommit_;
};

}  // namespace keyhole::gc
