// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Heap sizes from the flags and from the machine, and the trigger after each collection.
#include "gc/heap/sizing.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "gc/heap/region_table.h"
#include "runtime/base/flags.h"

namespace keyhole::gc {
namespace {

// The limit set by `ulimit -v`. The heap gets at most half of it, as in java.
u64 address_limit_bytes() {
  rlimit limit;
  return getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ? ~u64{0} : limit.rlim_cur;
}

// Reads a file of the control-group file system that has a single number. 0: it has no number, but "max" for example.
u64 read_limit(const char* path) {
  FILE* file = fopen(path, "re");
  if (file == nullptr) return 0;
  unsigned long long bytes = 0;
  if (fscanf(file, "%llu", &bytes) != 1) bytes = 0;
  fclose(file);
  return bytes;
}

u64 machine_memory_bytes() {
  u64 bytes = static_cast<u64>(sysconf(_SC_PHYS_PAGES)) * static_cast<u64>(sysconf(_SC_PAGESIZE));
  if (!flags::UseContainerSupport) return std::min(bytes, flags::MaxRAM);
  for (const char* path : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    if (u64 limit = read_limit(path); limit != 0) bytes = std::min(bytes, limit);
  }
  return std::min(bytes, flags::MaxRAM);
}

u64 share_of(u64 bytes, double percent) { return static_cast<u64>(static_cast<double>(bytes) * percent / 100); }

// A machine with little memory gives the heap a larger fraction of it.
u64 default_maximum(u64 memory) {
  u64 small = share_of(memory, flags::MinRAMPercentage);
  return small < 125_MiB ? small : share_of(memory, flags::MaxRAMPercentage);
}

// The capacity at which `percent` percent are free when `used` regions are used.
u64 with_free(u32 used, i64 percent) {
  return percent >= 100 ? ~u64{0} >> 1 : u64{used} * 100 / static_cast<u64>(100 - percent);
}

u64 power_of_two_below(u64 value) { return value == 0 ? 0 : u64{1} << (63 - __builtin_clzll(value)); }

}  // namespace

std::string Sizing::initialize() {
  *this = Sizing();
  u64 maximum = flags::MaxHeapSize, initial = flags::InitialHeapSize;
  if (maximum != 0 && initial > maximum) return "Initial heap size set to a larger value than the maximum heap size";
  if (maximum != 0 && maximum < 2_MiB) return "Too small maximum heap";
  if (initial != 0 && initial < 1_MiB) return "Too small initial heap";
  if (flags::MinHeapFreeRatio > flags::MaxHeapFreeRatio) {
    return fmt::format("MinHeapFreeRatio ({}) must be less than or equal to MaxHeapFreeRatio ({})",
                       flags::MinHeapFreeRatio, flags::MaxHeapFreeRatio);
  }
  u64 memory = maximum == 0 || initial == 0 ? machine_memory_bytes() : 0;
  if (maximum == 0)
    maximum = std::max({std::min(default_maximum(memory), address_limit_bytes() / 2), initial, u64{16_MiB}});
  maximum = std::min(maximum, u64{address_space::heap_reserve_bytes});
  if (initial == 0) initial = std::min(maximum, std::max(share_of(memory, flags::InitialRAMPercentage), u64{8_MiB}));
  initial = std::min(initial, maximum);

  region_bytes_ = power_of_two_below(flags::HeapRegionSize != 0 ? flags::HeapRegionSize : maximum / 2048);
  region_bytes_ = std::clamp(region_bytes_, RegionTable::minimum_region_bytes, RegionTable::maximum_region_bytes);
  maximum_regions_ = static_cast<u32>((maximum + region_bytes_ - 1) / region_bytes_);
  initial_regions_ = static_cast<u32>((initial + region_bytes_ - 1) / region_bytes_);
  maximum_regions_ =
      static_cast<u32>(std::min(u64{maximum_regions_}, address_space::heap_reserve_bytes / region_bytes_));
  initial_regions_ = std::min(initial_regions_, maximum_regions_);
  set_trigger(initial_regions_);
  return {};
}

void Sizing::set_trigger(u64 regions) {
  trigger_regions_ = static_cast<u32>(std::min<u64>(std::max<u64>(regions, 1), maximum_regions_));
  capacity_regions_ = std::max(initial_regions_, trigger_regions_);
}

void Sizing::after_collection(u32 used, bool may_shrink, AllocationBudget budget) {
  live_regions_ = used;
  copy_regions_ = budget.copies;
  u64 trigger = u64{used} + budget.eden;
  u64 least_capacity = 0;
  if (may_shrink) {
    copy_regions_ = 0;
    // Eden has at least one region, regardless of the ratio.
    trigger =
        std::min(trigger, std::max<u64>({initial_regions_, with_free(used, flags::MaxHeapFreeRatio), u64{used} + 1}));
    least_capacity = std::min<u64>(with_free(used, flags::MinHeapFreeRatio), maximum_regions_);
  }
  set_trigger(trigger);
  capacity_regions_ = std::max<u32>(capacity_regions_, static_cast<u32>(least_capacity));
}

u32 Sizing::needed_soon(u32 used) const {
  u32 until_trigger = trigger_regions_ > used ? trigger_regions_ - used : 0;
  return std::min(until_trigger + copy_regions_, maximum_regions_ - used);
}

void Sizing::extend_trigger(u32 used, u32 wanted) { set_trigger(std::max<u64>(trigger_regions_, u64{used} + wanted)); }

}  // namespace keyhole::gc
