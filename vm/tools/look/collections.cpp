// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds collections and safepoints in one pass over the events, because there is at most one of each at any time.
#include "vm/tools/look/collections.h"

#include <algorithm>
#include <optional>

namespace keyhole::look {

using recorder::Entry;
using recorder::Kind;

Collections collections_of(const recorder::Recording& recording) {
  Collections found;
  constexpr i64 unknown = -1;
  std::optional<Pause> pause;
  std::optional<Safepoint> safepoint;
  i64 last = recording.entries.empty() ? 0 : recording.entries.back().nanoseconds;
  for (usize i = 0; i < recording.entries.size(); ++i) {
    const Entry& entry = recording.entries[i];
    i64 now = entry.nanoseconds;
    switch (entry.kind) {
      case Kind::pause_begin: pause = {now, last, entry.a, entry.b, entry.thread, static_cast<u32>(i), {}, {}}; break;
      case Kind::phase:
        if (pause) pause->phases.push_back({entry.a, now});
        break;
      case Kind::work_begin:
        if (pause) pause->works.push_back({entry.thread, entry.detail, now, unknown});
        break;
      case Kind::work_end: {
        if (!pause) break;
        auto is_its = [&](const Work& work) { return work.thread == entry.thread && work.end == unknown; };
        auto its = std::ranges::find_if(pause->works, is_its);
        if (its != pause->works.end()) its->end = now;
        break;
      }
      case Kind::pause_end:
        if (!pause) break;
        pause->end = now;
        pause->kind = entry.a;
        found.pauses.push_back(*std::exchange(pause, {}));
        break;
      case Kind::safepoint_request: safepoint = {now, last, last, entry.a, entry.thread, static_cast<u32>(i)}; break;
      case Kind::safepoint_reached:
        if (safepoint) safepoint->reached = now;
        break;
      case Kind::safepoint_resume:
        if (!safepoint) break;
        safepoint->resume = now;
        found.safepoints.push_back(*std::exchange(safepoint, {}));
        break;
      default: break;
    }
  }
  if (pause) found.pauses.push_back(*pause);
  for (Pause& each : found.pauses) {
    for (Work& work : each.works) work.end = work.end == unknown ? each.end : work.end;
  }
  if (safepoint) found.safepoints.push_back(*safepoint);
  return found;
}

}  // namespace keyhole::look
