// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Memory for mutators: from shared regions by CAS, or as runs of regions for humongous objects.
#include "gc/space.h"

#include <sched.h>

#include <algorithm>
#include <cstring>

#include "gc/filler.h"
#include "runtime/base/flags.h"

namespace keyhole::gc {

constinit Space space;

std::string Space::initialize() {
  if (std::string error = sizing.initialize(); !error.empty()) return error;
  if (!regions.reserve(sizing.region_bytes(), sizing.maximum_regions())) {
    return "Could not reserve enough space for object heap";
  }
  regions.set_round_robin(flags::GCPoisonFromSpace);
  u64 slots = std::clamp<u64>(sizing.maximum_regions() / 8, 1, SharedAllocator<HardwareWorld>::maximum_slots);
  shared_.initialize(static_cast<u32>(std::min<u64>(slots, static_cast<u64>(flags::MutatorAllocRegions))));
  initialize_fillers();
  return {};
}

void Space::shut_down() {
  retire_shared_regions();
  regions.unreserve();
}

SharedSpan<HardwareWorld>* Space::Source::refill() {
  if (space.regions.used_count() >= space.sizing.trigger_regions()) return nullptr;
  Region* region = space.regions.take_shared();
  return region == nullptr ? nullptr : &region->span();
}

char* Space::allocate_shared(u64 thread_id, u64 minimum_bytes, u64 wanted_bytes, u64& taken_bytes) {
  Source source{*this};
  uptr start = shared_.allocate(source, thread_id, minimum_bytes, wanted_bytes, taken_bytes, !flags::UseCASAllocation);
  if (start == 0) return nullptr;
  char* memory = reinterpret_cast<char*>(start);
  // `dirty` does not change while mutators can allocate in the region.
  if (regions.region_of(memory)->dirty()) memset(memory, 0, taken_bytes);
  return memory;
}

char* Space::allocate_humongous(u64 bytes) {
  u32 wanted = regions.humongous_region_count(bytes);
  Region* start;
  {
    std::lock_guard guard(lock_);
    if (u64{regions.used_count()} + wanted > sizing.trigger_regions()) return nullptr;
    start = regions.take_humongous(wanted, bytes);
  }
  if (start == nullptr) return nullptr;
  // The run belongs to this thread alone, and no safepoint can come before it has zeroed what needs it.
  for (u32 i = 0; i < wanted; ++i) {
    Region* region = regions.at(start->index() + i);
    if (region->dirty()) memset(region->bottom(), 0, region->used_bytes());
    region->set_dirty(true);
  }
  return start->bottom();
}

bool Space::extend_for(u64 bytes) {
  std::lock_guard guard(lock_);
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

void Space::after_collection() {
  sizing.after_collection(regions.used_count());
  u32 trigger = sizing.trigger_regions(), used = regions.used_count();
  regions.uncommit_free(trigger > used ? trigger - used : 0);
}

u64 Space::used_bytes() {
  // A crash report asks too, perhaps from under this very lock: after a while an approximate answer is better than none.
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

void Space::print_regions(FILE* out) { regions.print(out); }

}  // namespace keyhole::gc
