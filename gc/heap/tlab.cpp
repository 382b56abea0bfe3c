// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Refilling, retiring and sizing of allocation buffers. Rules: tlab.h.
#include "gc/heap/tlab.h"

#include <algorithm>

#include "gc/heap/filler.h"
#include "gc/heap/space.h"
#include "runtime/base/flags.h"
#include "runtime/base/log.h"
#include "runtime/recorder/recorder.h"
#include "runtime/threads/threads.h"

namespace keyhole::gc::tlab {

bool enabled() { return flags::UseTLAB && flags::GCStressInterval == 0 && flags::AllocationFailureInterval == 0; }

namespace {

// Values for new threads, written with the world stopped.
std::atomic<u64> budget_bytes;            // the budget until the next collection; 0 before the first one
std::atomic<u32> allocating_threads = 1;  // threads that allocated before the last collection

u64 target_refills() { return std::max<u64>(1, 100 / (2 * static_cast<u64>(flags::TLABWasteTargetPercent))); }

u64 current_budget_bytes() {
  u64 known = budget_bytes.load(std::memory_order_relaxed);
  return known != 0 ? known : u64{space.sizing.trigger_regions()} * space.regions.region_bytes();
}

u64 within_limits(u64 bytes) {
  return align_up(std::clamp<u64>(bytes, flags::MinTLABSize, largest_bytes()), layout::object_alignment);
}

void set_desired(TlabState& state, u64 bytes) {
  state.desired_bytes = within_limits(bytes);
  state.refill_waste_limit_bytes = state.desired_bytes / static_cast<u64>(flags::TLABRefillWasteFraction);
  state.next_bytes = std::min(state.desired_bytes, std::max(state.next_bytes, first_bytes));
}

// Sets the size of a thread's first buffer.
void begin(TlabState& state) {
  if (flags::TLABSize != 0) {
    set_desired(state, flags::TLABSize);
    state.next_bytes = state.desired_bytes;
  } else {
    set_desired(state,
                current_budget_bytes() / (target_refills() * allocating_threads.load(std::memory_order_relaxed)));
  }
}

void log_thread(const char* event, const JavaThread* thread) {
  if (!log::enabled(log::TagSet::gc_tlab, log::Level::trace)) return;
  const TlabState& state = thread->allocation->tlab;
  u64 waste = state.collection_waste_bytes + state.slow_waste_bytes_since;
  f64 allocated = static_cast<f64>(state.bytes_since);
  KEYHOLE_LOG(trace, gc_tlab,
              "TLAB: {} thread: {:#018x} [id: {:>2}] desired_size: {}KB slow allocs: {}  refill waste: {}B "
              "alloc:{:8.5f} {:>8.0f}KB refills: {} waste {:4.1f}% gc: {}B slow: {}B",
              event, reinterpret_cast<uptr>(thread), thread->carrier->os_id, state.desired_bytes / 1024,
              state.slow_allocations_since, state.refill_waste_limit_bytes, state.fraction_average, allocated / 1024,
              state.refills_since, allocated == 0 ? 0.0 : 100.0 * static_cast<f64>(waste) / allocated,
              state.collection_waste_bytes, state.slow_waste_bytes_since);
}

// Totals of all threads since the last collection.
struct Totals {
  u64 bytes = 0, outside_bytes = 0;
  u32 threads = 0, refills = 0, most_refills = 0, slow_allocations = 0, most_slow_allocations = 0;
  u64 collection_waste = 0, most_collection_waste = 0, slow_waste = 0, most_slow_waste = 0;

  void add(const TlabState& state) {
    if (state.bytes_since == 0 && state.outside_bytes_since == 0) return;
    ++threads;
    bytes += state.bytes_since;
    outside_bytes += state.outside_bytes_since;
    refills += state.refills_since;
    most_refills = std::max(most_refills, state.refills_since);
    slow_allocations += state.slow_allocations_since;
    most_slow_allocations = std::max(most_slow_allocations, state.slow_allocations_since);
    collection_waste += state.collection_waste_bytes;
    most_collection_waste = std::max(most_collection_waste, state.collection_waste_bytes);
    slow_waste += state.slow_waste_bytes_since;
    most_slow_waste = std::max(most_slow_waste, state.slow_waste_bytes_since);
  }
  void log(u64 collection_number) const {
    f64 waste = bytes == 0 ? 0.0 : 100.0 * static_cast<f64>(collection_waste + slow_waste) / static_cast<f64>(bytes);
    KEYHOLE_LOG(debug, gc_tlab,
                "GC({}) TLAB totals: thrds: {}  refills: {} max: {} slow allocs: {} max {} waste: {:4.1f}% gc: {}B "
                "max: {}B slow: {}B max: {}B",
                collection_number, threads, refills, most_refills, slow_allocations, most_slow_allocations, waste,
                collection_waste, most_collection_waste, slow_waste, most_slow_waste);
  }
};

void take_sample(TlabState& state, f64 share) {
  ++state.samples;
  // The first few samples have a larger weight: the average of one sample is that sample.
  f64 weight = std::max(static_cast<f64>(flags::TLABAllocationWeight), 100.0 / state.samples) / 100.0;
  state.fraction_average += weight * (share - state.fraction_average);
}

}  // namespace

u64 largest_bytes() {
  constexpr u64 cache_friendly_bytes = 256_KiB;
  u64 room = space.regions.region_bytes() / 4;
  return std::min(room, std::max(flags::TLABSize, cache_friendly_bytes)) & ~u64{layout::object_alignment - 1};
}

void retire(JavaThread* thread) {
  if (thread->tlab_start != nullptr) {
    write_filler(thread->tlab_top, static_cast<u64>(thread->tlab_end - thread->tlab_top));
    thread->allocated_bytes += static_cast<u64>(thread->tlab_top - thread->tlab_start);
  }
  thread->tlab_start = thread->tlab_top = thread->tlab_end = nullptr;
  thread->allocation->home_span = nullptr;
}

void retire_at_detach(JavaThread* thread) {
  if (thread->continuation != nullptr) return;  // the carrier's buffer has been handed over
  retire(thread);
  space.add_to_totals(thread->allocation->counters);
}

void retire_all_for_collection(u64 collection_number) {
  Totals totals;
  threads::for_each_current([&](JavaThread* thread) TOUCHES_OBJECTS {
    TlabState& state = thread->allocation->tlab;
    state.collection_waste_bytes = static_cast<u64>(thread->tlab_end - thread->tlab_top);
    retire(thread);
    space.add_to_totals(thread->allocation->counters);
    totals.add(state);
    if (state.bytes_since != 0) log_thread("gc", thread);
  });
  totals.log(collection_number);
  u64 allocated = totals.bytes + totals.outside_bytes;
  // A collection that comes early says little about the threads' shares.
  bool tells = allocated * 2 > current_budget_bytes();
  if (tells) allocating_threads.store(std::max(totals.threads, 1u), std::memory_order_relaxed);
  threads::for_each_current([&](JavaThread* thread) {
    TlabState& state = thread->allocation->tlab;
    if (tells && state.desired_bytes != 0) {
      take_sample(state, static_cast<f64>(state.bytes_since + state.outside_bytes_since) / static_cast<f64>(allocated));
    }
    state.bytes_since = state.outside_bytes_since = state.slow_waste_bytes_since = state.collection_waste_bytes = 0;
    state.refills_since = state.slow_allocations_since = 0;
  });
}

void resize_all() {
  u32 used = space.regions.used_count(), trigger = space.sizing.trigger_regions();
  budget_bytes.store(u64{trigger > used ? trigger - used : 1} * space.regions.region_bytes(),
                     std::memory_order_relaxed);
  threads::for_each_current([](JavaThread* thread) {
    TlabState& state = thread->allocation->tlab;
    if (state.desired_bytes == 0) return;
    u64 wanted = state.desired_bytes;
    if (flags::ResizeTLAB && state.samples != 0) {
      wanted = static_cast<u64>(state.fraction_average * static_cast<f64>(current_budget_bytes())) / target_refills();
    }
    set_desired(state, wanted);  // this resets the waste limit in any case
  });
}

char* allocate_slow(JavaThread* thread, u64 bytes) {
  AllocationState& state = *thread->allocation;
  if (enabled()) {
    u64 taken = 0;
    if (state.tlab.desired_bytes == 0) begin(state.tlab);
    u64 rest = static_cast<u64>(thread->tlab_end - thread->tlab_top);
    u64 wanted = std::min(state.tlab.next_bytes + bytes, largest_bytes());
    if (rest <= state.tlab.refill_waste_limit_bytes && bytes <= wanted / 2) {  // R3
      u64 lost = state.counters.cas_failures;
      char* memory = space.allocate_shared(thread, std::max<u64>(bytes, flags::MinTLABSize), wanted, taken);
      if (memory != nullptr) {
        if (recorder::is_on(recorder::Family::regions)) [[unlikely]]
          recorder::record(recorder::Kind::buffer, space.regions.index_of(memory), static_cast<u32>(taken),
                           static_cast<u32>(state.counters.cas_failures - lost));
        retire(thread);
        thread->tlab_start = memory;
        thread->tlab_top = memory + bytes;
        thread->tlab_end = memory + taken;
        state.tlab.bytes_since += taken;
        state.tlab.slow_waste_bytes_since += rest;
        ++state.tlab.refills_since;
        state.tlab.next_bytes = std::min(state.tlab.next_bytes * 2, state.tlab.desired_bytes);
        log_thread("fill", thread);
        return memory;
      }
    }
    ++state.tlab.slow_allocations_since;
    state.tlab.refill_waste_limit_bytes += static_cast<u64>(flags::TLABWasteIncrement) * sizeof(u64);
  }
  return allocate_outside(thread, bytes);
}

}  // namespace keyhole::gc::tlab
