// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds races by vector clocks over the events of an execution. Rules: races.h.
#include "vm/tools/explore/races.h"

#include <algorithm>
#include <unordered_map>

namespace keyhole::explore {

namespace {

using controlled::Kind;

// A vector clock. For each strand: one more than the number of its last event that the clock covers.
struct Clock {
  u32 covered[controlled::max_strands] = {};

  void add(const Clock& other, u32 strands) {
    for (u32 i = 0; i < strands; ++i) covered[i] = std::max(covered[i], other.covered[i]);
  }
};

struct Access {
  u32 event = 0;
  u32 strand = 0;
  u64 place = 0;
  bool is_plain = false;
  bool exists = false;
};

struct Location {
  Access write;
  std::vector<Access> reads;  // by strand: its last read since the last write
};

}  // namespace

void find_races(const Execution& execution, const std::function<void(u64 place)>& found) {
  u32 strands = execution.strand_count;
  std::vector<Clock> clocks(strands);
  std::unordered_map<u64, Clock> released;
  std::unordered_map<u64, Location> locations;
  for (u32 i = 0; i < execution.event_count; ++i) {
    const Event& event = execution.events[i];
    if (event.strand >= strands || event.kind == Kind::flush) continue;
    Clock& clock = clocks[event.strand];
    const controlled::KindRow& kind = row(event.kind);
    // An acquiring read that sees an older write acquires nothing from the last one.
    if (kind.acquires && event.older == 0) {
      if (auto at = released.find(event.location); at != released.end()) clock.add(at->second, strands);
    }
    clock.covered[event.strand] = i + 1;
    if (is_access(event.kind)) {
      Location& location = locations[event.location];
      Access own{i, event.strand, event.place, !kind.is_choice, true};
      auto compare = [&](const Access& earlier) {
        if (!earlier.exists || earlier.strand == own.strand || earlier.event < clock.covered[earlier.strand]) return;
        if (own.is_plain) found(own.place);
        if (earlier.is_plain) found(earlier.place);
      };
      compare(location.write);
      if (controlled::writes(event.kind)) {
        for (const Access& read : location.reads) compare(read);
        location.reads.clear();
        location.write = own;
      } else {
        std::erase_if(location.reads, [&](const Access& read) { return read.strand == own.strand; });
        location.reads.push_back(own);
      }
    }
    if (kind.releases) released[event.location].add(clock, strands);
  }
}

}  // namespace keyhole::explore
