// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The state that the workers of a parallel copy share: the evacuation decision for each region, the to-space, the work
// that nobody has claimed yet.
#pragma once

#include <atomic>
#include <vector>

#include "gc/policy/parallel_copy.h"
#include "gc/work_share.h"
#include "runtime/base/mutex.h"

namespace keyhole::gc {

// The evacuation decision for a region in this collection. It is a byte, so that the table of all regions stays in the
// first-level cache. From Unreached on, references into the region must be followed.
enum class Evacuation : u8 {
  Old,        // stays where it is (or is not used)
  Candidate,  // stays, but a later collection may evacuate it: references into it are remembered
  Young,      // survivors' to-space; a humongous object that was reached and stays young
  Unreached,  // a young humongous object, not reached so far
  EvacuatesYoung,
  EvacuatesOld,
};

inline bool is_old(Evacuation decision) { return decision <= Evacuation::Candidate; }

enum class Destination : u8 { Survivor, Old };
inline constexpr u32 destinations = 2;

// A piece of an old region; one worker claims it and scans the references on its dirty cards.
struct CardUnit {
  char* from;
  char* to;
  Object* humongous;  // the object it is a part of, or null
};

class CopyState {
 public:
  CopyState(Collection& collection, const CopyRequest& request, OldGeneration& old);

  // --- evacuation decisions; read all the time, written when regions are taken and humongous objects reached ---------
  Evacuation evacuation_of(const void* address) const {
    return static_cast<Evacuation>(
        __atomic_load_n(&evacuations_[(reinterpret_cast<uptr>(address) - base_) >> shift_], __ATOMIC_RELAXED));
  }
  // Marks a young humongous object as reached. True for the one worker that reached it first.
  bool reach_humongous(Object* object) TOUCHES_OBJECTS;

  // --- to-space ------------------------------------------------------------------------------------------------------
  // Takes a piece of to-space between minimum and wanted bytes, a multiple of 8. Null when no region has room, or the
  // survivors' share is used up. Called by any worker.
  char* carve(Destination destination, u64 minimum_bytes, u64 wanted_bytes, u64& taken_bytes);
  const std::vector<Region*>& to_space(Destination destination) const {
    return to_spaces_[static_cast<u32>(destination)].regions;
  }

  // --- before and after, by the coordinator --------------------------------------------------------------------------
  void flip() TOUCHES_OBJECTS;
  void release();

  Collection& collection;
  const CopyRequest& request;
  OldGeneration& old;
  const u64 buffer_bytes;  // size of a worker's piece of to-space
  std::vector<CardUnit> card_units;
  WorkGroup group;
  u64 evacuated_bytes = 0, young_bytes = 0;

  std::atomic<u32> next_root{0};
  std::atomic<u32> next_card_unit{0};
  std::atomic<bool> failed{false};
  std::atomic<bool> survivors_overflow{false};  // the survivors' share of regions is used up

 private:
  struct ToSpace {
    Region* current = nullptr;
    std::vector<Region*> regions;
  };

  void set_evacuation(Region& region, Evacuation decision) {
    __atomic_store_n(&evacuations_[region.index()], static_cast<u8>(decision), __ATOMIC_RELAXED);
  }
  void add_card_units(Region& region) TOUCHES_OBJECTS;
  void reopen_promotion_region() TOUCHES_OBJECTS;
  void settle_humongous(Region& start, std::vector<Region*>& dead);

  const uptr base_;
  const u32 shift_;
  std::vector<u8> evacuations_;
  Mutex to_space_mutex_{LockRank::to_space};
  // The mutex guards this while workers run; before and afterwards, only the coordinator uses it.
  ToSpace to_spaces_[destinations];
};

}  // namespace keyhole::gc
