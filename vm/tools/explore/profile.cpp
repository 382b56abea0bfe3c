// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Counts the choice points of an execution, by strand and location.
#include "vm/tools/explore/profile.h"

#include <map>
#include <string_view>

namespace keyhole::explore {

Profile::Profile(const Execution& execution) : parents_(controlled::max_strands) {
  // number of operations of each strand, by location. The map is sorted, so equal executions have the same order.
  std::map<u64, std::vector<u32>> weights;
  std::vector<u32> all(controlled::max_strands);
  for (u32 i = execution.root_events; i < execution.event_count; ++i) {
    const Event& event = execution.events[i];
    bool may_change = row(event.kind).is_choice || has_place(execution, event.place);
    if (!may_change || event.is_quiet) continue;
    std::vector<u32>& counts = weights[event.location];
    counts.resize(controlled::max_strands);
    ++counts[event.strand];
    ++all[event.strand];
  }
  for (auto& [location, counts] : weights) {
    if (std::ranges::count_if(counts, [](u32 count) { return count != 0; }) > 1) focuses_.push_back({location, counts});
  }
  focuses_.push_back({0, all});
  for (u32 i = 0; i < execution.strand_count; ++i) {
    std::string_view name = execution.names[i];
    usize point = name.rfind('.');
    for (u32 other = 0; other < i && point != name.npos; ++other)
      if (name.substr(0, point) == execution.names[other]) parents_[i] = static_cast<u8>(other);
  }
}

Schedule Profile::schedule(u64 seed) const {
  const Focus& focus = focuses_[seed % focuses_.size()];
  return {
      .policy = Policy::weighted, .seed = seed, .focus = focus.location, .weights = focus.weights, .parents = parents_};
}

}  // namespace keyhole::explore
