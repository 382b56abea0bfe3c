// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Frames, columns and zstd.
#include "runtime/recorder/file.h"

#include <sys/uio.h>
#include <unistd.h>
#include <zstd.h>

#include <cerrno>

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

// Column `index` of `bytes` columns, all `count` long, behind `offset` bytes per event.
template <typename Value> void put(char* columns, usize offset, usize count, usize at, Value value) {
  for (usize byte = 0; byte < sizeof(Value); ++byte)
    columns[(offset + byte) * count + at] = static_cast<char>(value >> (8 * byte));
}
template <typename Value> Value get(const char* columns, usize offset, usize count, usize at) {
  u64 value = 0;
  for (usize byte = 0; byte < sizeof(Value); ++byte)
    value |= u64{static_cast<u8>(columns[(offset + byte) * count + at])} << (8 * byte);
  return static_cast<Value>(value);
}

}  // namespace

void encode_columns(std::span<const Event> events, char* columns) {
  usize count = events.size();
  Event before{};
  for (usize i = 0; i < count; ++i) {
    const Event& event = events[i];
    put<u32>(columns, 0, count, i, event.time - before.time);
    put<u8>(columns, 4, count, i, static_cast<u8>(event.kind));
    put<u16>(columns, 5, count, i, event.detail);
    put<u32>(columns, 7, count, i, event.a - before.a);
    put<u32>(columns, 11, count, i, event.b - before.b);
    before = event;
  }
}

void decode_columns(const char* columns, std::span<Event> events) {
  usize count = events.size();
  Event before{};
  for (usize i = 0; i < count; ++i) {
    Event& event = events[i];
    event.time = before.time + get<u32>(columns, 0, count, i);
    event.kind = get<u8>(columns, 4, count, i);
    event.detail = get<u16>(columns, 5, count, i);
    event.a = before.a + get<u32>(columns, 7, count, i);
    event.b = before.b + get<u32>(columns, 11, count, i);
    before = event;
  }
}

std::string compress(std::string_view payload) {
  constexpr int level = 1;   // what is written as fast as it comes
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
