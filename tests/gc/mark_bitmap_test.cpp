// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests ranges of mark bits: setting, claiming by several threads, searching and counting, compared with loops over
// single bits.
#include "gc/mark_bitmap.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <thread>
#include <vector>

namespace keyhole::gc {
namespace {

constexpr u64 heap_bytes = 64 * 1024;
constexpr u64 granules = heap_bytes / 8;

struct Range {
  u64 from, count;  // granules
};

std::vector<Range> random_ranges(u32 seed) {
  std::mt19937 random(seed);
  std::vector<Range> ranges;
  for (u64 from = random() % 70; from < granules;) {
    u64 count = std::min<u64>(random() % 5 == 0 ? 1 + random() % 300 : 1 + random() % 9, granules - from);
    ranges.push_back({from, count});
    from += count + (random() % 3 == 0 ? 0 : random() % 150);
  }
  return ranges;
}

void expect_exactly(const MarkBitmap& bitmap, const std::vector<Range>& ranges) {
  std::vector<bool> expected(granules);
  for (const Range& range : ranges)
    std::fill_n(expected.begin() + static_cast<std::ptrdiff_t>(range.from), range.count, true);
  for (u64 i = 0; i < granules; ++i) ASSERT_EQ(bitmap.is_marked(MarkBitmap::address_of(i)), expected[i]) << i;
  for (u64 i = 0; i <= granules; i += 7) {
    u64 marked = i, clear = i;
    while (marked < granules && !expected[marked]) ++marked;
    while (clear < granules && expected[clear]) ++clear;
    ASSERT_EQ(bitmap.next_marked(i, granules), marked) << i;
    ASSERT_EQ(bitmap.next_clear(i, granules), clear) << i;
    u64 to = std::min(granules, i + i % 333), count = 0;
    for (u64 bit = i; bit < to; ++bit) count += expected[bit];
    ASSERT_EQ(bitmap.marked_bytes(MarkBitmap::address_of(i), MarkBitmap::address_of(to)), count * 8)
        << i << " to " << to;
  }
}

TEST(MarkBitmap, RangesAreFoundAndCounted) {
  for (u32 seed = 1; seed <= 20; ++seed) {
    MarkBitmap bitmap(heap_bytes);
    std::vector<Range> ranges = random_ranges(seed);
    for (const Range& range : ranges) bitmap.mark_range(MarkBitmap::address_of(range.from), range.count * 8);
    expect_exactly(bitmap, ranges);
  }
}

TEST(MarkBitmap, EachRangeIsClaimedByOneThread) {
  for (u32 seed = 1; seed <= 20; ++seed) {
    MarkBitmap bitmap(heap_bytes);
    std::vector<Range> ranges = random_ranges(seed);
    std::vector<u64> claimed(4);
    std::vector<std::thread> threads;
    for (u64& count : claimed) {
      threads.emplace_back([&] {
        for (const Range& range : ranges)
          count += bitmap.claim_range(MarkBitmap::address_of(range.from), range.count * 8);
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(claimed[0] + claimed[1] + claimed[2] + claimed[3], ranges.size());
    expect_exactly(bitmap, ranges);
  }
}

}  // namespace
}  // namespace keyhole::gc
