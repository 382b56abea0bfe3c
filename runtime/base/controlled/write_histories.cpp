// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Clocks, histories, and the choice of writes that a read may see. Rules: write_histories.h.
#include "runtime/base/controlled/write_histories.h"

#include <algorithm>
#include <cstring>
#include <unordered_map>
#include <vector>

#include "runtime/base/controlled/strands.h"

namespace keyhole::controlled::write_histories {

namespace {

class Clock {
 public:
  bool covers(u32 strand, u32 event) const { return strand < covered_.size() && event < covered_[strand]; }
  bool is_empty() const { return covered_.empty(); }
  u32 at(u32 strand) const { return strand < covered_.size() ? covered_[strand] : 0; }
  void set(u32 strand, u32 covered) {
    if (strand >= covered_.size()) covered_.resize(strand + 1);
    covered_[strand] = covered;
  }
  void join(const Clock& other) {
    if (other.covered_.size() > covered_.size()) covered_.resize(other.covered_.size());
    for (usize i = 0; i < other.covered_.size(); ++i) covered_[i] = std::max(covered_[i], other.covered_[i]);
  }

 private:
  std::vector<u32> covered_;
};

struct Write {
  u64 value = 0;
  u32 event = 0, strand = 0;
  bool is_first = false;  // the value before the history: everything happens after it
  bool is_sealed = true;  // `value` is known
  Kind kind = Kind::write;
  Clock clock = {};     // of the strand, with the write
  Clock released = {};  // M5; empty: it releases nothing
};
struct CoherentRead {  // M4
  u32 event, strand, write_event;
};
struct History {
  u32 bytes = 0;
  std::vector<Write> writes;  // in the order of events
  std::vector<CoherentRead> reads;
};

// What a strand knows of an object whose reference it has read without an order (M7).
struct Knowledge {
  Clock finals;  // what happened before its final fields were frozen
  Clock all;     // the strand has reached the object through a final field
};
struct Frozen {
  u32 strand = 0;
  Clock clock;
};

struct StrandState {
  Clock clock;
  Clock not_acquired;      // M5: released by the writes that the strand has seen, for an acquire fence
  Clock at_release_fence;  // M5
  std::unordered_map<u64, Knowledge> known;  // by object
};
StrandState states[max_strands];
std::unordered_map<u64, Clock> released;  // by location
std::unordered_map<u64, History> histories;
std::unordered_map<u64, Frozen> frozen;    // by object
std::unordered_map<u64, Clock> published;  // by object

std::vector<u32> candidates;  // indexes of the writes that visible_writes() found, the last one first
const Write* seen = nullptr;  // by the last read
std::vector<u64> unsealed;    // locations
struct Patch {
  u64 location, last;
  u32 bytes;
};
std::vector<Patch> patches;  // M1

u64 read_memory(u64 location, u32 bytes) {
  u64 value = 0;
  memcpy(&value, reinterpret_cast<const void*>(location), bytes);
  return value;
}
void write_memory(u64 location, u32 bytes, u64 value) { memcpy(reinterpret_cast<void*>(location), &value, bytes); }

bool covers(const Clock& clock, const Write& write) {
  return write.is_first || clock.covers(write.strand, write.event);
}
bool happens_before(const Write& one, const Write& other) {
  return !other.is_first && &one != &other && covers(other.clock, one);
}
u32 order_of(const Write& write) { return write.is_first ? 0 : write.event + 1; }

bool is_plain(Kind kind) { return kind == Kind::read || kind == Kind::write; }
bool acquires_what_it_sees(Kind kind) { return kind == Kind::acquire_read || kind == Kind::volatile_read; }
bool releases_itself(Kind kind) {
  return kind == Kind::release_write || kind == Kind::volatile_write || kind == Kind::update;
}

// The strand's clock, with what it knows of the object whose field it reads (M7).
Clock clock_for(const StrandState& state, const Operation& read) {
  Clock clock = state.clock;
  if (auto at = state.known.find(read.holder); at != state.known.end()) {
    clock.join(at->second.all);
    if (read.is_final) clock.join(at->second.finals);
  }
  if (auto at = published.find(read.holder); at != published.end()) clock.join(at->second);
  return clock;
}

// M4
u32 oldest_coherent(const History& history, const Clock& clock, Kind kind) {
  u32 oldest = 0;
  for (const Write& write : history.writes) {
    bool is_visible_to_all =
        kind == Kind::volatile_read && (write.kind == Kind::volatile_write || write.kind == Kind::update);
    if (is_visible_to_all || covers(clock, write)) oldest = std::max(oldest, order_of(write));
  }
  for (const CoherentRead& read : history.reads)
    if (clock.covers(read.strand, read.event)) oldest = std::max(oldest, read.write_event);
  return oldest;
}

}  // namespace

void order(u32 strand, u32 event, const Operation& operation) {
  StrandState& state = states[strand];
  const KindRow& kind = row(operation.kind);
  // What a weak access acquires depends on the write that it sees (M5), not on its location.
  bool is_weak = operation.kind == Kind::acquire_read || operation.kind == Kind::release_write;
  if (operation.kind == Kind::acquire_fence || operation.kind == Kind::full_fence) state.clock.join(state.not_acquired);
  if (kind.acquires && !is_weak) {
    if (auto at = released.find(operation.location); at != released.end()) state.clock.join(at->second);
  }
  state.clock.set(strand, event + 1);
  if (kind.releases && !is_weak) released[operation.location].join(state.clock);
  if (operation.kind == Kind::release_fence || operation.kind == Kind::full_fence) state.at_release_fence = state.clock;
}

u32 visible_writes(u32 strand, const Operation& read) {
  candidates.clear();
  seen = nullptr;
  auto at = histories.find(read.location);
  if (at == histories.end()) return 0;
  const History& history = at->second;
  Clock clock = clock_for(states[strand], read);
  u32 oldest = is_plain(read.kind) ? 0 : oldest_coherent(history, clock, read.kind);
  for (usize i = history.writes.size(); i-- != 0;) {
    const Write& write = history.writes[i];
    bool is_hidden = order_of(write) < oldest;
    if (is_plain(read.kind)) {  // M3
      is_hidden = std::ranges::any_of(
          history.writes, [&](const Write& other) { return happens_before(write, other) && covers(clock, other); });
    }
    // Of writes that differ in nothing that a read could see, the last one is enough.
    bool is_equal = std::ranges::any_of(candidates, [&](u32 other) {
      const Write& later = history.writes[other];
      return later.value == write.value && later.released.is_empty() && write.released.is_empty() &&
             is_plain(read.kind) && !read.is_reference;
    });
    if (!is_hidden && !is_equal) candidates.push_back(static_cast<u32>(i));
  }
  return static_cast<u32>(candidates.size());
}

void see(u32 strand, const Operation& read, u32 event, u32 older) {
  if (candidates.empty()) return;
  History& history = histories[read.location];
  const Write& write = history.writes[candidates[older]];
  seen = &write;
  StrandState& state = states[strand];
  if (!is_plain(read.kind)) history.reads.push_back({event, strand, order_of(write)});
  if (!write.released.is_empty())
    (acquires_what_it_sees(read.kind) ? state.clock : state.not_acquired).join(write.released);
  if (&write == &history.writes.back()) return;
  patches.push_back({read.location, read_memory(read.location, history.bytes), history.bytes});
  write_memory(read.location, history.bytes, write.value);
}

void see_reference(u32 strand, const Operation& read, u64 object) {
  StrandState& state = states[strand];
  if (object == 0 || (frozen.empty() && published.empty() && state.known.empty())) return;
  if (seen != nullptr && !seen->is_first && seen->strand != strand) {
    auto at = frozen.find(object);
    bool is_frozen_before =
        at != frozen.end() && seen->clock.at(at->second.strand) > at->second.clock.at(at->second.strand);
    if (is_frozen_before) state.known[object].finals.join(at->second.clock);
    const auto& of_writer = states[seen->strand].known;
    if (auto known = of_writer.find(object); known != of_writer.end()) {
      state.known[object].finals.join(known->second.finals);
      state.known[object].all.join(known->second.all);
    }
  }
  Clock through;
  if (auto holder = state.known.find(read.holder); holder != state.known.end()) {
    through = holder->second.all;
    if (read.is_final) through.join(holder->second.finals);
  }
  if (auto holder = published.find(read.holder); holder != published.end()) through.join(holder->second);
  if (!through.is_empty()) state.known[object].all.join(through);
}

void add(u32 strand, const Operation& write, u32 event, bool races) {
  if (write.bytes == 0) return;
  auto at = histories.find(write.location);
  if (at == histories.end()) {
    if (!races && is_plain(write.kind)) return;
    at = histories.try_emplace(write.location).first;
    at->second.bytes = write.bytes;
    at->second.writes.push_back({.value = read_memory(write.location, write.bytes), .is_first = true});
  }
  History& history = at->second;
  StrandState& state = states[strand];
  std::erase_if(patches, [&](const Patch& patch) { return patch.location == write.location; });
  if (write.kind == Kind::update) {
    state.clock.join(history.writes.back().released);
    history.reads.push_back({event, strand, order_of(history.writes.back())});
  }
  if (history.writes.size() == max_writes) history.writes.erase(history.writes.begin());
  Write added{.event = event, .strand = strand, .is_sealed = false, .kind = write.kind, .clock = state.clock};
  added.released = releases_itself(write.kind) ? state.clock : state.at_release_fence;
  history.writes.push_back(std::move(added));
  unsealed.push_back(write.location);
}

void settle() {
  for (const Patch& patch : patches) write_memory(patch.location, patch.bytes, patch.last);
  patches.clear();
  for (u64 location : unsealed) {
    History& history = histories[location];
    Write& last = history.writes.back();
    last.value = read_memory(location, history.bytes);
    last.is_sealed = true;
    // A compare-and-set that failed has written nothing.
    bool is_no_write = last.kind == Kind::update && history.writes.size() > 1 &&
                       history.writes[history.writes.size() - 2].value == last.value;
    if (is_no_write) history.writes.pop_back();
  }
  unsealed.clear();
}

void freeze(u32 strand, u64 object) { frozen[object] = {strand, states[strand].clock}; }

void publish(u32 strand, u64 object) { published[object].join(states[strand].clock); }

// An address of an object is even, so the initialization of a class has a location that nothing else has.
void release_class(u32 strand, u64 mirror) { released[mirror | 1].join(states[strand].clock); }
void acquire_class(u32 strand, u64 mirror) {
  if (auto at = released.find(mirror | 1); at != released.end()) states[strand].clock.join(at->second);
}

}  // namespace keyhole::controlled::write_histories
