// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Plans and moves after marking. Rules: mark_compact.h.
//
// Moving touches memory at random once per reference: the bits and the destination of the target's block. As in copying
// and marking, objects pass through a short ring meanwhile, so that these are prefetched.
#include "gc/policy/mark_compact.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "gc/heap/space.h"
#include "gc/policy/forwarding.h"
#include "gc/policy/marking.h"
#include "gc/root_set.h"
#include "gc/scan.h"
#include "runtime/base/flags.h"
#include "runtime/sync/synchronizer.h"
#include "runtime/threads/continuations/continuation_lists.h"

namespace keyhole::gc {
namespace {

class Compaction {
 public:
  Compaction(Collection& collection, bool move_humongous, u32 workers)
      : collection_(collection), move_humongous_(move_humongous), marking_(collection, workers), bits_(marking_.bits),
        growing_(u64{space.regions.count()} * space.regions.region_bytes()) {}

  Region* run(LastRegion last) TOUCHES_OBJECTS;

 private:
  bool is_live(const Object* object) const { return marking_.is_live(object); }

  void plan();
  void plan_region(Region& region) TOUCHES_OBJECTS;
  u64 grown_bytes(u64 granule, u64 limit, const char* destination, bool settle) TOUCHES_OBJECTS;
  void plan_humongous(Region& region) TOUCHES_OBJECTS;
  void next_destination();

  void update_roots();
  void move();
  void move_object(Object* object, const Klass* klass, u64 bytes) TOUCHES_OBJECTS;
  u64 move_bytes(Object* object, Object* target, const Klass* klass, u64 bytes) TOUCHES_OBJECTS;
  void move_region(Region& region) TOUCHES_OBJECTS;
  Region* finish(LastRegion last);
  bool is_roomy() const;

  NarrowRef new_reference(NarrowRef reference) const {
    u64 granule = (u64{reference}) - (address_space::heap_base >> 3);
    u64 below = bits_.word(granule >> 6) & ((u64{1} << (granule & 63)) - 1);
    u64 growing_below = growing_.word(granule >> 6) & ((u64{1} << (granule & 63)) - 1);
    return destinations_[granule >> 6] + static_cast<u32>(__builtin_popcountll(below)) +
           static_cast<u32>(__builtin_popcountll(growing_below));
  }
  Object* new_address(const Object* object) const { return decode(new_reference(encode(object))); }

  struct MovedHumongous {
    u32 from, to, regions;
    u64 bytes;
  };

  Collection& collection_;
  const bool move_humongous_;
  Marking marking_;
  const MarkBitmap& bits_;
  // The starts of ordinary objects that would grow if they moved; after planning, of those that grow.
  std::conditional_t<layout::hash_is_in_word, NoMarks, MarkBitmap> growing_;

  // For each block: the new place, as a narrow reference, of a hypothetical live object at bit 0 of the block's word.
  u32* destinations_ = nullptr;
  // For each region: the end of its new contents; null = it becomes free (or is humongous).
  std::vector<char*> new_tops_;
  std::vector<u8> humongous_stays_;
  std::vector<MovedHumongous> humongous_;
  u32 next_region_ = 0;          // regions below it are assigned
  char* destination_ = nullptr;  // next free byte in the current destination region
  char* destination_end_ = nullptr;
  u32 destination_region_ = 0;
};

// --- plan ------------------------------------------------------------------------------------------------------------

void Compaction::next_destination() {
  if (destination_ != nullptr) new_tops_[destination_region_] = destination_;
  while (humongous_stays_[next_region_] != 0) ++next_region_;
  destination_region_ = next_region_++;
  Region* region = space.regions.at(destination_region_);
  destination_ = region->bottom();
  destination_end_ = region->end();
}

// The bytes that the live objects from `granule` on take at `destination` (R5). settle: removes objects from growing_
// that would not move.
u64 Compaction::grown_bytes(u64 granule, u64 limit, const char* destination, bool settle) {
  const char* position = destination;
  while (granule < limit) {
    Object* object = reinterpret_cast<Object*>(MarkBitmap::address_of(granule));
    u64 bytes = bytes_of(object, object->klass());
    if (growing_.is_marked(object)) {
      if (position != reinterpret_cast<char*>(object)) position += layout::object_alignment;
      else if (settle) growing_.unmark(object);
    }
    position += bytes;
    granule = bits_.next_marked(granule + (bytes >> 3), limit);
  }
  return static_cast<u64>(position - destination);
}

void Compaction::plan_region(Region& region) {
  u64 limit = MarkBitmap::granule_of(region.top());
  u64 granule = bits_.next_marked(MarkBitmap::granule_of(region.bottom()), limit);
  while (granule < limit) {
    u64 block = granule >> 6, block_limit = std::min((block + 1) << 6, limit);
    u64 first = granule, live_bytes = 0;
    while (granule < block_limit) {
      Object* object = reinterpret_cast<Object*>(MarkBitmap::address_of(granule));
      const Klass* klass = object->klass();
      u64 bytes = bytes_of(object, klass);
      live_bytes += bytes;
      if (must_store_hash(object->header_word()) && hash_slot(klass, extent_of(object, klass)).appended_bytes != 0)
          [[unlikely]]
        growing_.mark(object);
      granule = bits_.next_marked(granule + (bytes >> 3), limit);
    }
    bool grows = growing_.word(block) != 0;
    u64 needed = grows && destination_ != nullptr ? grown_bytes(first, block_limit, destination_, false) : live_bytes;
    // R2
    if (destination_ == nullptr || needed > static_cast<u64>(destination_end_ - destination_)) next_destination();
    if (grows) live_bytes = grown_bytes(first, block_limit, destination_, true);
    // Bits below the first start belong to an object from an earlier block; the formula counts them, so they are
    // subtracted here.
    u64 tail = bits_.word(block) & ((u64{1} << (first & 63)) - 1);
    destinations_[block] =
        encode(reinterpret_cast<Object*>(destination_)) - static_cast<u32>(__builtin_popcountll(tail));
    destination_ += live_bytes;
    collection_.copied_bytes += live_bytes;
  }
}

void Compaction::plan_humongous(Region& region) {
  Object* object = reinterpret_cast<Object*>(region.bottom());
  if (!is_live(object)) return;
  u64 bytes = object_bytes(object);
  u32 count = space.regions.humongous_region_count(object);
  u32 to = region.index();
  if (move_humongous_) {  // R4
    to = next_region_;
    next_region_ += count;
  }
  destinations_[MarkBitmap::granule_of(object) >> 6] =
      encode(reinterpret_cast<Object*>(space.regions.at(to)->bottom()));
  humongous_.push_back({region.index(), to, count, bytes});
}

void Compaction::plan() {
  u32 count = space.regions.count();
  new_tops_.assign(count, nullptr);
  humongous_stays_.assign(count, 0);
  if (!move_humongous_) {
    space.regions.for_each_used([&](Region& region) {
      if (region.is_humongous() && is_live(reinterpret_cast<Object*>(region.humongous_start()->bottom()))) {
        humongous_stays_[region.index()] = 1;
      }
    });
  }
  space.regions.for_each_used([&](Region& region) TOUCHES_OBJECTS {
    if (region.state() == RegionState::HumongousStart) plan_humongous(region);
    else if (!region.is_humongous()) plan_region(region);
  });
  if (destination_ != nullptr) new_tops_[destination_region_] = destination_;
}

// --- move ------------------------------------------------------------------------------------------------------------

void Compaction::update_roots() {
  std::vector<uptr>& slots = marking_.root_slots;
  // The slot of the pending list is added, as the list may have got its first element during this collection.
  RootVisitorOf pending([&](Object** slot) { slots.push_back(reinterpret_cast<uptr>(slot)); }, [](NarrowRef*) {});
  visit_pending_list(pending);
  // A slot that two providers reported is rewritten once.
  std::sort(slots.begin(), slots.end());
  slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
  for (uptr tagged : slots) {
    if ((tagged & 1) != 0) {
      NarrowRef* slot = reinterpret_cast<NarrowRef*>(tagged & ~uptr{1});
      if (*slot != 0) *slot = new_reference(*slot);
    } else {
      Object** slot = reinterpret_cast<Object**>(tagged);
      if (*slot != nullptr) *slot = new_address(*slot);
    }
  }
}

void Compaction::move_object(Object* object, const Klass* klass, u64 bytes) {
  for_each_slot(object, klass, [&](NarrowRef* slot) {
    if (*slot != 0) *slot = new_reference(*slot);
  });
  Object* target = new_address(object);
  // R3
  KEYHOLE_ASSERT(target <= object, "object {} would slide up to {}", static_cast<void*>(object),
                 static_cast<void*>(target));
  if (target != object) move_bytes(object, target, klass, bytes), ++collection_.slid_objects;
  ++collection_.copied_objects;
}

// Moves the bytes of an object. Returns its new length.
u64 Compaction::move_bytes(Object* object, Object* target, const Klass* klass, u64 bytes) {
  layout::Word word = object->header_word();
  HashSlot slot{};
  if (must_store_hash(word)) [[unlikely]]
    slot = hash_slot(klass, extent_of(object, klass));
  memmove(static_cast<void*>(target), static_cast<void*>(object), bytes);
  // R5: the hash lies below the old end of the object.
  if (must_store_hash(word)) [[unlikely]]
    store_hash(target, object, slot);
  return bytes + slot.appended_bytes;
}

void Compaction::move_region(Region& region) {
  struct Entry {
    Object* object;
    const Klass* klass;
    u64 bytes;
  };
  constexpr u32 ahead = 8;
  constexpr i32 longest_prefetched = 16;  // array elements; a longer array is prefetched by the hardware
  Entry ring[ahead] = {};
  u32 position = 0;
  u64 limit = MarkBitmap::granule_of(region.top());
  u64 granule = bits_.next_marked(MarkBitmap::granule_of(region.bottom()), limit);
  while (granule < limit) {
    Object* object = reinterpret_cast<Object*>(MarkBitmap::address_of(granule));
    const Klass* klass = object->klass();
    u64 bytes = bytes_of(object, klass);
    if (!klass->is_array() || object->length() <= longest_prefetched) {
      for_each_slot(object, klass, [&](NarrowRef* slot) {
        if (*slot == 0) return;
        bits_.prefetch(decode(*slot));
        __builtin_prefetch(destinations_ + (MarkBitmap::granule_of(decode(*slot)) >> 6));
      });
    }
    Entry leaving = ring[position];
    ring[position] = {object, klass, bytes};
    position = (position + 1) % ahead;
    if (leaving.object != nullptr) move_object(leaving.object, leaving.klass, leaving.bytes);
    granule = bits_.next_marked(granule + (bytes >> 3), limit);
  }
  // Moves the rest, oldest first: a destination may overlap objects that still wait in the ring, but does not reach
  // beyond the object that moves.
  for (u32 i = 0; i < ahead; ++i) {
    const Entry& entry = ring[(position + i) % ahead];
    if (entry.object != nullptr) move_object(entry.object, entry.klass, entry.bytes);
  }
}

void Compaction::move() {
  usize next_humongous = 0;
  space.regions.for_each_used([&](Region& region) TOUCHES_OBJECTS {
    if (!region.is_humongous()) return move_region(region);
    if (region.state() != RegionState::HumongousStart || next_humongous == humongous_.size()) return;
    MovedHumongous& moved = humongous_[next_humongous];
    if (moved.from != region.index()) return;  // the object in this region died
    ++next_humongous;
    Object* object = reinterpret_cast<Object*>(region.bottom());
    for_each_slot(object, object->klass(), [&](NarrowRef* slot) {
      if (*slot != 0) *slot = new_reference(*slot);
    });
    if (moved.to == moved.from) return;
    moved.bytes = move_bytes(object, reinterpret_cast<Object*>(space.regions.at(moved.to)->bottom()), object->klass(),
                             moved.bytes);
  });
}

bool Compaction::is_roomy() const {
  u32 used = 0, count = space.regions.count();
  for (char* top : new_tops_) used += top != nullptr;
  for (const MovedHumongous& moved : humongous_) used += moved.regions;
  return used <= count - count / 4;
}

// Sets new states and tops. Memory above a new top has remains of moved objects.
Region* Compaction::finish(LastRegion last) {
  RegionTable& regions = space.regions;
  std::vector<Region*> involved;
  regions.for_each_used([&](Region& region) { involved.push_back(&region); });
  for (u32 i = 0; i < new_tops_.size(); ++i) {
    if (new_tops_[i] != nullptr && regions.at(i)->is_free()) involved.push_back(regions.at(i));
  }
  for (const MovedHumongous& moved : humongous_) {
    for (u32 i = 0; i < moved.regions; ++i) {
      if (regions.at(moved.to + i)->is_free()) involved.push_back(regions.at(moved.to + i));
    }
  }
  for (Region* region : involved) region->transition_to_compacting();
  for (const MovedHumongous& moved : humongous_) {
    Region* start = regions.at(moved.to);
    char* object_end = start->bottom() + moved.bytes;
    start->transition_to_humongous_start(object_end);
    for (u32 i = 1; i < moved.regions; ++i)
      regions.at(moved.to + i)->transition_to_humongous_continues(start, object_end);
    for (u32 i = 0; i < moved.regions; ++i) regions.at(moved.to + i)->set_dirty(true);
  }
  bool keeps = last == LastRegion::KeptIfRoomy && is_roomy();
  Region* kept = nullptr;
  for (Region* region : involved) {
    if (region->state() != RegionState::Compacting) continue;
    char* new_top = new_tops_[region->index()];
    if (new_top == nullptr) {
      if (flags::GCPoisonFromSpace) memset(region->bottom(), 0xDB, region->used_bytes());
      region->transition_to_free();
      continue;
    }
    region->set_top(new_top);
    region->set_dirty(true);
    bool has_room = region->index() == destination_region_ && region->free_bytes() >= Space::minimum_tlab_bytes;
    if (has_room && !keeps) {
      space.offer(region);
      continue;
    }
    region->transition_to_full();
    if (has_room) kept = region;
  }
  regions.recount();
  return kept;
}

Region* Compaction::run(LastRegion last) {
  u64 heap_bytes = u64{space.regions.count()} * space.regions.region_bytes();
  collection_.compacted = true;
  collection_.copied_bytes = collection_.copied_objects = 0;
  marking_.run();

  collection_.begin(Phase::Plan);
  u64 table_bytes = (heap_bytes >> MarkBitmap::block_shift) * sizeof(u32);
  void* table = mmap(nullptr, table_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  KEYHOLE_CHECK(table != MAP_FAILED, "no memory for the compaction table of {} bytes", table_bytes);
  destinations_ = static_cast<u32*>(table);
  plan();

  collection_.begin(Phase::Move);
  update_roots();
  move();
  // Only now are the objects at their new addresses. The bits still show which were live.
  sync::update_references(
      [](Object* object, void* context) -> Object* {
        Compaction& self = *static_cast<Compaction*>(context);
        return self.is_live(object) ? self.new_address(object) : nullptr;
      },
      this);
  threads::mark_continuations_dirty();
  collection_.begin(Phase::Release);
  Region* kept = finish(last);
  munmap(table, table_bytes);
  collection_.references.advance_clock();
  return kept;
}

}  // namespace

Region* compacting_collection(Collection& collection, bool move_humongous, LastRegion last, u32 workers) {
  return Compaction(collection, move_humongous, workers).run(last);
}

}  // namespace keyhole::gc
