// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of numbered objects, in shards.
#include "runtime/recorder/object_numbers.h"

#include <atomic>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/base/mutex.h"
#include "runtime/object/klass.h"
#include "runtime/recorder/recorder.h"
#include "runtime/recorder/texts.h"

namespace keyhole::recorder {

namespace {

struct Known {
  u32 number;
  u32 class_name;   // a text
};
using Map = std::unordered_map<u32, Known>;

struct Shard {
  Mutex mutex{LockRank::recorded_objects};
  Map* map GUARDED_BY(mutex) = nullptr;   // made on demand, never destroyed
};
constexpr u32 shard_count = 16;
constinit Shard shards[shard_count];
std::atomic<u32> last_number{0};

Mutex class_names_mutex{LockRank::recorded_objects};
// By klass id: the text of its name, 0 = not asked for yet.
std::vector<u32>& class_names() REQUIRES(class_names_mutex) {
  static auto* names = new std::vector<u32>;
  return *names;
}

Shard& shard_of(u32 key) { return shards[(key * 0x9E37'79B9u) >> 28]; }

u32 class_name(const Klass* klass) {
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

}  // namespace

u32 look_up_number(const Object* object) {
  u32 key = address_key(object);
  Ring* ring = own_ring != nullptr ? own_ring : make_ring();
  u32 name = class_name(const_cast<Object*>(object)->klass());
  Known known{0, name};
  bool is_new = false;
  {
    Shard& shard = shard_of(key);
    MutexLock guard(shard.mutex);
    if (shard.map == nullptr) shard.map = new Map;
    auto [place, inserted] = shard.map->try_emplace(key);
    if (inserted) place->second = {last_number.fetch_add(1, std::memory_order_relaxed) + 1, name};
    known = place->second;
    is_new = inserted;
  }
  if (is_new && is_on(Family::objects)) record(Kind::object, known.number, known.class_name);
  ring->objects.put(key, known.number);
  return known.number;
}

u32 known_number_of(const Object* object) {
  u32 key = address_key(object);
  Shard& shard = shard_of(key);
  MutexLock guard(shard.mutex);
  if (shard.map == nullptr) return 0;
  auto found = shard.map->find(key);
  return found == shard.map->end() ? 0 : found->second.number;
}

// Not analysed: all threads that could take a number are stopped.
void update_objects(Object* (*forward)(Object*, void*), void* context) NO_THREAD_SAFETY_ANALYSIS {
  if (last_number.load(std::memory_order_relaxed) == 0) return;
  bool shown = is_on(Family::objects);
  std::vector<std::pair<u32, Known>> moved;
  for (Shard& shard : shards) {
    if (shard.map == nullptr) continue;
    for (auto place = shard.map->begin(); place != shard.map->end();) {
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
      place = shard.map->erase(place);
    }
  }
  for (const auto& [key, known] : moved) {
    Shard& shard = shard_of(key);
    if (shard.map == nullptr) shard.map = new Map;
    (*shard.map)[key] = known;
  }
  for (Ring* ring = first_ring(); ring != nullptr; ring = ring->next) ring->objects.clear();
  forget_sites();
}

void forget_classes() {
  MutexLock guard(class_names_mutex);
  class_names().clear();
}

void record_known_objects() {
  std::vector<Known> all;
  for (Shard& shard : shards) {
    MutexLock guard(shard.mutex);
    if (shard.map == nullptr) continue;
    for (const auto& [key, known] : *shard.map) all.push_back(known);
  }
  for (const Known& known : all) record(Kind::object, known.number, known.class_name);
}

}  // namespace keyhole::recorder
