// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The simulated machine reproduces the figures of its cost model, shares CPUs fairly, and runs the same way twice.
#include "runtime/base/platform/simulated_machine.h"

#include <gtest/gtest.h>

#include "runtime/base/platform/simulated_world.h"

namespace keyhole::test {
namespace {

using namespace cost_model;
using W = SimulatedWorld;

// A cell that shares its cache lines with no other data.
template <typename T> struct alignas(128) Apart {
  SimulatedAtomic<T> cell{};
};

TEST(SimulatedMachine, AnUncontendedCasCostsWhatWasMeasured) {
  Apart<u64> word;
  SimulatedMachine machine(2, 1);
  Picoseconds each = 0;
  machine.add_thread([&] {
    word.cell.fetch_add(1);
    Picoseconds begin = machine.now();
    for (int i = 0; i < 1000; ++i) word.cell.fetch_add(1);
    each = (machine.now() - begin) / 1000;
  });
  ASSERT_TRUE(machine.run());
  EXPECT_EQ(each, locked_operation);
}

// Two threads on the same socket, or on two sockets, pass a word back and forth by store and load. Returns the time of
// one transfer.
Picoseconds one_way(u32 first_cpu_count, u64 seed) {
  Apart<u32> word;
  SimulatedMachine machine(first_cpu_count, seed);
  constexpr u32 turns = 2000;
  for (u32 self = 0; self < 2; ++self) {
    machine.add_thread([&, self] {
      for (u32 turn = 0; turn < turns; ++turn) {
        u32 mine = 2 * turn + self;
        while (!W::spin_until(word.cell, [&](u32 seen) { return seen == mine; }, 1000)) {
        }
        word.cell.store(mine + 1, std::memory_order_release);
      }
    });
  }
  EXPECT_TRUE(machine.run());
  return machine.now() / (2 * turns);
}

TEST(SimulatedMachine, PassingALineCostsATransferAndAnInvalidation) {
  Picoseconds near = one_way(2, 1);
  EXPECT_NEAR(static_cast<f64>(near), static_cast<f64>(transfer + invalidation),
              0.1 * static_cast<f64>(transfer + invalidation));
  Picoseconds far = one_way(maximum_cpus, 1);  // with all CPUs, the two threads start on different sockets
  Picoseconds expected = cross_socket_transfer + cross_socket_invalidation;
  EXPECT_NEAR(static_cast<f64>(far), static_cast<f64>(expected), 0.1 * static_cast<f64>(expected));
}

// Two threads wake each other through futexes. Each thread waits a while before it wakes the other, so that the other
// is asleep. Returns the time of a round trip without these waits.
Picoseconds wake_up_round_trip(u32 cpus) {
  Apart<i32> cells[2];
  SimulatedMachine machine(cpus, 1);
  constexpr u32 turns = 500;
  constexpr Picoseconds while_before_waking = 20'000'000;
  auto sleep = [&](u32 self) {
    while (cells[self].cell.load() == 0) W::wait_on(cells[self].cell, 0, forever);
    cells[self].cell.store(0, std::memory_order_relaxed);
  };
  auto wake = [&](u32 other) {
    machine.compute(while_before_waking);
    cells[other].cell.store(1, std::memory_order_release);
    W::wake(cells[other].cell, 1);
  };
  machine.add_thread([&] {
    for (u32 i = 0; i < turns; ++i) {
      wake(1);
      sleep(0);
    }
  });
  machine.add_thread([&] {
    for (u32 i = 0; i < turns; ++i) {
      sleep(1);
      wake(0);
    }
  });
  EXPECT_TRUE(machine.run());
  return machine.now() / turns - 2 * while_before_waking;
}

TEST(SimulatedMachine, WakingASleeperCostsTheLatency) {
  // Half of the round trip is 5 us of latency and the waker's time in the kernel.
  Picoseconds across = wake_up_round_trip(2);
  EXPECT_GT(across, 2 * wake_latency);
  EXPECT_LT(across, 2 * (wake_latency + wake_call + 2 * (system_call + futex_bucket_hold)));
  // On one CPU, a wake-up does not wait for an idle CPU to leave its sleep state.
  EXPECT_LT(wake_up_round_trip(1), 2 * wake_latency);
}

TEST(SimulatedMachine, CellsOfOneLineAreSharedFalsely) {
  struct alignas(128) Together {
    SimulatedAtomic<u64> first{}, second{};
  } together;
  Apart<u64> apart[2];
  auto run = [](SimulatedAtomic<u64>& a, SimulatedAtomic<u64>& b) {
    SimulatedMachine machine(2, 1);
    for (SimulatedAtomic<u64>* cell : {&a, &b}) {
      machine.add_thread([cell] {
        for (int i = 0; i < 1000; ++i) cell->fetch_add(1);
      });
    }
    EXPECT_TRUE(machine.run());
    return machine.now();
  };
  EXPECT_GT(run(together.first, together.second), 3 * run(apart[0].cell, apart[1].cell));
}

TEST(SimulatedMachine, AStoreIsWaitedForByTheNextFence) {
  Apart<u64> word;
  SimulatedMachine machine(2, 1);
  Picoseconds stored = 0, fenced = 0;
  Apart<u32> ready;
  machine.add_thread([&] {
    word.cell.fetch_add(1);
    ready.cell.store(1, std::memory_order_release);
  });
  machine.add_thread([&] {
    while (!W::spin_until(ready.cell, [](u32 seen) { return seen == 1; }, 1000)) {
    }
    Picoseconds begin = machine.now();
    word.cell.store(7, std::memory_order_release);
    stored = machine.now() - begin;
    W::fence();
    fenced = machine.now() - begin;
  });
  ASSERT_TRUE(machine.run());
  EXPECT_EQ(stored, store_issue);
  EXPECT_GT(fenced, transfer / 2);
}

TEST(SimulatedMachine, SpinningEndsWithItsBudget) {
  Apart<u32> word;
  SimulatedMachine machine(2, 1);
  Picoseconds spent = 0;
  bool seen = true;
  machine.add_thread([&] {
    Picoseconds begin = machine.now();
    seen = W::spin_until(word.cell, [](u32 value) { return value != 0; }, 100);
    spent = machine.now() - begin;
  });
  ASSERT_TRUE(machine.run());
  EXPECT_FALSE(seen);
  EXPECT_NEAR(static_cast<f64>(spent), 100.0 * (pause + l1_hit), 1.3 * shared_read);
}

TEST(SimulatedMachine, ThreadsShareACpuBySlices) {
  SimulatedMachine machine(1, 1);
  std::vector<u32> order;
  for (u32 self = 0; self < 2; ++self) {
    machine.add_thread([&, self] {
      for (int i = 0; i < 100; ++i) {
        machine.compute(time_slice / 20);
        if (order.empty() || order.back() != self) order.push_back(self);
      }
    });
  }
  ASSERT_TRUE(machine.run());
  // Each thread gets five time slices, alternately, with a context switch between two slices.
  EXPECT_GE(order.size(), 9u);
  EXPECT_LE(order.size(), 12u);
  EXPECT_GT(machine.now(), 10 * time_slice + 8 * context_switch);
  EXPECT_LT(machine.now(), 10 * time_slice + 14 * context_switch);
}

TEST(SimulatedMachine, ABusySiblingSlowsACoreDown) {
  auto run = [](u32 threads) {
    SimulatedMachine machine(maximum_cpus, 1);
    for (u32 i = 0; i < threads; ++i)
      machine.add_thread([&machine] {
        for (int step = 0; step < 100; ++step) machine.compute(1'000'000);
      });
    EXPECT_TRUE(machine.run());
    return machine.now();
  };
  EXPECT_EQ(run(cores), 100 * 1'000'000);
  EXPECT_NEAR(static_cast<f64>(run(maximum_cpus)), 100.0 * 1'000'000 * sibling_slowdown_percent / 100, 2e6);
}

TEST(SimulatedMachine, ATimedWaitEndsLateAndFreesTheCpu) {
  Apart<i32> cell;
  SimulatedMachine machine(1, 1);
  Picoseconds woken = 0;
  u64 computed = 0;
  machine.add_thread([&] {
    W::wait_on(cell.cell, 0, 1'000'000);
    woken = machine.now();
  });
  machine.add_thread([&] {
    for (; computed < 500; ++computed) machine.compute(1'000'000);
  });
  ASSERT_TRUE(machine.run());
  EXPECT_GE(woken, 1'000'000'000 + timer_lateness);
  EXPECT_LT(woken, 1'000'000'000 + timer_lateness + 2 * wake_latency);
  EXPECT_EQ(computed, 500u);
}

// A virtual thread sleeps. A second virtual thread wakes it, and then computes for the time `computed`. Returns the
// time from the wake-up until the first thread continues.
Picoseconds woken_beside(u32 carriers, Picoseconds computed) {
  Apart<i32> cell;
  SimulatedMachine machine(carriers, 1);
  machine.make_threads_virtual();
  Picoseconds woken = 0, by = 0;
  machine.add_thread([&] {
    while (cell.cell.load() == 0) W::wait_on(cell.cell, 0, forever);
    woken = machine.now();
  });
  machine.add_thread([&] {
    machine.compute(20'000'000);  // the other thread is asleep by now
    cell.cell.store(1, std::memory_order_release);
    W::wake(cell.cell, 1);
    by = machine.now();
    for (Picoseconds done = 0; done < computed; done += 100'000) machine.compute(100'000);
  });
  EXPECT_TRUE(machine.run());
  return woken - by;
}

TEST(SimulatedMachine, AWokenVirtualThreadRunsWhenItsWakersCarrierComesBack) {
  const Picoseconds computed = 10'000'000;
  for (u32 carriers : {1, 2, 4}) {
    EXPECT_GE(woken_beside(carriers, computed), computed + carrier_switch);
    EXPECT_LT(woken_beside(carriers, computed), computed + carrier_switch + transfer * 3 / 2);
  }
}

TEST(SimulatedMachine, TheUnblockerGivesAnIdleCarrierWhatNoneHasTaken) {
  const Picoseconds computed = 1'000'000'000;
  EXPECT_GE(woken_beside(2, computed), unblocker_interval + 2 * wake_latency - deferred_unpark);
  EXPECT_LT(woken_beside(2, computed), unblocker_interval + 2 * wake_latency + transfer * 3 / 2);
  EXPECT_GE(woken_beside(1, computed), computed);  // none is idle
}

TEST(SimulatedMachine, SleepersThatNobodyWakesAreReported) {
  Apart<i32> cell;
  SimulatedMachine machine(2, 1);
  machine.add_thread([&] { W::wait_on(cell.cell, 0, forever); });
  EXPECT_FALSE(machine.run());
}

TEST(SimulatedMachine, TheSameSeedGivesTheSameRun) {
  EXPECT_EQ(one_way(2, 5), one_way(2, 5));
  EXPECT_NE(one_way(2, 5), one_way(2, 6));
}

void expect_that_a_mutex_excludes(bool among_virtual_threads) {
  W::Mutex mutex;
  SimulatedMachine machine(4, 1);
  if (among_virtual_threads) machine.make_threads_virtual();
  u32 inside = 0, entered = 0;
  bool alone = true;
  for (int i = 0; i < 8; ++i) {
    machine.add_thread([&] {
      for (int turn = 0; turn < 50; ++turn) {
        mutex.lock();
        alone = alone && ++inside == 1;
        machine.compute(20'000);
        --inside;
        ++entered;
        mutex.unlock();
      }
    });
  }
  ASSERT_TRUE(machine.run());
  EXPECT_TRUE(alone);
  EXPECT_EQ(entered, 400u);
}

TEST(SimulatedMachine, AMutexOfTheWorldExcludes) { expect_that_a_mutex_excludes(false); }
TEST(SimulatedMachine, AMutexOfTheWorldExcludesVirtualThreads) { expect_that_a_mutex_excludes(true); }

}  // namespace
}  // namespace keyhole::test
