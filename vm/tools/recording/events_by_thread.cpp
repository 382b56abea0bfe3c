// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Sorts the events of carriers by virtual thread.
#include "vm/tools/recording/events_by_thread.h"

#include <algorithm>

#include "runtime/recorder/carriers.h"

namespace keyhole::recording {

EventsByThread::EventsByThread(recorder::RecordingFile& file, bool (*wants)(Kind)) : file_(file) {
  file.sort_by_thread();
  file.for_each_block([this](u32, u64, const std::vector<Event>& events) {
    has_virtual_threads_ |=
        std::ranges::any_of(events, [](const Event& event) { return static_cast<Kind>(event.kind) == Kind::mounted; });
  });
  if (!has_virtual_threads_) return;
  recorder::Carriers carriers;
  file.for_each_block([&](u32 ring, u64 base, const std::vector<Event>& events) {
    for (const Event& event : events) {
      Kind kind = static_cast<Kind>(event.kind);
      u32 actor = carriers.who_acts(ring, event);
      if (!wants(kind)) continue;
      if (kind == Kind::mounted || kind == Kind::unmounted) actor = event.a;
      sorted_[actor].push_back({file.nanoseconds(file.ticks(base, event)), event});
    }
  });
  for (auto& [thread, events] : sorted_) std::ranges::stable_sort(events, {}, &Timed::nanoseconds);
}

}  // namespace keyhole::recording
