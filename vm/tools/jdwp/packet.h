// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads and writes the contents of packets in network byte order.
//
//   | length (4) | id (4) | flags (1) | command set (1), command (1) | data ...     a command
//   | length (4) | id (4) | 0x80      | error (2)                    | data ...     a reply
//
// Reading past a packet's end returns zeros and sets an error flag. So the caller needs only one check, ok(), after all
// reads.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vm/tools/jdwp/protocol.h"

namespace keyhole::jdwp {

inline constexpr usize header_bytes = 11;
inline constexpr u8 reply_flag = 0x80;

struct Packet {
  u32 id = 0;
  u8 flags = 0, command_set = 0, command = 0;
  std::vector<u8> data;
};

class Reader {
 public:
  explicit Reader(std::span<const u8> data) : data_(data) {}
  bool ok() const { return ok_; }
  usize left() const { return data_.size(); }
  u8 read_u8() { return static_cast<u8>(take(1)); }
  bool read_boolean() { return read_u8() != 0; }
  u16 read_u16() { return static_cast<u16>(take(2)); }
  i32 read_i32() { return static_cast<i32>(take(4)); }
  u64 read_u64() { return take(8); }
  std::string_view read_string();
  std::span<const u8> read_bytes(usize count);
  // Reads the number of elements that follow. Each element has at least `least_element_bytes` bytes. If the packet is
  // too short for that number, returns 0, and ok() becomes false.
  u32 read_count(usize least_element_bytes);

 private:
  u64 take(usize bytes);
  std::span<const u8> data_;
  bool ok_ = true;
};

class Writer {
 public:
  void write_u8(u8 value) { put(value, 1); }
  void write_boolean(bool value) { put(value, 1); }
  void write_u16(u16 value) { put(value, 2); }
  void write_i32(i32 value) { put(static_cast<u32>(value), 4); }
  void write_u64(u64 value) { put(value, 8); }
  void write_string(std::string_view text);
  void write_bytes(std::span<const u8> bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }
  template <typename Number> void write_tag(Number tag) { put(static_cast<u8>(tag), 1); }
  // Leaves room for a count that set_count(place, n) fills in later.
  usize place_count();
  void set_count(usize place, u32 count);
  const std::vector<u8>& bytes() const { return bytes_; }

 private:
  void put(u64 value, usize bytes);
  std::vector<u8> bytes_;
};

}  // namespace keyhole::jdwp
