// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Encodes tables for the page: column by column, each column split into planes of bytes, compressed with zstd.
//
//   u32 rows | u32 columns | of each column: u8 bytes of a value, u8 1 = differences | of each column: planes of bytes
//
// A plane has one byte of each value; the plane of the lowest bytes comes first. In a column with differences, each
// value is stored as the difference to the previous row's value, so that times compress well.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/types.h"

namespace keyhole::look {

class Columns {
 public:
  explicit Columns(usize rows) : rows_(rows) {}

  // Adds a column. value(row) returns the value of a row. Each value is stored in `bytes` bytes: 1, 2, 4 or 6.
  template <typename Value> Columns& add(u32 bytes, Value value) { return put(bytes, false, value); }
  template <typename Value> Columns& add_differences(u32 bytes, Value value) { return put(bytes, true, value); }

  std::string packed() const;

 private:
  template <typename Value> Columns& put(u32 bytes, bool differences, Value value) {
    head_ += static_cast<char>(bytes);
    head_ += static_cast<char>(differences ? 1 : 0);
    usize begin = planes_.size();
    planes_.resize(begin + rows_ * bytes);
    u64 before = 0;
    for (usize row = 0; row < rows_; ++row) {
      u64 now = static_cast<u64>(value(row)), stored = now - before;
      if (differences) before = now;
      for (u32 byte = 0; byte < bytes; ++byte)
        planes_[begin + byte * rows_ + row] = static_cast<char>(stored >> (8 * byte));
    }
    return *this;
  }

  usize rows_;
  std::string head_, planes_;
};

// Packs the bytes with zstd.
std::string pack(std::string_view bytes);

}  // namespace keyhole::look
