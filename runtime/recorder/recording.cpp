// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// All blocks of a file, sorted.
#include "runtime/recorder/recording.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "runtime/recorder/carriers.h"
#include "runtime/recorder/lock_order.h"
#include "runtime/recorder/recording_file.h"

namespace keyhole::recorder {

namespace {

struct Raw {
  u64 ticks;
  u64 base;  // base of its block
  u32 thread;
  u32 order;  // place in the file
  Event event;
};

// Compares by time, thread, block and place: the last event of a block and the first of the thread's next one may have
// the same time, and blocks in the file are not in the order of time.
bool is_before(const Raw& left, const Raw& right) {
  return std::tie(left.ticks, left.thread, left.base, left.order) <
         std::tie(right.ticks, right.thread, right.base, right.order);
}

}  // namespace

const std::string& Recording::text(u32 number) const {
  static const std::string none, missing = "?";
  if (number == 0) return none;
  auto found = texts.find(number);
  return found == texts.end() ? missing : found->second;
}

std::string Recording::thread_name(u32 id) const {
  auto found = threads.find(id);
  if (found != threads.end() && !found->second.empty()) return found->second;
  return id == 0 ? "nobody" : fmt::format("thread {}", id);
}

Recording read_recording(const std::string& path) {
  RecordingFile file(path);
  std::vector<Raw> raw;
  file.for_each_block([&](u32 thread, u64 base, const std::vector<Event>& events) {
    for (const Event& event : events)
      raw.push_back({file.ticks(base, event), base, thread, static_cast<u32>(raw.size()), event});
  });
  std::sort(raw.begin(), raw.end(), is_before);

  Recording recording;
  recording.entries.reserve(raw.size());
  Carriers carriers;
  std::set<u32> virtual_threads;
  for (const Raw& each : raw) {
    const Event& event = each.event;
    Kind kind = static_cast<Kind>(event.kind);
    u32 thread = carriers.who_acts(each.thread, event);
    recording.entries.push_back({file.nanoseconds(each.ticks), thread, kind, event.detail, event.a, event.b});
    if (kind == Kind::mounted) virtual_threads.insert(event.a);
    if (kind == Kind::object) recording.class_of[event.a] = event.b;
  }
  put_enters_after_exits(recording.entries);
  recording.texts = std::move(file.texts);
  recording.threads = std::move(file.threads);
  for (u32 id : virtual_threads) {
    if (std::string& name = recording.threads[id]; name.empty()) name = fmt::format("virtual {}", id);
  }
  recording.complete = file.complete;
  recording.problem = std::move(file.problem);
  recording.event_bytes = file.event_bytes;
  recording.largest_table = file.largest_table();
  return recording;
}

}  // namespace keyhole::recorder
