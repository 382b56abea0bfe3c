// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the shared-region protocol, over a fake source of memory instead of a heap.
#include "gc/heap/shared_allocator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include "runtime/base/platform/hardware_world.h"

namespace keyhole::gc {
namespace {

using Span = SharedSpan<HardwareWorld>;

// Spans of 1000 bytes at made-up addresses.
struct FakeSource {
  std::mutex mutex;
  std::deque<Span> spans;
  u32 budget = 0;
  u32 retired = 0;
  bool busy = false;  // for try_lock
  u64 retired_free = 0;

  void lock() { mutex.lock(); }
  void unlock() { mutex.unlock(); }
  Span* refill() {
    if (spans.size() == budget) return nullptr;
    Span& span = spans.emplace_back();
    span.start = 0x10000 * spans.size();
    span.end = span.start + 1000;
    span.top.store(span.start);
    return &span;
  }
  bool try_lock() { return !busy && mutex.try_lock(); }
  void retire(Span* span, uptr first_free) {
    ++retired;
    retired_free += span->end - first_free;
  }
  void retire_open(Span* span) { retire(span, span->top.load()); }
  u64 minimum_bytes() const { return 64; }
};

struct SharedAllocatorTest : testing::Test {
  FakeSource source;
  SharedAllocator<HardwareWorld> allocator;
  AllocationCounters counters;
  u64 taken = 0;
  uptr allocate(u64 thread, u64 minimum, u64 wanted) {
    return allocator.allocate(source, allocator.home_of(thread), minimum, wanted, taken, counters, false);
  }
};

TEST_F(SharedAllocatorTest, OneThreadOpensOneSpan) {
  allocator.initialize(8);
  source.budget = 8;
  EXPECT_EQ(allocate(5, 100, 100), 0x10000u);
  EXPECT_EQ(allocate(5, 100, 100), 0x10000u + 100);
  EXPECT_EQ(source.spans.size(), 1u);
}

TEST_F(SharedAllocatorTest, NeighboursAreProbedBeforeAnotherSpanIsOpened) {
  allocator.initialize(8);
  source.budget = 8;
  allocate(2, 8, 8);
  EXPECT_EQ(allocate(1, 8, 8), 0x10000u + 8);  // with home slot 1, the thread probes slots 1, 2 and 3
  EXPECT_EQ(allocate(7, 8, 8), 0x20000u);      // slots 7, 0 and 1 are empty
}

TEST_F(SharedAllocatorTest, SpanReadyToRetireIsReplaced) {
  allocator.initialize(1);
  source.budget = 2;
  allocate(1, 960, 960);
  EXPECT_EQ(allocate(1, 100, 100), 0x20000u);
  EXPECT_EQ(source.retired, 1u);
  EXPECT_EQ(source.retired_free, 40u);
}

TEST_F(SharedAllocatorTest, DryHomeIsRefilledBeforeNeighboursAreProbed) {
  allocator.initialize(8);
  source.budget = 8;
  allocate(0, 960, 960);
  allocate(4, 500, 500);
  allocate(3, 500, 500);  // in slot 4
  EXPECT_EQ(source.spans.size(), 2u);
  EXPECT_EQ(allocate(0, 100, 100), 0x30000u);  // opens a new span, because the probed slots 1 and 2 are empty
  EXPECT_EQ(counters.early_refills, 1u);
  EXPECT_EQ(counters.slow_rounds, 2u);  // the two first ones
}

TEST_F(SharedAllocatorTest, NobodyWaitsForTheLockWhileANeighbourHasRoom) {
  allocator.initialize(3);
  source.budget = 4;
  allocate(2, 500, 500);
  allocate(0, 600, 600);
  allocate(1, 600, 600);
  allocate(1, 350, 350);  // slot 1 is dry
  EXPECT_EQ(source.spans.size(), 3u);
  source.busy = true;
  u64 probes_before = counters.probes;
  EXPECT_EQ(allocate(1, 100, 100), 0x10000u + 500);
  EXPECT_EQ(counters.probes - probes_before, 1u);
  EXPECT_EQ(counters.early_refills, 0u);
  source.busy = false;
  EXPECT_EQ(allocate(1, 100, 100), 0x40000u);
  EXPECT_EQ(counters.early_refills, 1u);
}

TEST_F(SharedAllocatorTest, ARetiredSpanIsClosed) {
  allocator.initialize(1);
  source.budget = 2;
  allocate(0, 960, 960);
  Span& first = source.spans[0];
  allocate(0, 100, 100);
  u64 got = 0, failures = 0;
  EXPECT_EQ(first.free_bytes(), 0u);
  EXPECT_EQ(first.allocate(8, 8, got, failures), 0u);  // a thread may still have a pointer to the retired span
}

TEST_F(SharedAllocatorTest, AWorldThatStandsLeavesSpansOpen) {
  allocator.initialize(2);
  source.budget = 1;
  allocate(0, 600, 600);
  allocator.retire_all(source);
  EXPECT_EQ(source.retired_free, 400u);
  EXPECT_EQ(source.spans[0].free_bytes(), 400u);
  EXPECT_EQ(allocate(0, 8, 8), 0u);
  EXPECT_EQ(allocator.use_of(0).retired_bytes, 600u);
}

TEST_F(SharedAllocatorTest, RoomElsewhereIsUsedBeforeFailing) {
  allocator.initialize(8);
  source.budget = 2;
  allocate(0, 900, 900);
  allocate(4, 500, 500);
  EXPECT_EQ(allocate(0, 400, 400), 0x20000u + 500);
  EXPECT_EQ(allocate(0, 400, 400), 0u);
  EXPECT_NE(allocate(0, 100, 100), 0u);
  EXPECT_EQ(source.retired, 0u);  // the span of the home slot still has room, so it is not retired
}

TEST_F(SharedAllocatorTest, TheLastSpanMovesToWhoeverIsDry) {
  allocator.initialize(8);
  source.budget = 2;
  allocate(4, 100, 100);
  allocate(0, 960, 960);
  u64 rounds_before = counters.slow_rounds;
  EXPECT_EQ(allocate(0, 100, 100), 0x10000u + 100);
  EXPECT_EQ(source.retired, 1u);
  EXPECT_EQ(allocate(0, 100, 100), 0x10000u + 200);
  EXPECT_EQ(counters.slow_rounds - rounds_before, 1u);  // home again
}

TEST_F(SharedAllocatorTest, LargeObjectRetiresASpanWithTooSmallARest) {
  allocator.initialize(1);
  source.budget = 2;
  allocate(0, 500, 500);
  EXPECT_EQ(allocate(0, 600, 600), 0x20000u);
  EXPECT_EQ(source.retired_free, 500u);
}

TEST_F(SharedAllocatorTest, AWishIsCutToWhatIsLeft) {
  allocator.initialize(1);
  source.budget = 1;
  allocate(0, 800, 800);
  EXPECT_NE(allocate(0, 64, 512), 0u);
  EXPECT_EQ(taken, 200u);
}

TEST_F(SharedAllocatorTest, RacingThreadsNeverGetTheSameBytes) {
  for (bool lock_always : {false, true}) {
    FakeSource own;
    SharedAllocator<HardwareWorld> racing;
    racing.initialize(3);
    own.budget = 300;
    constexpr u32 thread_count = 4;
    std::vector<std::pair<uptr, u64>> pieces[thread_count];
    std::vector<std::thread> threads;
    for (u32 t = 0; t < thread_count; ++t) {
      threads.emplace_back([&, t] {
        AllocationCounters counted;
        for (u64 i = 0;; ++i) {
          u64 bytes = 8 * (1 + (i * 7 + t) % 9), got = 0;
          uptr start = racing.allocate(own, t % 3, bytes, bytes * 2, got, counted, lock_always);
          if (start == 0) return;
          pieces[t].push_back({start, got});
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    std::vector<std::pair<uptr, u64>> all;
    for (auto& list : pieces) all.insert(all.end(), list.begin(), list.end());
    std::sort(all.begin(), all.end());
    u64 total = 0;
    for (usize i = 0; i < all.size(); ++i) {
      total += all[i].second;
      if (i > 0) ASSERT_LE(all[i - 1].first + all[i - 1].second, all[i].first);
    }
    EXPECT_EQ(own.spans.size(), 300u);
    EXPECT_GT(total, 300u * 900);
  }
}

}  // namespace
}  // namespace keyhole::gc
