// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Sets up and releases regions before and after a parallel copy, and carves to-space in between.
#include "gc/policy/copy_state.h"

#include <algorithm>
#include <cstring>

#include "gc/card_table.h"
#include "gc/heap/filler.h"
#include "gc/heap/space.h"
#include "gc/policy/forwarding.h"
#include "gc/scan.h"
#include "runtime/base/flags.h"
#include "runtime/base/mutex.h"

namespace keyhole::gc {
namespace {

constexpr u64 largest_buffer_bytes = 32_KiB, least_buffer_bytes = 1_KiB;

}  // namespace

CopyState::CopyState(Collection& collection, const CopyRequest& request, OldGeneration& old)
    : collection(collection), request(request), old(old),
      buffer_bytes(std::clamp(space.regions.region_bytes() / 16, least_buffer_bytes, largest_buffer_bytes)),
      base_(space.regions.base()), shift_(space.regions.region_shift()) {}

// --- evacuation decisions --------------------------------------------------------------------------------------------

bool CopyState::reach_humongous(Object* object) {
  Region& start = *space.regions.region_of(object);
  bool tenured = std::min(start.age() + 1u, ages - 1) >= request.tenuring_threshold;
  u8 expected = static_cast<u8>(Evacuation::Unreached);
  u8 reached = static_cast<u8>(tenured ? Evacuation::Old : Evacuation::Young);
  // The continuing parts are marked as reached first, because a worker that sees the start reached may write to slots
  // in them.
  u32 count = space.regions.humongous_region_count(object);
  for (u32 i = 1; i < count; ++i)
    set_evacuation(*space.regions.at(start.index() + i), static_cast<Evacuation>(reached));
  return __atomic_compare_exchange_n(&evacuations_[start.index()], &expected, reached, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_RELAXED);
}

// --- to-space --------------------------------------------------------------------------------------------------------

char* CopyState::carve(Destination destination, u64 minimum_bytes, u64 wanted_bytes, u64& taken_bytes) {
  MutexLock guard(to_space_mutex_);
  ToSpace& to = to_spaces_[static_cast<u32>(destination)];
  Region* region = to.current;
  if (region == nullptr || region->free_bytes() < minimum_bytes) {
    if (destination == Destination::Survivor && to.regions.size() >= request.survivor_regions &&
        space.regions.free_count() > 0) {
      survivors_overflow.store(true, std::memory_order_relaxed);
      return nullptr;
    }
    region = space.regions.take_to_space();
    if (region == nullptr) return nullptr;
    bool promoted = destination == Destination::Old;
    region->set_generation(promoted ? Generation::Old : Generation::Survivor);
    if (promoted) card_table::clean_range(region->bottom(), region->end());
    set_evacuation(*region, promoted ? Evacuation::Old : Evacuation::Young);
    to.regions.push_back(region);
  }
  taken_bytes = std::min(wanted_bytes, region->free_bytes());
  char* start = region->top();
  region->set_top(start + taken_bytes);
  // A region taken for a large object does not replace a current region that has more room left.
  if (to.current == nullptr || to.current->free_bytes() < region->free_bytes()) to.current = region;
  return start;
}

// Promotes into the old region with room, from a card on that belongs to no unit (parallel_copy.h P3).
void CopyState::reopen_promotion_region() {
  Region* region = old.promotion_region;
  if (region == nullptr) return;
  char* top = card_table::align_up_to_card(region->top());
  write_filler(region->top(), static_cast<u64>(top - region->top()));
  region->set_top(top);
  region->transition_to_to_space();
  ToSpace& to = to_spaces_[static_cast<u32>(Destination::Old)];
  to.current = region;
  to.regions.push_back(region);
}

// --- before ----------------------------------------------------------------------------------------------------------

void CopyState::add_card_units(Region& region) {
  constexpr u32 units_per_region = 8;
  u64 bytes = std::max(region.bytes() / units_per_region, 64_KiB);
  Object* humongous = region.is_humongous() ? reinterpret_cast<Object*>(region.humongous_start()->bottom()) : nullptr;
  if (humongous != nullptr && humongous->klass()->kind == KlassKind::PrimitiveArray) return;
  for (char* from = region.bottom(); from < region.top(); from += bytes)
    card_units.push_back({from, std::min(from + bytes, region.top()), humongous});
}

void CopyState::flip() {
  evacuations_.assign(space.regions.count(), static_cast<u8>(Evacuation::Old));
  for (const OldCandidates::Candidate& candidate : old.candidates.remaining())
    set_evacuation(*candidate.region, Evacuation::Candidate);
  for (Region* region : request.old_regions) {
    set_evacuation(*region, Evacuation::EvacuatesOld);
    if (region == old.promotion_region) old.promotion_region = nullptr;
  }
  space.regions.for_each_used([&](Region& region) TOUCHES_OBJECTS {
    if (region.is_humongous()) {
      if (region.humongous_start()->is_young()) set_evacuation(region, Evacuation::Unreached);
      else add_card_units(region);
      return;
    }
    if (region.is_young()) {
      set_evacuation(region, Evacuation::EvacuatesYoung);
      young_bytes += region.used_bytes();
    }
    if (is_old(evacuation_of(region.bottom()))) return add_card_units(region);
    evacuated_bytes += region.used_bytes();
    region.transition_to_from_space();
  });
  reopen_promotion_region();
}

// --- after -----------------------------------------------------------------------------------------------------------

void CopyState::settle_humongous(Region& start, std::vector<Region*>& dead) {
  if (!start.is_young()) return;
  Evacuation decision = evacuation_of(start.bottom());
  if (decision == Evacuation::Unreached) {
    dead.push_back(&start);
    return;
  }
  start.set_age(static_cast<u8>(std::min(start.age() + 1u, ages - 1)));
  start.set_generation(decision == Evacuation::Old ? Generation::Old : Generation::Survivor);
}

void CopyState::release() {
  std::vector<Region*> empty, dead;
  space.regions.for_each_used([&](Region& region) TOUCHES_OBJECTS {
    if (region.state() == RegionState::HumongousStart) return settle_humongous(region, dead);
    if (region.state() != RegionState::FromSpace) return;
    if (region.keeps_objects()) {
      fill_gaps(region);
      region.transition_to_full();
      return;
    }
    if (flags::GCPoisonFromSpace) memset(region.bottom(), 0xDB, region.used_bytes());
    empty.push_back(&region);
  });
  for (Region* region : empty) space.regions.release(region);
  for (Region* region : dead) space.regions.release_humongous(region);
  space.regions.for_each_used([](Region& region) {  // a run has one generation
    if (region.state() == RegionState::HumongousContinues)
      region.set_generation(region.humongous_start()->generation());
  });

  bool failed_somewhere = failed.load(std::memory_order_relaxed);
  ToSpace& promoted = to_spaces_[static_cast<u32>(Destination::Old)];
  for (Region* region : promoted.regions) region->transition_to_full();
  bool promotes_on =
      promoted.current != nullptr && promoted.current->free_bytes() >= Space::minimum_tlab_bytes && !failed_somewhere;
  old.promotion_region = promotes_on ? promoted.current : nullptr;

  ToSpace& survivors = to_spaces_[static_cast<u32>(Destination::Survivor)];
  for (Region* region : survivors.regions) {
    bool offer = region == survivors.current && region->free_bytes() >= Space::minimum_tlab_bytes && !failed_somewhere;
    if (!offer) {
      region->transition_to_full();
      continue;
    }
    region->set_generation(Generation::Eden);
    space.offer(region);
  }
}

}  // namespace keyhole::gc
