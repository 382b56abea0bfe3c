// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes the head of a table, and compresses the columns with zstd.
#include "vm/tools/look/columns.h"

#include <zstd.h>

#include <cstdlib>
#include <cstring>

namespace keyhole::look {

std::string pack(std::string_view bytes) {
  constexpr int level = 6;
  std::string packed(ZSTD_compressBound(bytes.size()), '\0');
  usize size = ZSTD_compress(packed.data(), packed.size(), bytes.data(), bytes.size(), level);
  if (ZSTD_isError(size) != 0) abort();  // cannot fail: the buffer has the maximal compressed size
  packed.resize(size);
  return packed;
}

std::string Columns::packed() const {
  u32 counts[2] = {static_cast<u32>(rows_), static_cast<u32>(head_.size() / 2)};
  std::string bytes(sizeof counts, '\0');
  memcpy(bytes.data(), counts, sizeof counts);
  return pack(bytes + head_ + planes_);
}

}  // namespace keyhole::look
