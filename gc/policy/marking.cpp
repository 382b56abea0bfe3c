// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The marking loop of one worker, and the phases around it.
#include "gc/policy/marking.h"

#include "gc/root_set.h"
#include "gc/workers.h"

namespace keyhole::gc {

MarkWorker::MarkWorker(Marking& marking) : marking_(marking), share_(marking.group) {}

bool MarkWorker::is_live(Object* object) { return marking_.bits.is_marked(object); }

void MarkWorker::mark(Object* object) {
  MarkBitmap& bits = marking_.bits;
  if (bits.is_marked(object)) return;
  const Klass* klass = object->klass();
  u64 bytes = bytes_of(object, klass);
  // The region is checked, too, because an ordinary object can have grown to a humongous size (identity.h).
  if (space.is_humongous(bytes) && space.regions.region_of(object)->is_humongous()) bytes = layout::object_alignment;
  if (share_.alone()) bits.mark_range(object, bytes);
  else if (!bits.claim_range(object, bytes)) return;  // M1
  if (klass->liveness != nullptr) [[unlikely]]
    klass->liveness->reach();  // M4
  if (klass->kind == KlassKind::PrimitiveArray ||
      (klass->kind == KlassKind::Instance && klass->reference_span_count == 0))
    return;
  share_.push(object);
}

// Delays the marking of an object until its header and bits have been prefetched.
void MarkWorker::enter(NarrowRef* slot) {
  if (*slot == 0) return;
  Object* object = decode(*slot);
  __builtin_prefetch(object);
  marking_.bits.prefetch(object);
  Object* leaving = ring_[ring_position_];
  ring_[ring_position_] = object;
  ring_position_ = (ring_position_ + 1) % ring_objects;
  if (leaving != nullptr) mark(leaving);
}

bool MarkWorker::drain_ring() {
  bool any = false;
  for (Object*& entry : ring_) {
    if (entry == nullptr) continue;
    Object* object = entry;
    entry = nullptr;
    mark(object);
    any = true;
  }
  return any;
}

void MarkWorker::process(WorkShare::Entry entry) {
  Object* object = WorkShare::object_of(entry);
  const Klass* klass = object->klass();
  auto visit = [&](NarrowRef* slot) TOUCHES_OBJECTS { enter(slot); };
  if (klass->kind == KlassKind::ReferenceArray) return share_.for_each_in_chunk(entry, visit);
  if (klass->kind == KlassKind::Reference && !marking_.collection.references.discover(object, klass, *this)) {
    visit(object->address<NarrowRef>(reference_referent_offset));
  }
  if (klass->kind == KlassKind::Mirror) [[unlikely]] {
    const Klass* mirrored = klass_of_mirror(object);
    if (mirrored != nullptr && mirrored->liveness != nullptr) mirrored->liveness->reach();
  }
  for_each_strong_slot(object, klass, visit);
}

void MarkWorker::drain() {
  do {
    while (WorkShare::Entry entry = share_.pop()) process(entry);
  } while (drain_ring());
}

auto MarkWorker::root_visitor() {
  return RootVisitorOf(
      [&](Object** slot) TOUCHES_OBJECTS {
        if (*slot == nullptr) return;
        root_slots.push_back(reinterpret_cast<uptr>(slot));
        mark(*slot);
      },
      [&](NarrowRef* slot) TOUCHES_OBJECTS {
        if (*slot == 0) return;
        root_slots.push_back(reinterpret_cast<uptr>(slot) | 1);
        mark(decode(*slot));
      });
}

void MarkWorker::scan_roots() {
  auto visitor = root_visitor();
  visitor.classes_may_die = marking_.classes != nullptr;
  std::span<const NamedProvider> roots = strong_roots();
  for (u32 i; (i = marking_.next_root.fetch_add(1, std::memory_order_relaxed)) < roots.size();) {
    roots[i].provider(visitor);
    drain();
  }
}

bool MarkWorker::enter_reached_classes() {
  if (marking_.classes == nullptr) return false;
  auto visitor = root_visitor();
  return marking_.classes->visit_reached(
      visitor, [](Object* object, void* context) { return static_cast<MarkWorker*>(context)->is_live(object); }, this);
}

void MarkWorker::trace() {
  do drain();
  while (enter_reached_classes());
}

void MarkWorker::run(bool alone) {
  share_.set_alone(alone);
  scan_roots();
  trace_with_others(alone);
}

void MarkWorker::trace_with_others(bool alone) {
  share_.set_alone(alone);
  share_.work_with_others([&]() TOUCHES_OBJECTS { drain(); },
                          [&](WorkShare::Entry entry) TOUCHES_OBJECTS { process(entry); });
  share_.set_alone(true);  // from here on only the coordinator works
}

// --- all of it -------------------------------------------------------------------------------------------------------

Marking::Marking(Collection& collection, u32 workers)
    : collection(collection), bits(u64{space.regions.count()} * space.regions.region_bytes()) {
  for (u32 number = 0; number < workers; ++number) workers_.push_back(std::make_unique<MarkWorker>(*this));
}

void Marking::clear_weak_roots() {
  RootVisitorOf visitor(
      [&](Object** slot) {
        if (*slot == nullptr) return;
        if (is_live(*slot)) root_slots.push_back(reinterpret_cast<uptr>(slot));
        else *slot = nullptr;
      },
      [&](NarrowRef* slot) {
        if (*slot == 0) return;
        if (is_live(decode(*slot))) root_slots.push_back(reinterpret_cast<uptr>(slot) | 1);
        else *slot = 0;
      });
  for (const NamedProvider& root : weak_roots()) root.provider(visitor);
}

void Marking::run() {
  u64 maximum_bytes = u64{space.regions.count()} * space.regions.region_bytes();
  collection.begin(Phase::Roots);
  collection.references.begin(collection.request.clear_soft,
                              maximum_bytes - u64{space.sizing.live_regions()} * space.regions.region_bytes());
  collection.begin(Phase::Trace);
  if (classes != nullptr) classes->begin();
  bool alone = workers_.size() == 1;
  auto by_all = [&](auto&& work) TOUCHES_OBJECTS {
    group.begin();
    if (alone) work(*workers_[0]);
    else
      run_on_workers(static_cast<u32>(workers_.size()), [&](u32 number) TOUCHES_OBJECTS { work(*workers_[number]); });
  };
  by_all([&](MarkWorker& worker) TOUCHES_OBJECTS { worker.run(alone); });
  while (workers_[0]->enter_reached_classes())
    by_all([&](MarkWorker& worker) TOUCHES_OBJECTS { worker.trace_with_others(alone); });
  collection.begin(Phase::References);
  std::vector<Tracer*> tracers;
  for (auto& worker : workers_) tracers.push_back(worker.get());
  collection.references.process(tracers, collection.number);
  collection.begin(Phase::WeakRoots);
  for (auto& worker : workers_)
    root_slots.insert(root_slots.end(), worker->root_slots.begin(), worker->root_slots.end());
  clear_weak_roots();
  if (classes != nullptr) unlink_dead_classes(collection);
}

}  // namespace keyhole::gc
