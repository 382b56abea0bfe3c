// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The bounds of eden, in the order of young_size.h.
#include "gc/heap/young_size.h"

#include <algorithm>

#include "runtime/base/flags.h"

namespace keyhole::gc {
namespace {

constexpr u64 least_wanted_bytes = 64_MiB;
constexpr u64 scarce_percent = 5;
// Regions that copying may need in addition, for partly filled regions of survivors and promoted objects, and for rests
// of buffers.
constexpr f64 destinations = 4;

u64 in_regions(u64 bytes, u64 region_bytes) { return (bytes + region_bytes - 1) / region_bytes; }

// Bounds of the young generation, from the flags. With less than `scarce`, copying may not pay off.
struct Bounds {
  u64 least, scarce, largest;
};

Bounds bounds_of(const YoungSize::Heap& heap) {
  u64 least = 1, largest = u64{heap.maximum} * YoungSize::largest_percent / 100;
  if (flags::NewSize != 0) least = in_regions(flags::NewSize, heap.region_bytes);
  if (flags::MaxNewSize != 0) largest = in_regions(flags::MaxNewSize, heap.region_bytes);
  bool ratio_decides = flags::NewRatio != 0 && flags::NewSize == 0 && flags::MaxNewSize == 0;
  if (ratio_decides) least = largest = heap.maximum / (static_cast<u64>(flags::NewRatio) + 1);
  least = std::clamp<u64>(least, 1, heap.maximum);
  u64 scarce = least > 1 ? least : std::max<u64>(u64{heap.maximum} * scarce_percent / 100, 1);
  return {least, scarce, std::clamp<u64>(largest, least, heap.maximum)};
}

// The room for eden in a heap of `regions` regions, when `reserved` are needed besides the copies.
u64 room_for_eden(const YoungSize::Heap& heap, u64 regions, u32 reserved) {
  f64 taken = heap.used + heap.survival * heap.young + destinations + reserved;
  f64 all = static_cast<f64>(regions);
  return all <= taken ? 0 : static_cast<u64>((all - taken) / (1 + heap.survival));
}

// The size of eden, when the young generation has this many regions in total.
u64 without_survivors(u64 young_generation, const YoungSize::Heap& heap) {
  return young_generation > heap.young ? young_generation - heap.young : 1;
}

u64 wanted_regions(const YoungSize::Heap& heap) {
  u64 share_of_goal = without_survivors(u64{heap.goal} * YoungSize::largest_percent / 100, heap);
  u64 largest = std::max({std::min(room_for_eden(heap, heap.goal, 0), share_of_goal),
                          in_regions(least_wanted_bytes, heap.region_bytes), u64{2} * heap.used});
  return std::min<u64>(heap.eden_goal, largest);
}

}  // namespace

void YoungSize::add_pause(u64 young_bytes, i64 nanoseconds) {
  constexpr u64 least_bytes = 1_MiB;  // in a smaller pause the fixed cost would count as the cost of bytes
  if (young_bytes < least_bytes) return;
  constexpr f64 weight = 0.3;
  f64 cost = static_cast<f64>(nanoseconds) / static_cast<f64>(young_bytes);
  nanoseconds_per_byte_ =
      nanoseconds_per_byte_ == 0 ? cost : nanoseconds_per_byte_ + weight * (cost - nanoseconds_per_byte_);
}

u32 YoungSize::eden_regions(const Heap& heap) const {
  Bounds bounds = bounds_of(heap);
  u64 least = without_survivors(bounds.least, heap), scarce = without_survivors(bounds.scarce, heap);
  u64 regions = std::clamp(wanted_regions(heap), least, without_survivors(bounds.largest, heap));
  if (nanoseconds_per_byte_ > 0) {
    f64 goal_bytes = static_cast<f64>(flags::MaxGCPauseMillis) * 1e6 / nanoseconds_per_byte_;
    f64 generation = std::min(goal_bytes / static_cast<f64>(heap.region_bytes), static_cast<f64>(heap.maximum));
    regions = std::min(regions, std::max(without_survivors(static_cast<u64>(generation), heap), scarce));
  }
  u64 free = heap.maximum - heap.used, room = room_for_eden(heap, heap.maximum, 0);
  if (room < scarce && 2 * room <= free) return static_cast<u32>(std::max<u64>(free, 1));
  return static_cast<u32>(std::max<u64>(std::min(regions, room_for_eden(heap, heap.maximum, heap.reserved)), 1));
}

}  // namespace keyhole::gc
