// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Memory for mutators: from shared regions by CAS, or as runs of regions for humongous objects.
#include "gc/heap/space.h"

#include <sched.h>

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "gc/heap/filler.h"
#include "gc/inspect/region_picture.h"
#include "runtime/base/flags.h"
#include "runtime/base/log.h"
#include "runtime/base/mutex.h"
#include "runtime/recorder/recorder.h"
#include "runtime/threads/stopped_world.h"

namespace keyhole::gc {

constinit Space space;

std::string Space::initialize() {
  if (flags::TLABSize != 0 && flags::TLABSize < flags::MinTLABSize) {
    return fmt::format("TLABSize ({}) must be greater than or equal to MinTLABSize ({})", flags::TLABSize,
                       flags::MinTLABSize);
  }
  if (std::string error = sizing.initialize(); !error.empty()) return error;
  if (!regions.reserve(sizing.region_bytes(), sizing.maximum_regions())) {
    return fmt::format("Could not reserve enough space for {}KB object heap",
                       sizing.region_bytes() * sizing.maximum_regions() / 1_KiB);
  }
  if (flags::AlwaysPreTouch) regions.touch(sizing.initial_regions());
  {
    MutexLock guard(lock_);
    region_counters_ = region_counters_logged_ = {};
    totals_ = totals_logged_ = {};
  }
  std::fill(std::begin(slots_logged_), std::end(slots_logged_), SharedAllocator<HardwareWorld>::SlotUse{});
  regions.set_round_robin(flags::GCPoisonFromSpace);
  u64 slots = std::clamp<u64>(sizing.maximum_regions() / 8, 1, SharedAllocator<HardwareWorld>::maximum_slots);
  shared_.initialize(static_cast<u32>(std::min<u64>(slots, static_cast<u64>(flags::MutatorAllocRegions))));
  initialize_fillers();
  record_regions();
  return {};
}

void Space::shut_down() {
  memory_to_return_.store(false, std::memory_order_relaxed);
  retire_shared_regions();
  regions.unreserve();
}

// Thread safety is not analysed: this is one of two ways to take the same lock.
void Space::Source::lock() NO_THREAD_SAFETY_ANALYSIS {
  if (!recorder::is_on(recorder::Family::regions)) [[likely]]
    return space.lock_.lock();
  if (space.lock_.try_lock()) return;
  i64 begin = hardware::now_nanoseconds();
  space.lock_.lock();
  recorder::record(recorder::Kind::region_awaited, static_cast<u32>(hardware::now_nanoseconds() - begin));
}

SharedSpan<HardwareWorld>* Space::Source::refill() {
  space.lock_.assert_held();
  if (space.regions.used_count() >= space.sizing.trigger_regions()) return nullptr;
  Region* region = space.regions.take_shared();
  if (region == nullptr) return nullptr;
  ++space.region_counters_.opened;
  return &region->span();
}

void Space::Source::retire(SharedSpan<HardwareWorld>* span, uptr first_free) {
  space.lock_.assert_held();
  u64 rest = span->end - first_free;
  write_filler(reinterpret_cast<char*>(first_free), rest);
  Region::of(span)->transition_to_full();
  ++space.region_counters_.retired;
  space.region_counters_.retire_waste_bytes += rest;
}

char* Space::allocate_shared_slow(JavaThread* thread, u64 minimum_bytes, u64 wanted_bytes, u64& taken_bytes) {
  AllocationState& state = *thread->allocation;
  if (state.home_slot_of != shared_.slot_count()) {
    state.home_slot_of = shared_.slot_count();
    state.home_slot = shared_.home_of(thread->id);
  }
  Source source{*this};
  uptr start = shared_.allocate(source, state.home_slot, minimum_bytes, wanted_bytes, taken_bytes, state.counters,
                                !flags::UseCASAllocation);
  state.home_span = shared_.span_in(state.home_slot);
  if (start == 0) return nullptr;
  char* memory = reinterpret_cast<char*>(start);
  // `dirty` does not change while mutators can allocate in the region.
  if (regions.region_of(memory)->dirty()) zero(memory, taken_bytes);
  return memory;
}

char* Space::allocate_humongous(u64 bytes) {
  u32 wanted = regions.humongous_region_count(bytes);
  Region* start;
  {
    MutexLock guard(lock_);
    if (u64{regions.used_count()} + wanted > sizing.trigger_regions()) return nullptr;
    start = regions.take_humongous(wanted, bytes);
    if (start != nullptr) ++region_counters_.humongous;
  }
  if (start == nullptr) return nullptr;
  // The run belongs to this thread alone, and no safepoint can come before it has zeroed the memory.
  for (u32 i = 0; i < wanted; ++i) {
    Region* region = regions.at(start->index() + i);
    if (region->dirty()) memset(region->bottom(), 0, region->used_bytes());
    region->set_dirty(true);
  }
  return start->bottom();
}

bool Space::extend_for(u64 bytes) {
  MutexLock guard(lock_);
  u32 wanted = is_humongous(bytes) ? regions.humongous_region_count(bytes) : 1;
  if (u64{regions.used_count()} + wanted > regions.count()) return false;
  if (u64{regions.used_count()} + wanted <= sizing.trigger_regions()) return false;
  sizing.extend_trigger(regions.used_count(), wanted);
  return true;
}

void Space::retire_shared_regions() {
  Source source{*this};
  shared_.retire_all(source);
}

void Space::offer(Region* region) {
  region->transition_to_shared();
  shared_.offer(&region->span());
}

void Space::after_collection(bool may_shrink, AllocationBudget budget) {
  u32 used = regions.used_count();
  sizing.after_collection(used, may_shrink, budget);
  u32 touched = flags::AlwaysPreTouch && sizing.initial_regions() > used ? sizing.initial_regions() - used : 0;
  bool due = regions.choose_to_uncommit(std::max(sizing.needed_soon(used), touched));
  memory_to_return_.store(due, std::memory_order_relaxed);
}

bool Space::return_some_memory() {
  // The kernel takes a piece of this size back in about 0.1 ms.
  constexpr u64 piece_bytes = 1_MiB;
  MutexLock guard(lock_);
  u64 bytes = regions.uncommit_some(piece_bytes);
  returned_bytes_ += bytes;
  if (bytes != 0) return true;
  if (returned_bytes_ != 0) KEYHOLE_LOG(debug, gc_heap, "Returned {}K of free regions", returned_bytes_ / 1024);
  returned_bytes_ = 0;
  memory_to_return_.store(false, std::memory_order_relaxed);
  return false;
}

// Thread safety is not analysed: a crash report calls this, too, perhaps while its thread holds the lock. After a while
// an approximate answer is better than none.
u64 Space::used_bytes() NO_THREAD_SAFETY_ANALYSIS {
  constexpr u32 patience = 10'000;
  bool locked = false;
  for (u32 i = 0; i < patience && !locked; ++i) {
    locked = lock_.try_lock();
    if (!locked) sched_yield();
  }
  u64 bytes = regions.used_bytes();
  if (locked) lock_.unlock();
  return bytes;
}

// --- -Xlog:gc+alloc --------------------------------------------------------------------------------------------------

void Space::add_to_totals(AllocationCounters& counters) {
  MutexLock guard(lock_);
  totals_.add(counters);
  counters = {};
}

std::string Space::allocation_line(const AllocationCounters& counters, const RegionCounters& counted) const {
  u64 retired_bytes = counted.retired * regions.region_bytes();
  return fmt::format(
      "{} pieces, {} CAS failures, {} probes, {} early refills, {} slow rounds; regions: {} opened, {} retired, waste "
      "{}B ({:.2f}%), {} humongous",
      counters.pieces, counters.cas_failures, counters.probes, counters.early_refills, counters.slow_rounds,
      counted.opened, counted.retired, counted.retire_waste_bytes,
      retired_bytes == 0 ? 0.0 : 100.0 * static_cast<f64>(counted.retire_waste_bytes) / static_cast<f64>(retired_bytes),
      counted.humongous);
}

void Space::log_allocation(const std::string& prefix) {
  safepoint::assert_holds(lock_);
  AllocationCounters counters = totals_;
  counters.pieces -= totals_logged_.pieces;
  counters.cas_failures -= totals_logged_.cas_failures;
  counters.probes -= totals_logged_.probes;
  counters.early_refills -= totals_logged_.early_refills;
  counters.slow_rounds -= totals_logged_.slow_rounds;
  RegionCounters counted = {region_counters_.opened - region_counters_logged_.opened,
                            region_counters_.retired - region_counters_logged_.retired,
                            region_counters_.retire_waste_bytes - region_counters_logged_.retire_waste_bytes,
                            region_counters_.humongous - region_counters_logged_.humongous};
  KEYHOLE_LOG(info, gc_alloc, "{} {}", prefix, allocation_line(counters, counted));
  std::string slots;
  for (u32 i = 0; i < shared_.slot_count(); ++i) {
    const auto& use = shared_.use_of(i);
    u64 bytes = use.retired_bytes - slots_logged_[i].retired_bytes;
    if (bytes != 0 && log::enabled(log::TagSet::gc_alloc, log::Level::debug))
      slots += fmt::format("{}{}K of slot {}", slots.empty() ? "" : ", ", bytes / 1024, i);
    slots_logged_[i] = use;
  }
  if (!slots.empty()) KEYHOLE_LOG(debug, gc_alloc, "{} retired: {}", prefix, slots);
  totals_logged_ = totals_;
  region_counters_logged_ = region_counters_;
}

void Space::log_allocation_totals() {
  MutexLock guard(lock_);
  KEYHOLE_LOG(info, gc_alloc, "Total: {}", allocation_line(totals_, region_counters_));
  std::string slots;
  for (u32 i = 0; i < shared_.slot_count(); ++i) slots += fmt::format(" {}", shared_.use_of(i).refills);
  KEYHOLE_LOG(info, gc_alloc,
              "Total: regions opened in each of the {} slots that threads have their shared region in:{}",
              shared_.slot_count(), slots);
}

void Space::record_regions() {
  if (!recorder::is_on(recorder::Family::regions) || !ready()) return;
  MutexLock guard(lock_);
  recorder::record(recorder::Kind::heap_layout, regions.count(), static_cast<u32>(regions.region_bytes()));
  regions.for_each_used([](Region& region) { region.record_as_found(); });
}

void Space::print_regions(FILE* out) { inspect::print_regions(regions, out); }

}  // namespace keyhole::gc
