// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// One worker of a parallel copy: follows references, copies objects, scans the copies, and steals when it has nothing
// left.
//
// Where a reference to scan goes:
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

  // Everything: unclaimed roots and cards, then tracing until every worker is done.
  void run(bool alone);
  void retire_buffers();

  // --- Tracer, for the coordinator while no worker runs --------------------------------------------------------------
  bool is_live(Object* object) override;
  Object* current(Object* live) override;
  Object* keep(Object* object) override { return follow(object); }
  void trace() override { drain(); }

  void update(Object** slot) {
    if (*slot != nullptr) *slot = follow(*slot);
  }
  void update_narrow(NarrowRef* slot) {
    if (*slot == 0) return;
    Object* now = follow(decode(*slot));
    if (now != decode(*slot)) *slot = encode(now);
  }

  // This worker's results.
  AgeTable survivors;
  u64 promoted_bytes = 0;       // from young to old
  u64 moved_old_bytes = 0;      // from old to old
  u64 copied_objects = 0;
  u64 cards_scanned = 0;

 private:
  static constexpr u32 ring_slots = 16;

  struct Buffer {
    char* top = nullptr;
    char* end = nullptr;
  };

  [[gnu::always_inline]] Object* follow(Object* object);
  Object* copy(Object* object, u64 first, Fate fate);   // first: the object's first 8 bytes (forwarding.h, F1)
  Object* keep_in_place(Object* object, u64 first);
  char* allocate(Destination destination, u64 bytes);
  [[gnu::noinline]] char* allocate_slow(Destination destination, u64 bytes);
  void take_back(Destination destination, char* start, u64 bytes);
  void retire(Destination destination);

  [[gnu::always_inline]] void enter(NarrowRef* slot);
  [[gnu::always_inline]] void leave(NarrowRef* slot);
  void note_on_card(NarrowRef* slot, Object* target, Fate fate);
  bool drain_ring();
  void scan(Object* object, const Klass* klass);
  void scan_between(Object* object, const Klass* klass, char* from, char* to);
  void scan_reference(Object* object, const Klass* klass);

  void scan_roots();
  void scan_cards();
  void scan_card_unit(const CardUnit& unit);
  void scan_slots(const CardUnit& unit, char* from, char* to);

  void process(WorkShare::Entry entry);
  void drain();

  CopyState& state_;
  Buffer buffers_[destinations];
  NarrowRef* ring_[ring_slots] = {};
  u32 ring_position_ = 0;
  WorkShare share_;
};

}  // namespace keyhole::gc
