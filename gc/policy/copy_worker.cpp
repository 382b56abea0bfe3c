// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The copying loop of one worker.
#include "gc/policy/copy_worker.h"

#include <algorithm>
#include <utility>

#include "gc/card_table.h"
#include "gc/heap/filler.h"
#include "gc/heap/space.h"
#include "gc/policy/forwarding.h"
#include "gc/root_set.h"
#include "runtime/threads/continuations/continuation_lists.h"

namespace keyhole::gc {
namespace {

constexpr auto acquire = std::memory_order_acquire;

// Whether these first 8 bytes of an object contain its age.
bool has_age(u64 first) { return !layout::can_displace || (first & layout::lock_mask) == layout::unlocked; }
// The age. A displaced header has none; such an object counts as oldest.
u32 age_of(u64 first) {
  return has_age(first) ? static_cast<u32>((first & layout::age_mask) >> layout::age_shift) : ages - 1;
}
u64 with_age(u64 first, u32 age) { return (first & ~u64{layout::age_mask}) | (u64{age} << layout::age_shift); }

}  // namespace

// --- to-space --------------------------------------------------------------------------------------------------------

char* CopyWorker::allocate(Destination destination, u64 bytes) {
  Buffer& buffer = buffers_[static_cast<u32>(destination)];
  if (bytes > static_cast<u64>(buffer.end - buffer.top)) [[unlikely]]
    return allocate_slow(destination, bytes);
  char* start = buffer.top;
  buffer.top += bytes;
  return start;
}

char* CopyWorker::allocate_slow(Destination destination, u64 bytes) {
  u64 taken = 0;
  if (bytes > state_.buffer_bytes / 4) return state_.carve(destination, bytes, bytes, taken);
  char* start = state_.carve(destination, bytes, state_.buffer_bytes, taken);
  if (start == nullptr) return nullptr;
  retire(destination);
  buffers_[static_cast<u32>(destination)] = {start + bytes, start + taken};
  return start;
}

void CopyWorker::take_back(Destination destination, char* start, u64 bytes) {
  Buffer& buffer = buffers_[static_cast<u32>(destination)];
  if (buffer.top == start + bytes) {
    buffer.top = start;
    return;
  }
  write_filler(start, bytes);  // the piece was carved for this object alone
  if (destination == Destination::Old) card_table::record(start, bytes);
}

void CopyWorker::retire(Destination destination) {
  Buffer& buffer = buffers_[static_cast<u32>(destination)];
  u64 rest = static_cast<u64>(buffer.end - buffer.top);
  if (rest == 0) return;
  write_filler(buffer.top, rest);
  if (destination == Destination::Old) card_table::record(buffer.top, rest);
  buffer = {};
}

void CopyWorker::retire_buffers() {
  retire(Destination::Survivor);
  retire(Destination::Old);
}

// --- copying ---------------------------------------------------------------------------------------------------------

Object* CopyWorker::follow(Object* object) {
  Evacuation decision = state_.evacuation_of(object);
  if (decision < Evacuation::Unreached) return object;
  if (decision == Evacuation::Unreached) [[unlikely]] {
    if (state_.reach_humongous(object)) share_.push(object);
    return object;
  }
  u64 first = first_bytes(object).load(acquire);
  if (layout::is_forwarded(first)) return target_of(first);
  if ((first & layout::self_forwarded_bit) != 0) [[unlikely]]
    return object;
  return copy(object, first, decision);
}

Object* CopyWorker::copy(Object* object, u64 first, Evacuation decision) {
  const Klass* klass = klass_of_id(layout::klass_id_at(object, static_cast<layout::Word>(first)));
  const u64 old_bytes = bytes_of(object, klass, first);
  HashSlot slot{};
  if (must_store_hash(first)) [[unlikely]]
    slot = hash_slot(klass, extent_of(object, klass, first));
  const u64 bytes = old_bytes + slot.appended_bytes;
  bool survives = decision == Evacuation::EvacuatesYoung && age_of(first) < state_.request.tenuring_threshold &&
                  !state_.survivors_overflow.load(std::memory_order_relaxed);
  Destination destination = survives ? Destination::Survivor : Destination::Old;
  char* target = allocate(destination, bytes);
  if (target == nullptr) [[unlikely]] {
    destination = survives ? Destination::Old : Destination::Survivor;
    target = allocate(destination, bytes);
    if (target == nullptr) return keep_in_place(object, first);
  }
  u32 age = decision == Evacuation::EvacuatesYoung ? std::min(age_of(first) + 1, ages - 1) : ages - 1;
  // Copies all but the first 8 bytes, which another worker may be forwarding.
  copy_words(target + 8, reinterpret_cast<const char*>(object) + 8, old_bytes - 8);
  Object* made = reinterpret_cast<Object*>(target);
  u64 copied = destination == Destination::Survivor && has_age(first) ? with_age(first, age) : first;
  first_bytes(made).store(copied, std::memory_order_relaxed);
  if (must_store_hash(first)) [[unlikely]]
    store_hash(made, object, slot);  // forwarding.h F2
  u64 forwarding = forwarding_to(target, slot.appended_bytes != 0);
  if (share_.alone()) {
    first_bytes(object).store(forwarding, std::memory_order_relaxed);
  } else if (!first_bytes(object).compare_exchange_strong(first, forwarding, std::memory_order_acq_rel,
                                                          acquire)) {  // parallel_copy.h P1
    take_back(destination, target, bytes);
    return layout::is_forwarded(first) ? target_of(first) : object;
  }
  ++copied_objects;
  if (destination == Destination::Old) {
    (decision == Evacuation::EvacuatesOld ? moved_old_bytes : promoted_bytes) += bytes;
    card_table::record(target, bytes);
  } else {
    survivors.bytes[age] += bytes;  // an old object that found no room in old regions counts as oldest
  }
  if (klass->kind == KlassKind::PrimitiveArray ||
      (klass->kind == KlassKind::Instance && klass->reference_span_count == 0))
    return made;
  share_.push(made);
  return made;
}

Object* CopyWorker::keep_in_place(Object* object, u64 first) {
  u64 before = first;
  if (!first_bytes(object).compare_exchange_strong(first, before | layout::self_forwarded_bit,
                                                   std::memory_order_acq_rel, acquire)) {
    return layout::is_forwarded(first) ? target_of(first) : object;
  }
  state_.failed.store(true, std::memory_order_relaxed);
  space.regions.region_of(object)->set_keeps_objects();
  share_.push(object);
  return object;
}

bool CopyWorker::is_live(Object* object) {
  switch (state_.evacuation_of(object)) {
    case Evacuation::Old:
    case Evacuation::Candidate:
    case Evacuation::Young: return true;
    case Evacuation::Unreached: return false;
    case Evacuation::EvacuatesYoung:
    case Evacuation::EvacuatesOld: return is_forwarded_or_kept(first_bytes(object).load(acquire));
  }
  return true;
}

Object* CopyWorker::current(Object* live) {
  if (state_.evacuation_of(live) < Evacuation::EvacuatesYoung) return live;
  u64 first = first_bytes(live).load(acquire);
  return layout::is_forwarded(first) ? target_of(first) : live;
}

// --- slots -----------------------------------------------------------------------------------------------------------

void CopyWorker::leave(NarrowRef* slot) {
  Object* target = follow(decode(*slot));
  write_slot(slot, encode(target));
  if (is_old(state_.evacuation_of(slot)) && !is_old(state_.evacuation_of(target)))
    card_table::dirty(slot);  // parallel_copy.h P3
}

void CopyWorker::enter(NarrowRef* slot) {
  NarrowRef reference = *slot;
  if (reference == 0) return;
  Object* object = decode(reference);
  Evacuation decision = state_.evacuation_of(object);
  if (decision < Evacuation::Unreached) {
    if (decision != Evacuation::Old && is_old(state_.evacuation_of(slot))) note_on_card(slot, object, decision);
    return;
  }
  __builtin_prefetch(object, 1);
  NarrowRef* leaving = ring_[ring_position_];
  ring_[ring_position_] = slot;
  ring_position_ = (ring_position_ + 1) % ring_slots;
  if (leaving != nullptr) leave(leaving);
}

// Called for a slot in an old region that refers to an object which is not copied: a young humongous object, or one in
// a candidate.
void CopyWorker::note_on_card(NarrowRef* slot, Object* target, Evacuation decision) {
  // parallel_copy.h P3
  if (decision == Evacuation::Young) card_table::dirty(slot);
  else if (space.regions.index_of(slot) != space.regions.index_of(target))
    card_table::remember(slot);  // parallel_copy.h P4
}

bool CopyWorker::drain_ring() {
  bool any = false;
  for (u32 i = 0; i < ring_slots; ++i) {
    NarrowRef* slot = ring_[ring_position_];
    ring_[ring_position_] = nullptr;
    ring_position_ = (ring_position_ + 1) % ring_slots;
    if (slot == nullptr) continue;
    any = true;
    leave(slot);
  }
  return any;
}

void CopyWorker::scan_reference(Object* object, const Klass* klass) {
  if (!state_.collection.references.discover(object, klass, *this))
    enter(object->address<NarrowRef>(reference_referent_offset));
}

void CopyWorker::scan(Object* object, const Klass* klass) {
  if (klass->kind == KlassKind::Reference) [[unlikely]]
    scan_reference(object, klass);
  for_each_strong_slot(object, klass, [&](NarrowRef* slot) TOUCHES_OBJECTS { enter(slot); });
}

// Scans the slots of an object that lie in [from, to).
void CopyWorker::scan_between(Object* object, const Klass* klass, char* from, char* to) {
  if (klass->kind == KlassKind::PrimitiveArray || klass->kind == KlassKind::Filler) return;
  if (klass->kind == KlassKind::ReferenceArray) {
    char* elements = object->address<char>(Object::element_offset(2, 0));
    char* end = elements + u64{static_cast<u32>(object->length())} * sizeof(NarrowRef);
    NarrowRef* slot = reinterpret_cast<NarrowRef*>(from > elements ? from : elements);
    for (NarrowRef* limit = reinterpret_cast<NarrowRef*>(to < end ? to : end); slot < limit; ++slot) enter(slot);
    return;
  }
  auto inside = [&](NarrowRef* slot) {
    return reinterpret_cast<char*>(slot) >= from && reinterpret_cast<char*>(slot) < to;
  };
  if (klass->kind == KlassKind::Reference && inside(object->address<NarrowRef>(reference_referent_offset)))
    scan_reference(object, klass);
  for_each_strong_slot(object, klass, [&](NarrowRef* slot) TOUCHES_OBJECTS {
    if (inside(slot)) enter(slot);
  });
}

// --- roots and cards -------------------------------------------------------------------------------------------------

void CopyWorker::scan_roots() {
  bool saw_young = false;
  RootVisitorOf visitor(
      [&](Object** slot) TOUCHES_OBJECTS {
        update(slot);
        saw_young |= *slot != nullptr && !is_old(state_.evacuation_of(*slot));
      },
      [&](NarrowRef* slot) TOUCHES_OBJECTS { update_narrow(slot); },
      [&](JavaThread* thread) {  // parallel_copy.h P7
        if (std::exchange(saw_young, false)) threads::note_young_reference(thread);
      });
  std::span<const NamedProvider> roots = strong_roots();
  for (u32 i; (i = state_.next_root.fetch_add(1, std::memory_order_relaxed)) < roots.size();) {
    saw_young = false;
    roots[i].provider(visitor);
    drain();
  }
}

void CopyWorker::scan_cards() {
  u32 count = static_cast<u32>(state_.card_units.size());
  for (u32 i; (i = state_.next_card_unit.fetch_add(1, std::memory_order_relaxed)) < count;) {
    scan_card_unit(state_.card_units[i]);
    drain();
  }
}

void CopyWorker::scan_card_unit(const CardUnit& unit) {
  // parallel_copy.h P4
  bool whole = state_.request.scan_whole_old_regions, mixed = !state_.request.old_regions.empty();
  auto next = [&](u8* from, u8* limit) { return whole ? from : card_table::next_to_scan(from, limit, mixed); };
  u8* card = barrier::card_of(unit.from);
  u8* limit = barrier::card_of(unit.to - 1) + 1;
  while ((card = next(card, limit)) < limit) {
    u8* end = card;
    do card_table::clean(end++);
    while (end < limit && next(end, end + 1) == end);
    cards_scanned += static_cast<u64>(end - card);
    char* to = card_table::start_of(end);
    scan_slots(unit, card_table::start_of(card), to < unit.to ? to : unit.to);
    card = end;
  }
}

void CopyWorker::scan_slots(const CardUnit& unit, char* from, char* to) {
  if (unit.humongous != nullptr) return scan_between(unit.humongous, unit.humongous->klass(), from, to);
  for (char* position = reinterpret_cast<char*>(card_table::object_covering_card(from)); position < to;) {
    Object* object = reinterpret_cast<Object*>(position);
    const Klass* klass = klass_in_walk(object);
    scan_between(object, klass, from, to);
    position += bytes_of(object, klass);
  }
}

// --- work ------------------------------------------------------------------------------------------------------------

void CopyWorker::process(WorkShare::Entry entry) {
  Object* object = WorkShare::object_of(entry);
  const Klass* klass = object->klass();
  if (klass->kind == KlassKind::ReferenceArray)
    return share_.for_each_in_chunk(entry, [&](NarrowRef* slot) TOUCHES_OBJECTS { enter(slot); });
  scan(object, klass);
}

void CopyWorker::drain() {
  do {
    while (WorkShare::Entry entry = share_.pop()) process(entry);
  } while (drain_ring());
}

void CopyWorker::run(bool alone) {
  share_.set_alone(alone);
  scan_roots();
  scan_cards();
  share_.work_with_others([&]() TOUCHES_OBJECTS { drain(); },
                          [&](WorkShare::Entry entry) TOUCHES_OBJECTS { process(entry); });
  share_.set_alone(true);  // from here on only the coordinator works
}

}  // namespace keyhole::gc
