// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Turns frames into events and names, and ticks into nanoseconds.
#include "runtime/recorder/recording_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <tuple>

#include "runtime/recorder/ring.h"

namespace keyhole::recorder {

namespace {

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

// Unpacks the payload of a frame. Returns false if the frame is damaged.
bool unpack(const file::FrameHeader& header, std::string_view stored, std::string& payload) {
  if (header.codec != file::Codec::zstd) {
    payload = stored;
    return true;
  }
  if (header.raw_bytes / file::zstd_best_ratio > stored.size()) return false;
  payload.assign(header.raw_bytes, '\0');
  return file::decompress(stored, payload);
}

}  // namespace

RecordingFile::RecordingFile(const std::string& path) : path_(path) {
  bytes_ = read_whole(path, problem);
  if (!problem.empty()) return;
  std::string_view rest = bytes_;
  u64 table;
  if (!rest.starts_with(file::magic) || rest.size() < file::magic.size() + sizeof table) {
    problem = fmt::format("{} is not a recording", path);
    return;
  }
  memcpy(&table, rest.data() + file::magic.size(), sizeof table);
  if (table != file::table_hash()) {
    problem = fmt::format("{} was recorded by another version of Keyhole, whose events are others", path);
    return;
  }
  rest.remove_prefix(file::magic.size() + sizeof table);

  bool ended = false;
  std::string payload;
  while (!rest.empty()) {
    Frame frame;
    frame.offset = bytes_.size() - rest.size();
    file::FrameHeader& header = frame.header;
    constexpr u32 longest = 64 << 20;  // the longest frame, so that a damaged length allocates no more
    bool whole = rest.size() >= sizeof header;
    if (whole) memcpy(static_cast<void*>(&header), rest.data(), sizeof header);
    whole = whole && header.magic == file::frame_magic && header.raw_bytes <= longest &&
            rest.size() - sizeof header >= header.stored_bytes;
    if (whole) {
      frame.stored = rest.substr(sizeof header, header.stored_bytes);
      switch (header.kind) {
        case file::FrameKind::events:
          whole = takes_events(header);
          if (!whole) break;
          event_count_ += header.count;
          event_bytes += sizeof header + header.stored_bytes;
          frames_.push_back(frame);
          break;
        case file::FrameKind::names:
          whole = unpack(header, frame.stored, payload) && read_names(payload);
          names_bytes_ += payload.size();
          break;
        case file::FrameKind::clock: clocks_.push_back({header.base, header.nanoseconds}); break;
        case file::FrameKind::end: ended = true; break;
        default: whole = false;
      }
    }
    if (!whole) {
      note_damage(frame.offset);
      break;
    }
    rest.remove_prefix(sizeof header + header.stored_bytes);
  }
  complete = ended && problem.empty();
  forget_impossible_texts();
  calibrate();
}

bool RecordingFile::takes_events(const file::FrameHeader& header) const {
  return header.count <= block_capacity && event_count_ + header.count <= events_of_a_byte * bytes_.size();
}

// Drops texts with impossible numbers: the recorder numbers texts from 1 on, and writes each of them.
void RecordingFile::forget_impossible_texts() {
  usize forgotten = std::erase_if(texts, [this](const auto& entry) { return entry.first > names_bytes_; });
  if (forgotten == 0) return;
  complete = false;
  if (problem.empty()) problem = fmt::format("{} is damaged: it has names with numbers that it cannot hold", path_);
}

void RecordingFile::note_damage(usize offset) {
  complete = false;
  if (problem.empty())
    problem = fmt::format("{} is damaged or incomplete after {} bytes; shown is what came before", path_, offset);
}

bool RecordingFile::read_names(std::string_view names) {
  while (!names.empty()) {
    u32 number;
    u16 length;
    constexpr usize head = 1 + sizeof number + sizeof length;
    if (names.size() < head) return false;
    memcpy(&number, names.data() + 1, sizeof number);
    memcpy(&length, names.data() + 1 + sizeof number, sizeof length);
    if (names.size() < head + length) return false;
    std::string name(names.substr(head, length));
    if (static_cast<file::NameKind>(names[0]) == file::NameKind::text) texts[number] = std::move(name);
    else threads[number] = std::move(name);
    names.remove_prefix(head + length);
  }
  return true;
}

bool RecordingFile::read_events(const Frame& frame, std::vector<Event>& events) {
  const file::FrameHeader& header = frame.header;
  std::string payload;
  bool in_rows = header.codec == file::Codec::events_in_rows;
  bool whole = unpack(header, frame.stored, payload) &&
               payload.size() == usize{header.count} * (in_rows ? sizeof(Event) : file::column_bytes);
  if (whole) {
    events.resize(header.count);
    if (in_rows) memcpy(events.data(), payload.data(), payload.size());
    else file::decode_columns(payload.data(), events);
    whole = std::ranges::all_of(events, [](const Event& event) { return event.kind < kind_count; });
  }
  if (!whole) note_damage(frame.offset);
  return whole;
}

void RecordingFile::sort_by_thread() {
  std::ranges::sort(
      frames_, {}, [](const Frame& frame) { return std::tuple(frame.header.thread, frame.header.base, frame.offset); });
}

// Computes the length of a tick from the first and the last reading of both clocks. It is constant between them: the
// counter runs at a constant rate, and CLOCK_MONOTONIC is slewed by less than the time that a reading of both takes.
void RecordingFile::calibrate() {
  std::ranges::sort(clocks_, {}, &Clock::ticks);
  if (clocks_.empty() || clocks_.back().ticks == clocks_.front().ticks) return;
  f64 length = (static_cast<f64>(clocks_.back().nanoseconds) - static_cast<f64>(clocks_.front().nanoseconds)) /
               static_cast<f64>(clocks_.back().ticks - clocks_.front().ticks);
  constexpr f64 fastest = 0.01, slowest = 1000;  // processors count every 0.2 to 1 ns
  if (length >= fastest && length <= slowest) tick_length_ = length;
}

i64 RecordingFile::nanoseconds(u64 ticks) const {
  u64 first = clocks_.empty() ? 0 : clocks_.front().ticks;
  constexpr f64 longest = 1e18;  // thirty years; only a damaged file exceeds it
  return static_cast<i64>(
      std::clamp(static_cast<f64>(static_cast<i64>(ticks - first)) * tick_length_, -longest, longest));
}

}  // namespace keyhole::recorder
