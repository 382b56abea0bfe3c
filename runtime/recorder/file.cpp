// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Frames, columns and zstd.
#include "runtime/recorder/file.h"

#include <sys/uio.h>
#include <unistd.h>
#include <zstd.h>

#include <cerrno>
#include <vector>

#include "runtime/base/fnv_hash.h"

namespace keyhole::recorder::file {

u64 table_hash() {
  std::string text;
  for (const Row& row : rows) {
    text += row.name;
    for (const Field& field : {row.a, row.b, row.detail}) {
      text += static_cast<char>('A' + static_cast<int>(field.type));
      text += field.name;
    }
    text += '\n';
  }
  return fnv_hash(text);
}

namespace {

// There is one loop for each byte of a field. The compiler vectorizes it, sixteen events at a time. A single loop over
// all bytes of all events would take twenty times as long.
template <typename Value> char* put_columns(const Value* values, usize count, char* columns) {
  for (usize byte = 0; byte < sizeof(Value); ++byte, columns += count) {
    for (usize i = 0; i < count; ++i) columns[i] = static_cast<char>(values[i] >> (8 * byte));
  }
  return columns;
}
template <typename Value> const char* get_columns(const char* columns, usize count, Value* values) {
  for (usize i = 0; i < count; ++i) values[i] = 0;
  for (usize byte = 0; byte < sizeof(Value); ++byte, columns += count) {
    for (usize i = 0; i < count; ++i)
      values[i] = static_cast<Value>(values[i] | Value{static_cast<u8>(columns[i])} << (8 * byte));
  }
  return columns;
}

// Writes field(event) of all events, or its difference from that of the event before, as columns.
template <typename Value, typename Field>
void collect(std::span<const Event> events, bool differences, Field field, std::vector<Value>& values) {
  values.resize(events.size());
  for (usize i = 0; i < events.size(); ++i) values[i] = field(events[i]);
  if (!differences) return;
  for (usize i = events.size(); i-- > 1;) values[i] -= values[i - 1];
}

}  // namespace

void encode_columns(std::span<const Event> events, char* columns) {
  usize count = events.size();
  std::vector<u32> words;
  auto put_differences = [&](auto field) {
    collect(events, true, field, words);
    columns = put_columns(words.data(), count, columns);
  };
  put_differences([](const Event& event) { return event.time; });
  std::vector<u8> kinds;
  collect(events, false, [](const Event& event) { return static_cast<u8>(event.kind); }, kinds);
  columns = put_columns(kinds.data(), count, columns);
  std::vector<u16> details;
  collect(events, false, [](const Event& event) { return event.detail; }, details);
  columns = put_columns(details.data(), count, columns);
  put_differences([](const Event& event) { return event.a; });
  put_differences([](const Event& event) { return event.b; });
}

void decode_columns(const char* columns, std::span<Event> events) {
  usize count = events.size();
  std::vector<u32> words(count);
  auto get_differences = [&](u32 Event::* field) {
    columns = get_columns(columns, count, words.data());
    u32 value = 0;
    for (usize i = 0; i < count; ++i) events[i].*field = value += words[i];
  };
  get_differences(&Event::time);
  std::vector<u8> kinds(count);
  columns = get_columns(columns, count, kinds.data());
  std::vector<u16> details(count);
  columns = get_columns(columns, count, details.data());
  for (usize i = 0; i < count; ++i) events[i].kind = kinds[i], events[i].detail = details[i];
  get_differences(&Event::a);
  get_differences(&Event::b);
}

std::string compress(std::string_view payload) {
  constexpr int level = 1;  // fast enough to keep up with the events
  std::string stored(ZSTD_compressBound(payload.size()), '\0');
  usize size = ZSTD_compress(stored.data(), stored.size(), payload.data(), payload.size(), level);
  if (ZSTD_isError(size) != 0 || size >= payload.size()) return {};
  stored.resize(size);
  return stored;
}

bool decompress(std::string_view stored, std::span<char> payload) {
  usize size = ZSTD_decompress(payload.data(), payload.size(), stored.data(), stored.size());
  return ZSTD_isError(size) == 0 && size == payload.size();
}

bool write_frame(int file_descriptor, FrameHeader header, std::string_view payload) {
  header.stored_bytes = static_cast<u32>(payload.size());
  iovec parts[2] = {{&header, sizeof header}, {const_cast<char*>(payload.data()), payload.size()}};
  usize at = 0;
  while (at < 2) {
    ssize_t written = writev(file_descriptor, parts + at, static_cast<int>(2 - at));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    usize left = static_cast<usize>(written);
    while (at < 2 && left >= parts[at].iov_len) left -= parts[at++].iov_len;
    if (at == 2) break;
    parts[at].iov_base = static_cast<char*>(parts[at].iov_base) + left;
    parts[at].iov_len -= left;
  }
  return true;
}

}  // namespace keyhole::recorder::file
