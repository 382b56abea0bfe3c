// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the big-endian data of a class file, and checks every length.
//
// A read past the end returns 0 and sets overrun() for ever; the position stays at the end. So a loop over a count from
// the file ends at its next check of overrun().
#pragma once

#include <span>

#include "runtime/base/types.h"

namespace keyhole::classfile {

inline u16 read_u16(const u8* at) { return static_cast<u16>(at[0] << 8 | at[1]); }
inline u32 read_u32(const u8* at) {
  return static_cast<u32>(at[0]) << 24 | static_cast<u32>(at[1]) << 16 | static_cast<u32>(at[2]) << 8 | at[3];
}

class ByteReader {
 public:
  ByteReader() = default;
  explicit ByteReader(std::span<const u8> bytes) : at_(bytes.data()), end_(bytes.data() + bytes.size()) {}

  u8 u1() { return has(1) ? *at_++ : u8{0}; }
  u16 u2() {
    if (!has(2)) return 0;
    at_ += 2;
    return read_u16(at_ - 2);
  }
  u32 u4() {
    if (!has(4)) return 0;
    at_ += 4;
    return read_u32(at_ - 4);
  }
  // Returns the next `count` bytes in place; null when there are fewer.
  const u8* take(u64 count) {
    if (!has(count)) return nullptr;
    at_ += count;
    return at_ - count;
  }
  // Returns a reader of the next `count` bytes; an empty, overrun one when there are fewer.
  ByteReader sub(u64 count) {
    const u8* start = take(count);
    ByteReader part;
    if (start == nullptr) part.overrun_ = true;
    else part.at_ = start, part.end_ = start + count;
    return part;
  }
  const u8* position() const { return at_; }
  usize left() const { return static_cast<usize>(end_ - at_); }
  bool at_end() const { return at_ == end_; }
  bool overrun() const { return overrun_; }
  // Makes every further read return 0.
  void abandon() { at_ = end_, overrun_ = true; }

 private:
  bool has(u64 count) {
    if (count <= static_cast<u64>(end_ - at_)) [[likely]]
      return true;
    abandon();
    return false;
  }
  const u8* at_ = nullptr;
  const u8* end_ = nullptr;
  bool overrun_ = false;
};

}  // namespace keyhole::classfile
