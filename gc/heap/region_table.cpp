// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Takes and releases regions.
#include "gc/heap/region_table.h"

#include <sys/mman.h>

#include <algorithm>

#include "gc/card_table.h"
#include "runtime/base/check.h"
#include "runtime/base/page.h"
#include "runtime/object/identity.h"

namespace keyhole::gc {

bool RegionTable::reserve(u64 region_bytes, u32 count) {
  if (address_space::map_at(base(), region_bytes * count) == nullptr) return false;
  void* table =
      mmap(nullptr, sizeof(Region) * count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (table == MAP_FAILED || !card_table::reserve(region_bytes * count)) return false;
  regions_ = static_cast<Region*>(table);
  count_ = count;
  region_shift_ = static_cast<u32>(__builtin_ctzll(region_bytes));
  used_count_ = first_free_hint_ = low_limit_ = 0;
  uncommit_ = {};
  high_limit_ = count;
  address_epochs = {&regions_->epoch(), base(), region_shift_, sizeof(Region)};
  return true;
}

void RegionTable::unreserve() {
  if (regions_ == nullptr) return;
  address_epochs = {};
  munmap(reinterpret_cast<void*>(base()), u64{count_} << region_shift_);
  munmap(static_cast<void*>(regions_), sizeof(Region) * count_);
  card_table::unreserve();
  regions_ = nullptr;
  count_ = used_count_ = 0;
}

Region* RegionTable::find_free() {
  if (used_count_ == count_) return nullptr;
  u32 start = first_free_hint_ < count_ ? first_free_hint_ : 0;
  for (u32 i = 0; i < count_; ++i) {
    u32 index = start + i < count_ ? start + i : start + i - count_;
    if (!regions_[index].is_free()) continue;
    first_free_hint_ = index + 1;
    if (index >= low_limit_) low_limit_ = index + 1;
    ++used_count_;
    return at(index);
  }
  KEYHOLE_FATAL("{} of {} regions are counted as used, but none is free", used_count_, count_);
}

Region* RegionTable::take_shared() {
  Region* region = find_free();
  if (region != nullptr) region->transition_to_shared();
  return region;
}

Region* RegionTable::take_to_space() {
  Region* region = find_free();
  if (region != nullptr) region->transition_to_to_space();
  return region;
}

Region* RegionTable::take_humongous(u32 wanted, u64 bytes) {
  if (free_count() < wanted) return nullptr;
  u32 run = 0;
  for (u32 index = count_; index-- > 0;) {
    run = regions_[index].is_free() ? run + 1 : 0;
    if (run < wanted) continue;
    Region* start = at(index);
    char* object_end = start->bottom() + bytes;
    start->transition_to_humongous_start(object_end);
    for (u32 i = 1; i < wanted; ++i) at(index + i)->transition_to_humongous_continues(start, object_end);
    used_count_ += wanted;
    if (index < high_limit_) high_limit_ = index;
    return start;
  }
  return nullptr;
}

void RegionTable::release(Region* region) {
  region->transition_to_free();
  --used_count_;
  if (!round_robin_ && region->index() < first_free_hint_) first_free_hint_ = region->index();
}

void RegionTable::release_humongous(Region* start) {
  u32 index = start->index();
  release(start);
  for (++index; index < count_ && regions_[index].state() == RegionState::HumongousContinues &&
                regions_[index].humongous_start() == start;
       ++index) {
    release(at(index));
  }
}

void RegionTable::recount() {
  used_count_ = 0;
  high_limit_ = count_;
  u32 highest_ordinary = 0;
  for (u32 i = 0; i < count_; ++i) {
    if (regions_[i].is_free()) continue;
    ++used_count_;
    if (!regions_[i].is_humongous()) highest_ordinary = i + 1;
    else if (i < high_limit_) high_limit_ = i;
  }
  if (highest_ordinary > low_limit_) low_limit_ = highest_ordinary;
  first_free_hint_ = 0;
}

bool RegionTable::has_free_memory(u32 index) const {
  const Region& region = regions_[index];
  return region.initialized() && region.is_free() && region.dirty();
}

bool RegionTable::choose_to_uncommit(u32 keep) {
  uncommit_ = {};
  u32 seen = 0;
  for (u32 i = 0; i < count_; ++i) {
    if (!has_free_memory(i)) continue;
    if (seen++ == keep) uncommit_.first = i;
    uncommit_.end = i + 1;
  }
  if (seen <= keep) uncommit_ = {};
  return seen > keep;
}

u64 RegionTable::uncommit_some(u64 bytes) {
  for (; uncommit_.end > uncommit_.first; --uncommit_.end, uncommit_.done = 0) {
    if (!has_free_memory(uncommit_.end - 1)) continue;
    Region& region = regions_[uncommit_.end - 1];
    if (region.epoch() != uncommit_.epoch) uncommit_.done = 0;  // the region was in use since the last piece
    uncommit_.epoch = region.epoch();
    bytes = std::min(bytes, region_bytes() - uncommit_.done);
    madvise(region.bottom() + uncommit_.done, bytes, MADV_DONTNEED);
    uncommit_.done += bytes;
    if (uncommit_.done == region_bytes()) region.set_dirty(false);  // the next call continues below this region
    return bytes;
  }
  return 0;
}

void RegionTable::touch(u32 regions) {
  char* start = reinterpret_cast<char*>(base());
  u64 bytes = u64{regions} << region_shift_;
  if (madvise(start, bytes, MADV_POPULATE_WRITE) == 0) return;  // Linux 5.14
  for (u64 offset = 0; offset < bytes; offset += page_bytes) *const_cast<volatile char*>(start + offset) = 0;
}

u64 RegionTable::used_bytes() {
  u64 bytes = 0;
  for_each_used([&](Region& region) { bytes += region.used_bytes(); });
  return bytes;
}

}  // namespace keyhole::gc
