// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of shadows.
#include "runtime/threads/races/shadow.h"

namespace keyhole::races {

namespace {

constexpr u32 shard_bits = 6;

// Made at the first use, never destroyed: threads may outlive static destructors.
Shard* shards() {
  static auto* made = new Shard[1u << shard_bits];
  return made;
}

constexpr u64 mix(u64 key) { return key * 0x9E37'79B9'7F4A'7C15; }

}  // namespace

Variable& Variables::slot_for(u64 key) {
  usize mask = table_.size() - 1;
  usize i = (mix(key) >> 32) & mask;
  while (table_[i].key != 0 && table_[i].key != key) i = (i + 1) & mask;
  return table_[i];
}

void Variables::grow() {
  std::vector<Variable> old = std::exchange(table_, std::vector<Variable>(table_.empty() ? 4 : table_.size() * 2));
  for (Variable& each : old) {
    if (each.key == 0) continue;
    u64 key = each.key;
    slot_for(key) = std::move(each);
  }
}

Variable& Variables::at(u64 offset) {
  if (u64{count_} * 4 >= u64{table_.size()} * 3) grow();
  Variable& found = slot_for(offset + 1);
  if (found.key == 0) {
    found.key = offset + 1;
    ++count_;
  }
  return found;
}

SharedClock& Shadow::clock_at(u64 offset) {
  for (auto& [known, clock] : clocks)
    if (known == offset) return clock;
  return clocks.emplace_back(offset, std::make_shared<Clock>()).second;
}

Shard& shard_of(const Object* object) {
  return shards()[mix(reinterpret_cast<uptr>(object) >> 3) >> (64 - shard_bits)];
}

SharedClock clock_of(const Object* object, u64 offset) {
  bool is_memory = object == nullptr;
  if (is_memory) object = reinterpret_cast<const Object*>(std::exchange(offset, 0));
  Shard& shard = shard_of(object);
  MutexLock guard(shard.mutex);
  Shadow& shadow = shard.shadows[object];
  shadow.is_memory = is_memory;
  return shadow.clock_at(offset);
}

SharedClock find_clock(const Object* object, u64 offset) {
  Shard& shard = shard_of(object);
  MutexLock guard(shard.mutex);
  auto found = shard.shadows.find(object);
  if (found == shard.shadows.end()) return nullptr;
  for (auto& [known, clock] : found->second.clocks)
    if (known == offset) return clock;
  return nullptr;
}

std::vector<SharedClock> clocks_of(const Object* object) {
  std::vector<SharedClock> clocks;
  Shard& shard = shard_of(object);
  MutexLock guard(shard.mutex);
  auto found = shard.shadows.find(object);
  if (found == shard.shadows.end()) return clocks;
  for (auto& [offset, clock] : found->second.clocks) clocks.push_back(clock);
  return clocks;
}

// Thread safety is not analysed: the world is stopped. Memory outside the heap does not move.
void update_shadows(Object* (*forward)(Object*, void*), void* context) NO_THREAD_SAFETY_ANALYSIS {
  std::vector<decltype(Shard::shadows)::node_type> moved;
  for (u32 i = 0; i < 1u << shard_bits; ++i) {
    auto& shadows = shards()[i].shadows;
    for (auto at = shadows.begin(); at != shadows.end();) {
      auto each = at++;
      if (each->second.is_memory) continue;
      const Object* now = forward(const_cast<Object*>(each->first), context);
      if (now == each->first) continue;
      auto node = shadows.extract(each);
      if (now == nullptr) continue;
      node.key() = now;
      moved.push_back(std::move(node));
    }
  }
  for (auto& node : moved) shard_of(node.key()).shadows.insert(std::move(node));
}

}  // namespace keyhole::races
