// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Keeps the table of numbered objects, in shards.
#include "runtime/recorder/object_numbers.h"

#include <atomic>
#include <memory_resource>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/base/mutex.h"
#include "runtime/object/klass.h"
#include "runtime/recorder/placeholders.h"
#include "runtime/recorder/recorder.h"
#include "runtime/recorder/texts.h"

namespace keyhole::recorder {

namespace {

struct Known {
  u32 number;
  u32 class_name;  // a text
};
// Most numbered objects are locked once and die, and new objects lie side by side. So the table keeps neighbours
// together: std::hash keeps the order of keys, the objects of a page are in one shard, and entries come from a pool in
// the order of their numbers.
using Map = std::pmr::unordered_map<u32, Known>;
struct Table {
  std::pmr::unsynchronized_pool_resource pool{{.max_blocks_per_chunk = 1024, .largest_required_pool_block = 64}};
  Map map{&pool};
};

struct Shard {
  Mutex mutex{LockRank::recorded_objects};
  Table* table GUARDED_BY(mutex) = nullptr;  // made on demand, never destroyed
  Map& map() REQUIRES(mutex) {
    if (table == nullptr) table = new Table;
    return table->map;
  }
};
constexpr u32 shard_count = 16;
constinit Shard shards[shard_count];
std::atomic<u32> last_number{0};

// Says for each page of the heap whether an object there may have a number; several pages share an entry. So no thread
// waits for a shard to learn that a new object has no number.
constexpr u32 pages_log2 = 14;
std::atomic<u8> pages_with_numbers[1u << pages_log2];
std::atomic<u8>& page_of(u32 key) { return pages_with_numbers[((key >> 9) * 0x9E37'79B9u) >> (32 - pages_log2)]; }
// Called before the shard's lock is released: a thread that has seen the object's lock held finds the page marked.
void mark_page(u32 key) {
  if (page_of(key).load(std::memory_order_relaxed) == 0) page_of(key).store(1, std::memory_order_relaxed);
}

Mutex class_names_mutex{LockRank::recorded_objects};
// The texts of the classes' names, by klass id; 0: not made yet.
std::vector<u32>& class_names() REQUIRES(class_names_mutex) {
  static auto* names = new std::vector<u32>;
  return *names;
}

Shard& shard_of(u32 key) { return shards[((key >> 9) * 0x9E37'79B9u) >> 28]; }

u32 look_up_class_name(const Klass* klass) {
  {
    MutexLock guard(class_names_mutex);
    if (klass->id < class_names().size() && class_names()[klass->id] != 0) return class_names()[klass->id];
  }
  u32 name = text(klass->name->dotted());
  MutexLock guard(class_names_mutex);
  if (klass->id >= class_names().size()) class_names().resize(klass->id + 64);
  class_names()[klass->id] = name;
  return name;
}
u32 class_name(const Klass* klass, Ring* ring) {
  if (const u32* known = ring->class_names.find(klass->id + 1)) return *known;
  u32 name = look_up_class_name(klass);
  ring->class_names.put(klass->id + 1, name);
  return name;
}

}  // namespace

Numbered number_for(const Object* object) {
  u32 key = address_key(object);
  Ring* ring = own_ring != nullptr ? own_ring : make_ring();
  if (const u32* number = ring->objects.find(key)) return {*number, false};
  u32 name = class_name(const_cast<Object*>(object)->klass(), ring);
  Known known{0, name};
  bool is_new = false;
  {
    Shard& shard = shard_of(key);
    MutexLock guard(shard.mutex);
    auto [place, inserted] = shard.map().try_emplace(key);
    if (inserted) {
      place->second = {last_number.fetch_add(1, std::memory_order_relaxed) + 1, name};
      mark_page(key);
    }
    known = place->second;
    is_new = inserted;
  }
  if (is_new && is_on(Family::objects)) record(Kind::object, known.number, known.class_name);
  ring->objects.put(key, known.number);
  return {known.number, is_new};
}
u32 look_up_number(const Object* object) { return number_for(object).number; }

u32 placeholder_for(const Klass* klass) {
  u32 number = last_number.fetch_add(1, std::memory_order_relaxed) + 1;
  if (is_on(Family::objects)) record(Kind::object, number, text(klass->name->dotted() + std::string(one_shot_suffix)));
  return number;
}

u32 known_number_of(const Object* object) {
  u32 key = address_key(object);
  if (page_of(key).load(std::memory_order_relaxed) == 0) return 0;
  Shard& shard = shard_of(key);
  MutexLock guard(shard.mutex);
  auto found = shard.map().find(key);
  return found == shard.map().end() ? 0 : found->second.number;
}

// Thread safety is not analysed: all threads that could take a number are stopped.
void update_objects(Object* (*forward)(Object*, void*), void* context) NO_THREAD_SAFETY_ANALYSIS {
  if (last_number.load(std::memory_order_relaxed) == 0) return;
  bool shown = is_on(Family::objects);
  std::vector<std::pair<u32, Known>> moved;
  for (Shard& shard : shards) {
    for (auto place = shard.map().begin(); place != shard.map().end();) {
      auto [key, known] = *place;
      const Object* now = forward(reinterpret_cast<Object*>(uptr{key} << 3), context);
      if (now != nullptr && address_key(now) == key) {
        ++place;
        continue;
      }
      if (now != nullptr) moved.emplace_back(address_key(now), known);
      if (shown) {
        if (now == nullptr) record(Kind::died, known.number);
        else record(Kind::moved, known.number, address_key(now));
      }
      place = shard.map().erase(place);
    }
  }
  for (const auto& [key, known] : moved) shard_of(key).map()[key] = known;
  for (std::atomic<u8>& page : pages_with_numbers) page.store(0, std::memory_order_relaxed);
  for (Shard& shard : shards) {
    for (const auto& [key, known] : shard.map()) mark_page(key);
  }
  for (Ring* ring = first_ring(); ring != nullptr; ring = ring->next) ring->objects.clear();
  forget_sites();
}

void forget_classes() {
  MutexLock guard(class_names_mutex);
  class_names().clear();
  for (Ring* ring = first_ring(); ring != nullptr; ring = ring->next) ring->class_names.clear();
}

void record_known_objects() {
  std::vector<Known> all;
  for (Shard& shard : shards) {
    MutexLock guard(shard.mutex);
    for (const auto& [key, known] : shard.map()) all.push_back(known);
  }
  for (const Known& known : all) record(Kind::object, known.number, known.class_name);
}

}  // namespace keyhole::recorder
