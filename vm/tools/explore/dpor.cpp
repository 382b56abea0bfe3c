// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements DPOR: the stack of nodes, race detection by vector clocks, and the choice of initials. Rules: dpor.h.
#include "vm/tools/explore/dpor.h"

#include <algorithm>
#include <bit>
#include <deque>
#include <unordered_map>

namespace keyhole::explore {

namespace {

using controlled::bit_of;
using controlled::conflict;
using controlled::first_of;
using controlled::Kind;
using controlled::StrandSet;

// D2
bool may_race(const Event& event) {
  switch (event.kind) {
    case Kind::exit:
    case Kind::wait:
    case Kind::notify:
    case Kind::start:
    case Kind::begin:
    case Kind::resume:
    case Kind::end:
    case Kind::yield:
    case Kind::store:
    case Kind::drain:
    case Kind::acquire_fence:
    case Kind::release_fence: return false;
    default: return !event.is_quiet;
  }
}

using EventClock = std::vector<u32>;
void join(EventClock& clock, const EventClock& other) {
  for (usize i = 0; i < clock.size(); ++i) clock[i] = std::max(clock[i], other[i]);
}

constexpr u32 none = UINT32_MAX;

// The most recent events at a location: its last change, and the reads since.
struct History {
  u32 last_change = none;
  std::vector<u32> reads;  // since then
};

}  // namespace

bool Dpor::next(Schedule& schedule) {
  schedule = {};
  schedule.is_reduced = true;
  if (!has_begun_) {
    has_begun_ = true;
    branch_ = none;
    return true;
  }
  while (!nodes_.empty()) {
    Node& node = nodes_.back();
    StrandSet asleep = 0;
    for (const Sleeper& sleeper : node.sleepers) asleep |= bit_of(sleeper.strand);
    bool has_older = node.event.older + 1 < node.event.visible;  // D8
    StrandSet left = node.wanted & ~node.tried & ~asleep;
    if (left == 0 && !has_older) {
      nodes_.pop_back();
      continue;
    }
    u32 strand = has_older ? node.event.strand : first_of(left);
    branch_ = static_cast<u32>(nodes_.size()) - 1;
    for (u32 i = 0; i < branch_; ++i) {
      const Event& event = nodes_[i].event;
      if (event.deviates) schedule.steps.push_back({i, event.strand});
      if (event.older != 0) schedule.steps.push_back({i, event.strand, event.older});
    }
    if (!has_older || node.event.deviates) schedule.steps.push_back({branch_, strand});
    if (has_older) schedule.steps.push_back({branch_, strand, node.event.older + 1u});
    schedule.sleepers = node.sleepers;
    schedule.sleepers.insert(schedule.sleepers.end(), node.finished.begin(), node.finished.end());
    node.tried |= bit_of(strand);
    return true;
  }
  is_over_ = true;
  return false;
}

// Adds the last execution to the tree: its events replace all nodes after the point where it deviated from the
// execution before it.
void Dpor::extend(const Execution& execution) {
  u32 first = branch_ == none ? 0 : branch_;
  std::vector<Sleeper> sleepers;
  if (branch_ != none) {
    sleepers = nodes_[branch_].sleepers;
    sleepers.insert(sleepers.end(), nodes_[branch_].finished.begin(), nodes_[branch_].finished.end());
  }
  nodes_.resize(std::min<usize>(nodes_.size(), first + (branch_ == none ? 0 : 1)));
  for (u32 i = first; i < execution.event_count; ++i) {
    const Event& event = execution.events[i];
    if (i != branch_) {
      nodes_.emplace_back();
      nodes_.back().sleepers = sleepers;
    }
    Node& node = nodes_[i];
    node.event = event;
    node.tried |= bit_of(event.strand);
    node.wanted |= bit_of(event.strand);
    std::erase_if(node.finished, [&](const Sleeper& sleeper) { return sleeper.strand == event.strand; });
    node.finished.push_back({event.strand, event.kind, event.location});
    // D4
    std::erase_if(sleepers, [&](const Sleeper& sleeper) {
      return sleeper.strand == event.strand || conflict(sleeper.kind, sleeper.location, event.kind, event.location);
    });
  }
}

void Dpor::learn(const Execution& execution) {
  if (execution.outcome.load() != Outcome::redundant) ++executed_;
  if (execution.event_count >= controlled::max_events) has_overflown_ = true;
  is_outside_ |= execution.timed_out;
  strands_ = execution.strand_count;
  has_buffers_ = execution.memory == controlled::Memory::tso;
  u32 first = branch_ == none ? 0 : branch_;
  extend(execution);
  find_races(first);
}

// Computes the vector clocks of all events. For each race whose later event is new, schedules an execution with the two
// events in reverse order (D3).
void Dpor::find_races(u32 first) {
  std::vector<EventClock> strand_clocks(strands_, EventClock(strands_));
  std::unordered_map<u64, EventClock> released;
  std::unordered_map<u64, History> histories;
  std::vector<std::deque<u32>> stores(strands_);  // by strand: the stores that wait in its buffer
  clocks_.assign(nodes_.size(), {});
  for (u32 i = 0; i < nodes_.size(); ++i) {
    const Event& event = nodes_[i].event;
    const controlled::KindRow& kind = row(event.kind);
    EventClock& clock = strand_clocks[event.strand];
    is_outside_ |= event.kind == Kind::interrupt;
    // D7
    if (event.kind == Kind::flush) {
      std::deque<u32>& waiting = stores[controlled::owner_of(event.strand)];
      join(clock, clocks_[waiting.front()]);
      waiting.pop_front();
    }
    if (has_buffers_ && kind.drains) join(clock, strand_clocks[controlled::buffer_of(event.strand)]);
    EventClock before = clock;
    std::vector<u32> earlier;
    if (may_race(event)) {
      History& history = histories[event.location];
      if (history.last_change != none) earlier.push_back(history.last_change);
      if (kind.changes) earlier.insert(earlier.end(), history.reads.begin(), history.reads.end());
      for (u32 other : earlier) join(clock, clocks_[other]);
      if (kind.changes) history = {.last_change = i, .reads = {}};
      else history.reads.push_back(i);
    }
    if (kind.acquires) {
      if (auto at = released.find(event.location); at != released.end()) join(clock, at->second);
    }
    if (event.kind == Kind::store) stores[event.strand].push_back(i);
    clock[event.strand] = i + 1;
    clocks_[i] = clock;
    if (kind.releases) {
      auto [at, is_new] = released.try_emplace(event.location, EventClock(strands_));
      join(at->second, clock);
    }
    if (i < first) continue;
    for (u32 other : earlier) {
      const Event& first_event = nodes_[other].event;
      if (first_event.strand != event.strand && before[first_event.strand] <= other) want_initial(other, i);
    }
  }
}

// D3
void Dpor::want_initial(u32 earlier, u32 later) {
  Node& node = nodes_[earlier];
  u32 earlier_strand = node.event.strand;
  StrandSet seen = 0, initials = 0;
  std::vector<u32> order;
  for (u32 i = earlier + 1; i <= later; ++i) {
    // Skips events that happen after the race's earlier event: they are not in the sequence v of D3. The race's later
    // event is in v, because only the race orders it after the earlier one.
    if (i != later && clocks_[i][earlier_strand] > earlier) continue;
    u32 strand = nodes_[i].event.strand;
    if (!controlled::contains(seen, strand)) {
      bool has_predecessor = std::ranges::any_of(order, [&](u32 other) {
        u32 other_strand = nodes_[other].event.strand;
        return other_strand != strand && clocks_[i][other_strand] > other;
      });
      if (!has_predecessor) initials |= bit_of(strand);
    }
    seen |= bit_of(strand);
    order.push_back(i);
  }
  initials &= node.event.enabled;
  // D5: none of the strands that could reverse the race (D3: the initials) can run at this node, for example because
  // they wait for held locks. So the search tries every strand that can run.
  if (initials == 0) {
    node.wanted |= node.event.enabled;
    return;
  }
  if ((initials & node.wanted) != 0) return;
  StrandSet own = initials & bit_of(nodes_[later].event.strand);
  node.wanted |= own != 0 ? own : initials & (~initials + 1);
}

}  // namespace keyhole::explore
