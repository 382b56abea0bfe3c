// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Appends big-endian values to a byte buffer.
#pragma once

#include <vector>

#include "runtime/base/types.h"

namespace keyhole::testing {

class ByteWriter {
 public:
  void put1(u32 value) { bytes_.push_back(static_cast<u8>(value)); }
  void put2(u32 value) {
    put1(value >> 8);
    put1(value);
  }
  void put4(u32 value) {
    put2(value >> 16);
    put2(value);
  }
  void put(const std::vector<u8>& other) { bytes_.insert(bytes_.end(), other.begin(), other.end()); }
  void patch2(usize at, u32 value) {
    bytes_[at] = static_cast<u8>(value >> 8);
    bytes_[at + 1] = static_cast<u8>(value);
  }
  void patch4(usize at, u32 value) {
    patch2(at, value >> 16);
    patch2(at + 2, value);
  }
  u32 size() const { return static_cast<u32>(bytes_.size()); }
  const std::vector<u8>& bytes() const { return bytes_; }

 private:
  std::vector<u8> bytes_;
};

}  // namespace keyhole::testing
