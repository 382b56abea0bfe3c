// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The hash of a kind is the sum of one hash per location. A location's hash covers the changes of the location in
// order, and for each read the change that the read saw. So the hash does not depend on the order of reads, nor on the
// order of operations at different locations.
#include "vm/tools/explore/kinds.h"

namespace keyhole::explore {

u64 kind_of(const Execution& execution) {
  constexpr u64 prime = 0x100000001B3;
  struct Location {
    u64 version = 0xCBF29CE484222325;
    u64 reads = 0;
    controlled::StrandSet users = 0;
  };
  std::unordered_map<u64, Location> locations;
  for (u32 i = execution.root_events; i < execution.event_count; ++i) {
    const Event& event = execution.events[i];
    // A store changes its location when it is flushed.
    using controlled::Kind;
    if (event.is_quiet || event.kind == Kind::yield || event.kind == Kind::store || event.kind == Kind::drain) continue;
    if (event.kind == Kind::acquire_fence || event.kind == Kind::release_fence) continue;
    Location& location = locations[event.location];
    location.users |= controlled::bit_of(event.strand);
    u64 hash = location.version;
    for (u64 value : {u64{event.strand}, static_cast<u64>(event.kind) | u64{event.older} << 8, event.place})
      hash = (hash ^ value) * prime;
    if (row(event.kind).changes) location.version = hash;
    else location.reads += hash * prime;
  }
  u64 sum = 0;
  for (const auto& [address, location] : locations) {
    if (location.users != 0 && !controlled::has_one(location.users))
      sum += (location.version * 0x9E3779B97F4A7C15) ^ (location.reads >> 7) ^ location.reads;
  }
  return sum;
}

}  // namespace keyhole::explore
