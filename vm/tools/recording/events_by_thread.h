// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A recording's events thread by thread, each thread's events in the order of time.
//
//     rings of carriers   v1 v1 | v2 | v1      v2 | v3          a file has them ring by ring
//     by thread           v1 v1 v1   v2 v2   v3                 what a virtual thread did on all its carriers
//
// A recording without virtual threads is read block by block in each pass, because unpacked it may be larger than
// memory. A recording with virtual threads is sorted in memory, at 24 bytes for each event of the wanted kinds.
#pragma once

#include <map>
#include <vector>

#include "runtime/recorder/recording_file.h"

namespace keyhole::recording {

class EventsByThread {
 public:
  using Event = recorder::Event;
  using Kind = recorder::Kind;

  // `wants`: selects the kinds of events to keep; a sorted recording drops all other kinds. The file must outlive this
  // object.
  EventsByThread(recorder::RecordingFile& file, bool (*wants)(Kind));

  // Calls handle(thread, event, nanoseconds) for each event. Events `mounted` and `unmounted` belong to the virtual
  // thread.
  template <typename Handle> void for_each(Handle handle) {
    if (has_virtual_threads_) {
      for (const auto& [thread, events] : sorted_) {
        for (const Timed& each : events) handle(thread, each.event, each.nanoseconds);
      }
      return;
    }
    file_.for_each_block([&](u32 thread, u64 base, const std::vector<Event>& events) {
      for (const Event& event : events) handle(thread, event, file_.nanoseconds(file_.ticks(base, event)));
    });
  }

 private:
  struct Timed {
    i64 nanoseconds;
    Event event;
  };

  recorder::RecordingFile& file_;
  bool has_virtual_threads_ = false;
  std::map<u32, std::vector<Timed>> sorted_;
};

}  // namespace keyhole::recording
