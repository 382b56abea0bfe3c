// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Simulated threads that compute and allocate alternately. Regions never run out, so the benchmark has no collections.
// Under the heap lock, a refill has the cost of finding and preparing a region. All other code has the cost of its
// memory accesses.
#include "bench/allocbench/simulated.h"

#include <deque>

#include "gc/heap/shared_allocator.h"
#include "runtime/base/platform/simulated_world.h"

namespace keyhole::allocbench {
namespace {

using W = SimulatedWorld;
using Span = gc::SharedSpan<W>;

constexpr SimulatedMachine::Picoseconds refill_cost = 500'000;

// A Region's cache line.
struct alignas(64) SpanOfRegion {
  Span span;
};

struct Source {
  const SimulatedParameters& parameters;
  SimulatedMachine& machine;
  W::Mutex mutex;
  std::deque<SpanOfRegion> regions{};

  void lock() { mutex.lock(); }
  bool try_lock() { return mutex.try_lock(); }
  void unlock() { mutex.unlock(); }
  u64 minimum_bytes() const { return 2_KiB; }
  Span* refill() {
    machine.compute(refill_cost);
    Span& span = regions.emplace_back().span;
    span.start = parameters.region_bytes * regions.size();
    span.end = span.start + parameters.region_bytes;
    span.top.store(span.start, std::memory_order_relaxed);
    return &span;
  }
  void retire(Span*, uptr) {}
};

}  // namespace

SimulatedOutcome simulate(const SimulatedParameters& parameters) {
  SimulatedMachine machine(parameters.cpus, parameters.seed, 24);
  Source source{parameters, machine, {}};
  auto allocator = std::make_unique<gc::SharedAllocator<W>>();
  allocator->initialize(parameters.regions);
  SimulatedMachine::Picoseconds end = static_cast<SimulatedMachine::Picoseconds>(parameters.seconds * 1e12);
  SimulatedOutcome outcome;
  struct alignas(64) Own {
    AllocationCounters counters;
    std::vector<Event> events;
  };
  std::vector<Own> own(parameters.threads);
  for (u32 i = 0; i < parameters.threads; ++i) {
    machine.add_thread([&, i] {
      while (machine.now() < end) {
        i64 start = machine.now() / 1000;
        for (u32 piece = 0; piece < parameters.pieces_per_request; ++piece) {
          u64 taken = 0;
          allocator->allocate(source, i % parameters.regions,
                              2_KiB < parameters.piece_bytes ? 2_KiB : parameters.piece_bytes, parameters.piece_bytes,
                              taken, own[i].counters, !parameters.cas);
          // Returns a time that is uniformly distributed between 0.5 and 1.5 times the average.
          i64 half = parameters.work_nanoseconds * 500;
          machine.compute(half + static_cast<i64>(machine.random() % static_cast<u64>(2 * half + 1)));
        }
        own[i].events.push_back({start, machine.now() / 1000});
      }
    });
  }
  if (!machine.run()) return outcome;
  for (Own& each : own) {
    outcome.pieces += each.counters.pieces;
    outcome.cas_failures += each.counters.cas_failures;
    outcome.slow_rounds += each.counters.slow_rounds;
    outcome.early_refills += each.counters.early_refills;
    outcome.events.insert(outcome.events.end(), each.events.begin(), each.events.end());
  }
  return outcome;
}

}  // namespace keyhole::allocbench
