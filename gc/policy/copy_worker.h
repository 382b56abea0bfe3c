// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// One worker of a parallel copy: follows references, copies objects, scans the copies, and steals when it has nothing
// left.
//
// The path of a reference that is scanned, and of a copy:
//
//   slot --into the collection set?--> ring of 16 (the target's header is being prefetched) --> copy, update the slot
//   copy --> share of work (gc/work_share.h), which others steal from --> scan
#pragma once

#include "gc/policy/copy_state.h"
#include "gc/scan.h"
#include "gc/work_share.h"

namespace keyhole::gc {

class CopyWorker final : public Tracer {
 public:
  explicit CopyWorker(CopyState& state) : state_(state), share_(state.group) {}
  CopyWorker(const CopyWorker&) = delete;

  // Runs the worker: unclaimed roots and cards, then tracing until every worker is done.
  void run(bool alone) TOUCHES_OBJECTS;
  void retire_buffers() TOUCHES_OBJECTS;

  // --- Tracer, for the coordinator while no worker runs --------------------------------------------------------------
  bool is_live(Object* object) override;
  Object* current(Object* live) override;
  Object* keep(Object* object) TOUCHES_OBJECTS override { return follow(object); }
  void trace() TOUCHES_OBJECTS override { drain(); }

  void update(Object** slot) TOUCHES_OBJECTS {
    if (*slot != nullptr) *slot = follow(*slot);
  }
  void update_narrow(NarrowRef* slot) TOUCHES_OBJECTS {
    if (*slot == 0) return;
    Object* now = follow(decode(*slot));
    if (now != decode(*slot)) *slot = encode(now);
  }

  // This worker's results.
  AgeTable survivors;
  u64 promoted_bytes = 0;   // bytes promoted from young to old regions
  u64 moved_old_bytes = 0;  // bytes moved from old to old regions
  u64 copied_objects = 0;
  u64 cards_scanned = 0;

 private:
  static constexpr u32 ring_slots = 16;

  struct Buffer {
    char* top = nullptr;
    char* end = nullptr;
  };

  [[gnu::always_inline]] Object* follow(Object* object) TOUCHES_OBJECTS;
  // Copies an object. first: its first 8 bytes (forwarding.h, F1)
  Object* copy(Object* object, u64 first, Evacuation decision) TOUCHES_OBJECTS;
  Object* keep_in_place(Object* object, u64 first);
  char* allocate(Destination destination, u64 bytes) TOUCHES_OBJECTS;
  [[gnu::noinline]] char* allocate_slow(Destination destination, u64 bytes) TOUCHES_OBJECTS;
  void take_back(Destination destination, char* start, u64 bytes) TOUCHES_OBJECTS;
  void retire(Destination destination) TOUCHES_OBJECTS;

  [[gnu::always_inline]] void enter(NarrowRef* slot) TOUCHES_OBJECTS;
  [[gnu::always_inline]] void leave(NarrowRef* slot) TOUCHES_OBJECTS;
  void note_on_card(NarrowRef* slot, Object* target, Evacuation decision);
  bool drain_ring() TOUCHES_OBJECTS;
  void scan(Object* object, const Klass* klass) TOUCHES_OBJECTS;
  void scan_between(Object* object, const Klass* klass, char* from, char* to) TOUCHES_OBJECTS;
  void scan_reference(Object* object, const Klass* klass) TOUCHES_OBJECTS;

  void scan_roots() TOUCHES_OBJECTS;
  void scan_cards() TOUCHES_OBJECTS;
  void scan_card_unit(const CardUnit& unit) TOUCHES_OBJECTS;
  void scan_slots(const CardUnit& unit, char* from, char* to) TOUCHES_OBJECTS;

  void process(WorkShare::Entry entry) TOUCHES_OBJECTS;
  void drain() TOUCHES_OBJECTS;

  CopyState& state_;
  Buffer buffers_[destinations];
  NarrowRef* ring_[ring_slots] = {};
  u32 ring_position_ = 0;
  WorkShare share_;
};

}  // namespace keyhole::gc
