// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A region: one of the equal, aligned parts of the heap, and the only transitions of its state.
//
//                     +---------------------------- Free <---------------------------+
//                     |                   |            |                             |
//              mutator refills     collector needs     humongous object              |
//                     v             room to copy       v                             |
//                  Shared <--+            v     HumongousStart, HumongousContinues --+ died
//                     |       \        ToSpace         |                             |
//                  retired     +--last one--+          |                             |
//                     v         has room    |done      |                             |
//                    Full <-----------------+          |                             |
//                     |    <--in place--+              |                             |
//             collection begins         |              |                             |
//                     v                 |              |                             |
//                 FromSpace ------------+--------------|--- all evacuated -----------+
//
//   Compacting: Free, Full and Humongous* enter it together when a sliding collection plans, and leave it for Full,
//   Free, HumongousStart, HumongousContinues or (the last one, when it has room) Shared when it is done.
//
//   Full -> ToSpace as well: an old region that has room left is promoted into by the next collections.
//
//   state               what it holds                                     who allocates in it
//   Free                nothing; see `dirty`                              nobody
//   Shared              objects and TLABs                                 mutators, by CAS on `top`
//   Full                objects                                           mutators that still hold a pointer to it,
//                                                                         until the next safepoint
//   FromSpace           objects, forwarded ones among them                nobody; exists within a collection only
//   ToSpace             copies                                            the collector
//   HumongousStart      the first part of one object                      nobody
//   HumongousContinues  a later part of it; `start` is its first region   nobody
//   Compacting          objects about to slide                            nobody; exists within a collection only
//
// A region also has a generation, which the generational plan uses (plans/generational.cpp):
//
//   Eden       what mutators allocated since the last collection, humongous objects included: the initial generation
//   Survivor   what survived, but is not old enough; the last one is Eden when mutators continue in it; a humongous one
//              stays in place
//   Old        what was promoted, or existed when a sliding collection ended. Only its cards are scanned.
//
// Transitions that the diagram forbids:
//   (a) FromSpace -> Shared: a from-space that keeps objects becomes Full, its holes filled.
//   (b) Free -> Full: only a region that was allocated into is retired.
//   (c) a mutator never sees FromSpace, ToSpace or Compacting: they do not outlive the safepoint.
//   (d) Humongous* -> anything but Free, except through Compacting: a humongous object is not copied.
//
// Transitions happen under the heap lock or with the world stopped, and are recorded (runtime/recorder). An illegal one
// is fatal; the message names region, states and caller.
#pragma once

#include <atomic>
#include <source_location>

#include "gc/heap/shared_span.h"
#include "runtime/base/platform/hardware_world.h"
#include "runtime/object/object.h"

namespace keyhole::gc {

enum class RegionState : u8 {
  Free,
  Shared,
  Full,
  FromSpace,
  ToSpace,
  HumongousStart,
  HumongousContinues,
  Compacting,
};
const char* name_of(RegionState state);
enum class Generation : u8 { Eden, Survivor, Old };
const char* name_of(Generation generation);

// A change of a region, as an event stores it in 16 bits (runtime/recorder/events.def).
struct RegionChange {
  RegionState from, to;
  Generation generation;  // after the change
};
constexpr u32 pack(RegionChange change) {
  return static_cast<u32>(change.from) << 8 | static_cast<u32>(change.to) << 4 | static_cast<u32>(change.generation);
}
constexpr RegionChange unpack_region_change(u32 bits) {
  return {static_cast<RegionState>(bits >> 8 & 15), static_cast<RegionState>(bits >> 4 & 15),
          static_cast<Generation>(bits & 15)};
}

// A Region whose bytes are all zero is Free and was never used: so the table of regions is untouched memory until
// regions are taken. Each Region has a cache line of its own, because neighbours in the table are the home regions of
// threads that allocate at the same time.
class alignas(64) Region {
 public:
  using Caller = std::source_location;

  // --- the edges -----------------------------------------------------------------------------------------------------
  void transition_to_shared(Caller caller = Caller::current());
  void transition_to_full(Caller caller = Caller::current());
  void transition_to_from_space(Caller caller = Caller::current());
  void transition_to_to_space(Caller caller = Caller::current());
  void transition_to_humongous_start(char* object_end, Caller caller = Caller::current());
  void transition_to_humongous_continues(Region* start, char* object_end, Caller caller = Caller::current());
  void transition_to_compacting(Caller caller = Caller::current());
  // Makes the region empty again. Its memory keeps its last contents.
  void transition_to_free(Caller caller = Caller::current());

  // --- what it is ----------------------------------------------------------------------------------------------------
  RegionState state() const { return state_; }
  u32 index() const { return index_; }
  char* bottom() const { return reinterpret_cast<char*>(span_.start); }
  char* end() const { return reinterpret_cast<char*>(span_.end); }
  // The first byte that is not allocated. In a humongous region: the object's end within this region, or `end`.
  char* top() const { return reinterpret_cast<char*>(span_.top.load(std::memory_order_acquire)); }
  u64 used_bytes() const { return static_cast<u64>(top() - bottom()); }
  u64 free_bytes() const { return static_cast<u64>(end() - top()); }
  u64 bytes() const { return span_.end - span_.start; }
  Region* humongous_start() const { return start_; }

  bool is_free() const { return state_ == RegionState::Free; }
  bool is_humongous() const {
    return state_ == RegionState::HumongousStart || state_ == RegionState::HumongousContinues;
  }
  // Whether the region holds whole objects, one after the other from bottom to top.
  bool is_ordinary() const {
    return state_ == RegionState::Shared || state_ == RegionState::Full || state_ == RegionState::FromSpace ||
           state_ == RegionState::ToSpace;
  }

  // The part of the region in which mutators allocate by CAS (gc/heap/shared_span.h).
  SharedSpan<HardwareWorld>& span() { return span_; }

  // --- world stopped, or heap lock -----------------------------------------------------------------------------------
  void initialize(u32 index, char* bottom, u64 bytes);
  bool initialized() const { return span_.end != 0; }
  // Sets `top` where no other thread allocates: in copying and compaction.
  void set_top(char* top) { span_.top.store(reinterpret_cast<uptr>(top), std::memory_order_release); }
  // False while every byte from top to end is known to be zero, because it is new from the kernel. Then it need not be
  // cleared.
  bool dirty() const { return dirty_; }
  void set_dirty(bool dirty) { dirty_ = dirty; }

  // The number of times that the region was emptied (runtime/object/identity.h, I1).
  const u32& epoch() const { return epoch_; }

  // In FromSpace: some object could not be copied and stays. Several workers may set it.
  bool keeps_objects() const { return keeps_objects_.load(std::memory_order_relaxed); }
  void set_keeps_objects() { keeps_objects_.store(true, std::memory_order_relaxed); }

  Generation generation() const { return generation_; }
  bool is_young() const { return generation_ != Generation::Old; }
  void set_generation(Generation generation) {
    if (generation == generation_) return;
    generation_ = generation;
    record(state_);
  }
  // Records the event `region` as if the region had just been taken.
  void record_as_found() const { record(RegionState::Free); }
  // In HumongousStart: the number of collections that the object has survived.
  u8 age() const { return age_; }
  void set_age(u8 age) { age_ = age; }

  static Region* of(SharedSpan<HardwareWorld>* span) { return reinterpret_cast<Region*>(span); }

 private:
  RegionState move(RegionState to, u32 allowed_from, Caller caller);  // from where
  void record(RegionState from) const;

  SharedSpan<HardwareWorld> span_;
  Region* start_ = nullptr;
  u32 index_ = 0;
  RegionState state_ = RegionState::Free;
  bool dirty_ = false;
  std::atomic<bool> keeps_objects_{false};
  Generation generation_ = Generation::Eden;
  u8 age_ = 0;
  u32 epoch_ = 0;
};

}  // namespace keyhole::gc
