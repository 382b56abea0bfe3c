// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads and writes big-endian numbers and counted strings.
#include "vm/tools/jdwp/packet.h"

namespace keyhole::jdwp {

std::span<const u8> Reader::read_bytes(usize count) {
  if (count > data_.size()) {
    ok_ = false;
    data_ = {};
    return {};
  }
  std::span<const u8> bytes = data_.first(count);
  data_ = data_.subspan(count);
  return bytes;
}

u64 Reader::take(usize count) {
  u64 value = 0;
  for (u8 byte : read_bytes(count)) value = value << 8 | byte;
  return value;
}

std::string_view Reader::read_string() {
  std::span<const u8> bytes = read_bytes(static_cast<u32>(read_i32()));
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

u32 Reader::read_count(usize least_element_bytes) {
  u32 count = static_cast<u32>(read_i32());
  if (count <= data_.size() / least_element_bytes) return count;
  ok_ = false;
  return 0;
}

void Writer::put(u64 value, usize count) {
  for (usize i = count; i-- > 0;) bytes_.push_back(static_cast<u8>(value >> (8 * i)));
}

void Writer::write_string(std::string_view text) {
  write_i32(static_cast<i32>(text.size()));
  bytes_.insert(bytes_.end(), text.begin(), text.end());
}

usize Writer::place_count() {
  write_i32(0);
  return bytes_.size() - 4;
}

void Writer::set_count(usize place, u32 count) {
  for (usize i = 0; i < 4; ++i) bytes_[place + i] = static_cast<u8>(count >> (8 * (3 - i)));
}

}  // namespace keyhole::jdwp
