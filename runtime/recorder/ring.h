// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Ring: the block that a recording thread fills, and its cache of numbers that it has looked up.
#pragma once

#include <array>
#include <atomic>

#include "runtime/recorder/event.h"

namespace keyhole::recorder {

inline constexpr u32 block_capacity = 8192;  // events: 128 KiB

struct Block {
  // The owner writes thread and base before it publishes the block in its ring, or hands it over.
  u32 thread = 0;
  u64 base = 0;               // ticks
  std::atomic<u32> count{0};  // R1
  u32 written = 0;            // events that are in a frame already; under the recorder's lock
  Block* next = nullptr;      // in the queue or the pool; under the recorder's lock
  std::array<Event, block_capacity> events;
};

// A direct-mapped cache of look-ups. Its owner uses it; the collector clears it while the world is stopped.
template <typename Key> class Remembered {
 public:
  u32* find(Key key) {
    Entry& entry = entries_[slot(key)];
    return entry.key == key ? &entry.number : nullptr;
  }
  void put(Key key, u32 number) { entries_[slot(key)] = {key, number}; }
  void clear() { entries_ = {}; }

 private:
  static constexpr u32 size_log2 = 8;
  struct Entry {
    Key key{};
    u32 number = 0;
  };
  static u32 slot(Key key) {
    u64 bits;
    if constexpr (sizeof(Key) == 8) bits = reinterpret_cast<u64>(key);
    else bits = key;
    return static_cast<u32>((bits * 0x9E37'79B9'7F4A'7C15) >> (64 - size_log2));
  }
  std::array<Entry, 1u << size_log2> entries_{};
};

struct Ring {
  u64 base = 0;
  u32 used = 0;
  Block* block = nullptr;
  u32 thread = 0;
  Remembered<u32> objects;        // by address in units of 8 bytes
  Remembered<u32> class_names;    // by the klass's id + 1
  Remembered<const void*> sites;  // by the instruction's address
  Ring* next = nullptr;           // in the list of all rings ever made; never changes
  std::atomic<bool> in_use{true};
};

extern thread_local constinit Ring* own_ring;

Ring* make_ring();
// Gives the ring a new block, which begins at `ticks`.
void next_block(Ring* ring, u64 ticks);
// The newest ring; the others follow by `next`. Rings of ended threads are among them until they are reused.
Ring* first_ring();

}  // namespace keyhole::recorder
