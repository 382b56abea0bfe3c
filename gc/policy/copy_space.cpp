// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The copying loop.
//
// To-space is its own work list: [bottom, scan) holds objects whose references are updated, [scan, top) copies still to be scanned.
// Slots that point into from-space pass through a ring of 16 before they are followed: the prefetch of the target's header, issued
// when a slot enters, has arrived by the time it leaves. Without it each object costs a cache miss.
#include "gc/policy/copy_space.h"

#include <cstring>
#include <vector>

#include "gc/class_liveness.h"
#include "gc/policy/forwarding.h"
#include "gc/root_set.h"
#include "gc/scan.h"
#include "gc/space.h"
#include "runtime/base/flags.h"
#include "runtime/sync/synchronizer.h"

namespace keyhole::gc {
namespace {

// What a region means to this collection: one byte each, so that the whole map stays in the first-level cache.
enum Fate : u8 {
  Stays = 0,       // not collected: to-space, free, a humongous object that was reached
  Evacuates = 1,   // from-space
  Unreached = 2,   // a humongous object, not reached so far
};

class Evacuation final : public Tracer {
 public:
  explicit Evacuation(Collection& collection) : collection_(collection), base_(space.regions.base()), shift_(space.regions.region_shift()) {}

  void run();

  // --- Tracer ----------------------------------------------------------------------------------------------------------
  bool is_live(Object* object) override {
    switch (fate_of(object)) {
      case Stays: return true;
      case Evacuates: return is_forwarded_or_kept(first_of(object));
      default: return false;
    }
  }
  Object* current(Object* live) override {
    u64 first = first_of(live);
    return fate_of(live) == Evacuates && layout::is_forwarded(first) ? target_of(first) : live;
  }
  Object* keep(Object* object) override { return follow(object); }
  // With the classes that turn out to be in use (vm/link/class_unloading.h).
  void trace() override {
    do copy_reachable();
    while (enter_reached_classes());
  }

 private:
  static u64 first_of(Object* object) { return first_bytes(object).load(std::memory_order_relaxed); }
  Fate fate_of(const Object* object) const {
    return static_cast<Fate>(fates_[(reinterpret_cast<uptr>(object) - base_) >> shift_]);
  }

  // The object's address after this collection; copies it when it was not reached before.
  [[gnu::always_inline]] Object* follow(Object* object) {
    Fate fate = fate_of(object);
    if (fate == Stays) return object;
    if (fate == Unreached) [[unlikely]] {
      fates_[space.regions.index_of(object)] = Stays;
      if (ClassLiveness* liveness = object->klass()->liveness) liveness->reach();
      to_scan_.push_back(object);
      return object;
    }
    u64 first = first_of(object);
    if (layout::is_forwarded(first)) return target_of(first);
    if ((first & layout::self_forwarded_bit) != 0) [[unlikely]] return object;
    return copy(object, first);
  }
  Object* copy(Object* object, u64 first);
  [[gnu::noinline]] bool next_to_space(u64 bytes);
  [[gnu::noinline]] Object* keep_in_place(Object* object);

  void update(Object** slot) {
    if (*slot != nullptr) *slot = follow(*slot);
  }
  void update_narrow(NarrowRef* slot) {
    if (*slot != 0) *slot = encode(follow(decode(*slot)));
  }

  // The ring.
  static constexpr u32 ring_slots = 16;
  [[gnu::always_inline]] void enter(NarrowRef* slot) {
    NarrowRef reference = *slot;
    if (reference == 0) return;
    Object* object = decode(reference);
    if (fate_of(object) == Stays) return;
    __builtin_prefetch(object, 1);
    NarrowRef* leaving = ring_[ring_position_];
    ring_[ring_position_] = slot;
    ring_position_ = (ring_position_ + 1) % ring_slots;
    if (leaving != nullptr) *leaving = encode(follow(decode(*leaving)));
  }
  bool drain_ring() {
    bool any = false;
    for (u32 i = 0; i < ring_slots; ++i) {
      NarrowRef* slot = ring_[ring_position_];
      ring_[ring_position_] = nullptr;
      ring_position_ = (ring_position_ + 1) % ring_slots;
      if (slot == nullptr) continue;
      any = true;
      *slot = encode(follow(decode(*slot)));
    }
    return any;
  }

  [[gnu::always_inline]] void scan(Object* object, const Klass* klass) {
    if (klass->kind == KlassKind::Mirror) [[unlikely]] {
      const Klass* mirrored = klass_of_mirror(object);
      if (mirrored != nullptr && mirrored->liveness != nullptr) mirrored->liveness->reach();
    }
    if (klass->kind == KlassKind::Reference) [[unlikely]] {
      if (!collection_.references.discover(object, klass, *this)) enter(object->address<NarrowRef>(reference_referent_offset));
    }
    for_each_strong_slot(object, klass, [&](NarrowRef* slot) { enter(slot); });
  }

  void copy_reachable();
  bool enter_reached_classes();
  void flip();
  void visit_roots();
  void visit_weak_roots();
  void release();

  Collection& collection_;
  const ClassUnloader* const classes_ = class_unloader();
  const uptr base_;
  const u32 shift_;

  // Where copies go. `top_` is ahead of the region's own top, which is set when the region is closed.
  char* top_ = nullptr;
  char* end_ = nullptr;
  NarrowRef* ring_[ring_slots] = {};
  u32 ring_position_ = 0;

  std::vector<u8> fates_;
  std::vector<Region*> to_space_;     // in the order they were taken
  usize scan_region_ = 0;             // index into to_space_
  char* scan_position_ = nullptr;
  std::vector<Object*> to_scan_;      // live objects outside to-space: humongous and kept in place
};

Object* Evacuation::copy(Object* object, u64 first) {
  const Klass* klass = klass_of_id(layout::klass_id_at(object, static_cast<layout::Word>(first)));
  if (klass->liveness != nullptr) [[unlikely]] klass->liveness->reach();
  const u64 old_bytes = bytes_of(object, klass, first);
  HashSlot slot{};
  if (must_store_hash(first)) [[unlikely]] slot = hash_slot(klass, extent_of(object, klass, first));
  const u64 bytes = old_bytes + slot.appended_bytes;
  if (bytes > static_cast<u64>(end_ - top_)) [[unlikely]] {
    if (!next_to_space(bytes)) return keep_in_place(object);
  }
  char* target = top_;
  top_ += bytes;
  copy_words(target, reinterpret_cast<const char*>(object), old_bytes);
  if (must_store_hash(first)) [[unlikely]] store_hash(reinterpret_cast<Object*>(target), object, slot);   // F2
  first_bytes(object).store(forwarding_to(target, slot.appended_bytes != 0), std::memory_order_relaxed);
  ++collection_.copied_objects;
  collection_.copied_bytes += bytes;
  return reinterpret_cast<Object*>(target);
}

bool Evacuation::next_to_space(u64 bytes) {
  Region* region = space.regions.take_to_space();
  if (region == nullptr) return false;
  if (!to_space_.empty()) to_space_.back()->set_top(top_);
  to_space_.push_back(region);
  top_ = region->bottom();
  end_ = region->end();
  return true;
}

Object* Evacuation::keep_in_place(Object* object) {
  collection_.evacuation_failed = true;
  object->header().store(object->header_word() | layout::self_forwarded_bit, std::memory_order_relaxed);
  space.regions.region_of(object)->set_keeps_objects();
  to_scan_.push_back(object);
  return object;
}

bool Evacuation::enter_reached_classes() {
  if (classes_ == nullptr) return false;
  RootVisitorOf visitor([&](Object** slot) { update(slot); }, [&](NarrowRef* slot) { update_narrow(slot); });
  return classes_->visit_reached(
      visitor, [](Object* object, void* context) { return static_cast<Evacuation*>(context)->is_live(object); }, this);
}

void Evacuation::copy_reachable() {
  for (;;) {
    while (scan_region_ < to_space_.size()) {
      Region* region = to_space_[scan_region_];
      if (scan_position_ == nullptr) scan_position_ = region->bottom();
      bool last = scan_region_ + 1 == to_space_.size();
      char* limit = last ? top_ : region->top();
      if (scan_position_ == limit) {
        if (last) break;
        ++scan_region_;
        scan_position_ = nullptr;
        continue;
      }
      while (scan_position_ < limit) {
        Object* object = reinterpret_cast<Object*>(scan_position_);
        const Klass* klass = object->klass();
        scan_position_ += bytes_of(object, klass);
        scan(object, klass);
      }
    }
    if (!to_scan_.empty()) {
      Object* object = to_scan_.back();
      to_scan_.pop_back();
      scan(object, object->klass());
      continue;
    }
    if (!drain_ring()) return;
  }
}

void Evacuation::flip() {
  fates_.assign(space.regions.count(), Stays);
  space.regions.for_each_used([&](Region& region) {
    if (region.state() == RegionState::HumongousStart) fates_[region.index()] = Unreached;
    if (region.is_humongous()) return;
    region.transition_to_from_space();
    fates_[region.index()] = Evacuates;
  });
}

void Evacuation::visit_roots() {
  if (classes_ != nullptr) classes_->begin();
  RootVisitorOf visitor([&](Object** slot) { update(slot); }, [&](NarrowRef* slot) { update_narrow(slot); });
  visitor.classes_may_die = classes_ != nullptr;
  for (const NamedProvider& root : strong_roots()) root.provider(visitor);
}

void Evacuation::visit_weak_roots() {
  RootVisitorOf visitor(
      [&](Object** slot) {
        if (*slot != nullptr) *slot = is_live(*slot) ? current(*slot) : nullptr;
      },
      [&](NarrowRef* slot) {
        if (*slot != 0) *slot = is_live(decode(*slot)) ? encode(current(decode(*slot))) : 0;
      });
  for (const NamedProvider& root : weak_roots()) root.provider(visitor);
  sync::update_references(
      [](Object* object, void* context) -> Object* {
        Evacuation& self = *static_cast<Evacuation*>(context);
        return self.is_live(object) ? self.current(object) : nullptr;
      },
      this);
}

void Evacuation::release() {
  if (!to_space_.empty()) to_space_.back()->set_top(top_);
  std::vector<Region*> empty;
  space.regions.for_each_used([&](Region& region) {
    switch (region.state()) {
      case RegionState::FromSpace:
        if (region.keeps_objects()) {
          fill_gaps(region);
          region.transition_to_full();
        } else {
          if (flags::GCPoisonFromSpace) memset(region.bottom(), 0xDB, region.used_bytes());
          empty.push_back(&region);
        }
        break;
      case RegionState::HumongousStart:
        if (fates_[region.index()] == Unreached) empty.push_back(&region);
        break;
      default: break;
    }
  });
  for (Region* region : empty) {
    if (region->state() == RegionState::HumongousStart) space.regions.release_humongous(region);
    else space.regions.release(region);
  }
  for (Region* region : to_space_) {
    bool offer = region == to_space_.back() && region->free_bytes() >= Space::minimum_tlab_bytes && !collection_.evacuation_failed;
    if (offer) space.offer(region);
    else region->transition_to_full();
  }
}

void Evacuation::run() {
  u64 maximum_bytes = u64{space.regions.count()} * space.regions.region_bytes();
  collection_.references.begin(collection_.request.clear_soft, maximum_bytes - u64{space.sizing.live_regions()} * space.regions.region_bytes());
  collection_.begin(Phase::Roots);
  flip();
  visit_roots();
  collection_.begin(Phase::Trace);
  trace();
  collection_.begin(Phase::References);
  Tracer* self = this;
  collection_.references.process({&self, 1}, collection_.number);
  collection_.begin(Phase::WeakRoots);
  visit_weak_roots();
  if (classes_ != nullptr) unlink_dead_classes(collection_);
  collection_.begin(Phase::Release);
  release();
  collection_.references.advance_clock();
}

}  // namespace

void copy_collection(Collection& collection) { Evacuation(collection).run(); }

}  // namespace keyhole::gc
