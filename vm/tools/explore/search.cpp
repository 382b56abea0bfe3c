// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements the queues of the preemption-bounded search. Rules: search.h.
#include "vm/tools/explore/search.h"

#include <algorithm>
#include <bit>

namespace keyhole::explore {

void Bounded::restart() {
  nodes_.clear();
  queues_.assign(1, {});
  level_ = 0;
  current_ = none;
  has_begun_ = is_running_ = false;
  executed_ = 0;
}

bool Bounded::next(Schedule& schedule) {
  schedule = {};
  if (!has_begun_) {
    has_begun_ = is_running_ = true;
    current_ = none;
    return true;
  }
  while (level_ < queues_.size() && queues_[level_].empty() && level_ < bound_) ++level_;
  if (level_ >= queues_.size() || queues_[level_].empty()) return false;
  current_ = queues_[level_].back();
  queues_[level_].pop_back();
  for (u32 node = current_; node != none; node = nodes_[node].parent) schedule.steps.push_back(nodes_[node].step);
  std::ranges::reverse(schedule.steps);
  is_running_ = true;
  return true;
}

void Bounded::learn(const Execution& execution) {
  is_running_ = false;
  bool is_root = current_ == none;
  if (!is_root || shard_ == 0) ++executed_;
  u32 first_deviation = 0;
  Step last = current_ == none ? Step{} : nodes_[current_].step;
  u32 first = current_ == none ? 0 : last.event + 1;
  auto add = [&](u32 level, const Step& step) {
    if (queues_.size() <= level) queues_.resize(level + 1);
    queues_[level].push_back(static_cast<u32>(nodes_.size()));
    nodes_.push_back({current_, step});
  };
  // B5
  bool may_see_older = current_ != none && last.older == 0;
  for (u32 i = may_see_older ? last.event : first; i < execution.event_count && !has_overflown(); ++i) {
    const Event& event = execution.events[i];
    for (u32 older = 1; older < event.visible; ++older) add(level_ + 1, {i, event.strand, older});
    if (!event.is_choice || i < first) continue;
    for (controlled::StrandSet others = event.enabled & ~controlled::bit_of(event.strand); others != 0;
         others &= others - 1) {
      if (is_root && first_deviation++ % shards_ != shard_) continue;  // B4
      u32 strand = controlled::first_of(others);
      add(level_ + (is_preemption(event, strand) ? 1 : 0), {i, strand});
    }
  }
}

bool Bounded::is_complete() const {
  return has_begun_ && !is_running_ && !has_overflown() &&
         std::ranges::all_of(queues_, [](const auto& queue) { return queue.empty(); });
}

std::optional<u32> Bounded::finished_bound() const {
  if (!has_begun_ || has_overflown()) return {};
  bool is_level_done = !is_running_ && (level_ >= queues_.size() || queues_[level_].empty());
  if (is_level_done) return level_;
  if (level_ == 0) return {};
  return level_ - 1;
}

}  // namespace keyhole::explore
