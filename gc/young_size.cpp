// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The bounds of eden, in the order of young_size.h.
#include "gc/young_size.h"

#include <algorithm>

#include "runtime/base/flags.h"

namespace keyhole::gc {
namespace {

constexpr u64 least_wanted_bytes = 64_MiB;
constexpr u64 least_percent = 5, largest_percent = 60;
constexpr f64 destinations = 4;   // of survivors and of what is promoted: filled in part, and the rests of buffers

u64 in_regions(u64 bytes, u64 region_bytes) { return (bytes + region_bytes - 1) / region_bytes; }

}  // namespace

void YoungSize::add_pause(u64 young_bytes, i64 nanoseconds) {
  constexpr u64 telling_bytes = 1_MiB;   // of less, the fixed cost of a pause would be taken for the cost of bytes
  if (young_bytes < telling_bytes) return;
  constexpr f64 weight = 0.3;
  f64 cost = static_cast<f64>(nanoseconds) / static_cast<f64>(young_bytes);
  nanoseconds_per_byte_ = nanoseconds_per_byte_ == 0 ? cost : nanoseconds_per_byte_ + weight * (cost - nanoseconds_per_byte_);
}

namespace {

// For eden, when `reserved` regions are needed beside the copies.
u64 room_for_eden(const YoungSize::Heap& heap, u32 reserved) {
  f64 taken = heap.survival * heap.young + destinations + reserved;
  f64 free = static_cast<f64>(heap.maximum - heap.used);
  return free <= taken ? 0 : static_cast<u64>((free - taken) / (1 + heap.survival));
}

}  // namespace

u32 YoungSize::eden_regions(const Heap& heap) const {
  u32 maximum = heap.maximum;
  u64 least = flags::NewSize != 0 ? in_regions(flags::NewSize, heap.region_bytes) : maximum * least_percent / 100;
  u64 largest = flags::MaxNewSize != 0 ? in_regions(flags::MaxNewSize, heap.region_bytes) : maximum * largest_percent / 100;
  least = std::clamp<u64>(least, 1, maximum);
  largest = std::clamp<u64>(largest, least, maximum);
  u64 regions = std::clamp(std::max(in_regions(least_wanted_bytes, heap.region_bytes), u64{2} * heap.used), least, largest);
  if (nanoseconds_per_byte_ > 0) {
    f64 goal_bytes = static_cast<f64>(flags::MaxGCPauseMillis) * 1e6 / nanoseconds_per_byte_;
    u64 goal = static_cast<u64>(std::min(goal_bytes / static_cast<f64>(heap.region_bytes), static_cast<f64>(maximum)));
    regions = std::max(std::min(regions, goal), least);
  }
  u64 free = maximum - heap.used, room = room_for_eden(heap, 0);
  if (room < least && 2 * room <= free) return static_cast<u32>(std::max<u64>(free, 1));
  return static_cast<u32>(std::max<u64>(std::min(regions, room_for_eden(heap, heap.reserved)), 1));
}

}  // namespace keyhole::gc
