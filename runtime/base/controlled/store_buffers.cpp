// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Adds stores to buffers, applies and undoes them, and flushes them. Rules: store_buffers.h.
#include "runtime/base/controlled/store_buffers.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "runtime/base/controlled/execution.h"

namespace keyhole::controlled::store_buffers {

namespace {

struct Entry {
  u64 location, place;
  u64 value = 0;  // read from memory by seal(), after the handler has stored
  u64 below = 0;  // while applied: the value that the store has overwritten
  u32 event;
  u8 bytes;
  bool races;
};

struct Buffer {
  std::vector<Entry> entries;  // the oldest one first
  bool is_fresh = false;
  bool is_sealed = true;  // the value of the youngest entry is known
};

Buffer buffers[max_strands / 2];
Buffer& buffer(u32 strand) { return buffers[strand / 2]; }

u64 read(const Entry& entry) {
  u64 value = 0;
  memcpy(&value, reinterpret_cast<const void*>(entry.location), entry.bytes);
  return value;
}
void write(const Entry& entry, u64 value) { memcpy(reinterpret_cast<void*>(entry.location), &value, entry.bytes); }

// Reads the value of the youngest entry from memory: the running strand's handler has written it after add(). Must be
// called before the next store.
void seal(Buffer& own) {
  if (!own.is_sealed) own.entries.back().value = read(own.entries.back());
  own.is_sealed = true;
}

}  // namespace

bool is_empty(u32 strand) { return buffer(strand).entries.empty(); }
bool is_fresh(u32 strand) { return buffer(strand).is_fresh; }
void age(u32 strand) { buffer(strand).is_fresh = false; }
u64 oldest_location(u32 strand) { return buffer(strand).entries.front().location; }

bool has_store_of(u32 strand, u32 event) {
  return std::ranges::any_of(buffer(strand).entries, [&](const Entry& entry) { return entry.event == event; });
}

void add(u32 strand, u64 location, u32 bytes, u64 place, u32 event, bool races) {
  Buffer& own = buffer(strand);
  seal(own);
  own.is_fresh = own.entries.empty();
  Entry entry{.location = location, .place = place, .event = event, .bytes = static_cast<u8>(bytes), .races = races};
  entry.below = read(entry);
  own.entries.push_back(entry);
  own.is_sealed = false;
}

void leave(u32 strand) {
  Buffer& own = buffer(strand);
  seal(own);
  for (usize i = own.entries.size(); i-- != 0;) write(own.entries[i], own.entries[i].below);
}

void enter(u32 strand) {
  for (Entry& entry : buffer(strand).entries) {
    entry.below = read(entry);
    write(entry, entry.value);
  }
}

Flushed flush(u32 strand, u32 running) {
  Buffer& own = buffer(strand);
  // The running strand's buffer stays applied. Its younger entries need no update: `below` is the flushed value, if
  // they overwrite it.
  bool is_applied = strand == running;
  if (is_applied) seal(own);
  else leave(running);
  const Entry& oldest = own.entries.front();
  Flushed flushed{oldest.location, oldest.place, oldest.value, oldest.event};
  usize count = 0;
  do {
    if (!is_applied) write(own.entries[count], own.entries[count].value);
    ++count;
  } while (count < own.entries.size() && !own.entries[count].races);
  own.entries.erase(own.entries.begin(), own.entries.begin() + static_cast<i64>(count));
  own.is_fresh = own.is_fresh && !own.entries.empty();
  if (!is_applied) enter(running);
  return flushed;
}

}  // namespace keyhole::controlled::store_buffers
