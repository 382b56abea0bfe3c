// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Frames to events, ticks to nanoseconds.
#include "runtime/recorder/recording.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "runtime/recorder/file.h"
#include "runtime/recorder/lock_order.h"

namespace keyhole::recorder {

namespace {

struct Clock {
  u64 ticks;
  i64 nanoseconds;
};

struct Raw {
  u64 ticks;
  u32 thread;
  u32 order;   // in the file
  Event event;
};

// Between the first and the last reading of both clocks a tick has one length: the counter runs at a constant rate, and
// what CLOCK_MONOTONIC is slewed by is less than what a reading of both costs.
class Scale {
 public:
  explicit Scale(const std::vector<Clock>& clocks) {
    if (clocks.empty()) return;
    first_ = clocks.front();
    const Clock& last = clocks.back();
    if (last.ticks > first_.ticks)
      length_ = static_cast<f64>(last.nanoseconds - first_.nanoseconds) / static_cast<f64>(last.ticks - first_.ticks);
  }
  i64 nanoseconds(u64 ticks) const {
    return static_cast<i64>(static_cast<f64>(static_cast<i64>(ticks - first_.ticks)) * length_);
  }

 private:
  Clock first_{};
  f64 length_ = 1;
};

std::string read_whole(const std::string& path, std::string& problem) {
  std::string bytes;
  FILE* file = fopen(path.c_str(), "re");
  if (file == nullptr) {
    problem = fmt::format("cannot read {}: {}", path, strerror(errno));
    return bytes;
  }
  char buffer[65536];
  while (usize count = fread(buffer, 1, sizeof buffer, file)) bytes.append(buffer, count);
  if (ferror(file) != 0) problem = fmt::format("cannot read {}: {}", path, strerror(errno));
  fclose(file);
  return bytes;
}

bool read_names(std::string_view names, Recording& recording) {
  while (!names.empty()) {
    u32 number;
    u16 length;
    constexpr usize head = 1 + sizeof number + sizeof length;
    if (names.size() < head) return false;
    memcpy(&number, names.data() + 1, sizeof number);
    memcpy(&length, names.data() + 1 + sizeof number, sizeof length);
    if (names.size() < head + length) return false;
    std::string name(names.substr(head, length));
    if (static_cast<file::NameKind>(names[0]) == file::NameKind::text) recording.texts[number] = std::move(name);
    else recording.threads[number] = std::move(name);
    names.remove_prefix(head + length);
  }
  return true;
}

bool read_events(const file::FrameHeader& header, std::string_view payload, std::vector<Raw>& raw) {
  bool in_rows = header.codec == file::Codec::events_in_rows;
  if (payload.size() != usize{header.count} * (in_rows ? sizeof(Event) : file::column_bytes)) return false;
  std::vector<Event> events(header.count);
  if (in_rows) memcpy(events.data(), payload.data(), payload.size());
  else file::decode_columns(payload.data(), events);
  for (const Event& event : events) {
    if (event.kind >= kind_count) return false;
    raw.push_back({header.base + (u64{event.time} << tick_shift), header.thread, static_cast<u32>(raw.size()), event});
  }
  return true;
}

bool is_before(const Raw& left, const Raw& right) {
  return left.ticks != right.ticks ? left.ticks < right.ticks : left.order < right.order;
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
  Recording recording;
  std::string bytes = read_whole(path, recording.problem);
  if (!recording.problem.empty()) return recording;
  std::string_view rest = bytes;
  u64 table;
  if (!rest.starts_with(file::magic) || rest.size() < file::magic.size() + sizeof table) {
    recording.problem = fmt::format("{} is not a recording", path);
    return recording;
  }
  memcpy(&table, rest.data() + file::magic.size(), sizeof table);
  if (table != file::table_hash()) {
    recording.problem = fmt::format("{} was recorded by another version of Keyhole, whose events are others", path);
    return recording;
  }
  rest.remove_prefix(file::magic.size() + sizeof table);

  std::vector<Raw> raw;
  std::vector<Clock> clocks;
  bool ended = false;
  while (!rest.empty()) {
    file::FrameHeader header;
    constexpr u32 longest = 64 << 20;   // no frame is longer than that, so a damaged length does not ask for memory
    bool whole = rest.size() >= sizeof header;
    if (whole) memcpy(static_cast<void*>(&header), rest.data(), sizeof header);
    whole = whole && header.magic == file::frame_magic && header.raw_bytes <= longest &&
            rest.size() - sizeof header >= header.stored_bytes;
    std::string payload;
    if (whole) {
      std::string_view stored = rest.substr(sizeof header, header.stored_bytes);
      payload = header.codec == file::Codec::zstd ? std::string(header.raw_bytes, '\0') : std::string(stored);
      if (header.codec == file::Codec::zstd) whole = file::decompress(stored, payload);
    }
    if (whole) {
      switch (header.kind) {
        case file::FrameKind::events:
          recording.event_bytes += sizeof header + header.stored_bytes;
          whole = read_events(header, payload, raw);
          break;
        case file::FrameKind::names: whole = read_names(payload, recording); break;
        case file::FrameKind::clock: clocks.push_back({header.base, header.nanoseconds}); break;
        case file::FrameKind::end: ended = true; break;
        default: whole = false;
      }
    }
    if (!whole) {
      recording.problem = fmt::format("{} is damaged or incomplete after {} bytes; shown is what came before", path,
                                      bytes.size() - rest.size());
      break;
    }
    rest.remove_prefix(sizeof header + header.stored_bytes);
  }
  recording.complete = ended && recording.problem.empty();

  std::sort(raw.begin(), raw.end(), is_before);
  std::sort(clocks.begin(), clocks.end(),
            [](const Clock& left, const Clock& right) { return left.ticks < right.ticks; });
  Scale scale(clocks);
  recording.entries.reserve(raw.size());
  for (const Raw& each : raw) {
    const Event& event = each.event;
    Kind kind = static_cast<Kind>(event.kind);
    recording.entries.push_back(
        {scale.nanoseconds(each.ticks), each.thread, kind, event.detail, event.a, event.b});
    if (kind == Kind::object) recording.class_of[event.a] = event.b;
  }
  put_enters_behind_exits(recording.entries);
  return recording;
}

}  // namespace keyhole::recorder
