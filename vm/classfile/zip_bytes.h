// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Numbers, signatures and sizes of the records of zip files (APPNOTE.TXT 4.3), shared by the readers of jars.
#pragma once

#include <cstring>
#include <span>

#include "runtime/base/types.h"
#include "vm/classfile/zip_source.h"

namespace keyhole::zip {

using Bytes = std::span<const u8>;

// Sizes of the records in bytes, without their names, comments and extra fields.
constexpr u64 end_bytes = 22, end64_bytes = 56, locator64_bytes = 20, entry_bytes = 46, local_header_bytes = 30;
constexpr u64 longest_comment = 0xFFFF;
constexpr u64 best_ratio = 1032;  // of deflate
constexpr u16 deflated = 8;       // a method; 0: stored
constexpr u32 in_extra_field =
    0xFFFFFFFF;  // value of a field whose real value is in extra field 1 or in the ZIP64 end record

template <typename Number> Number number_at(Bytes bytes, u64 offset) {
  Number number;
  memcpy(&number, bytes.data() + offset, sizeof number);
  return number;
}
inline u16 u16_at(Bytes bytes, u64 offset) { return number_at<u16>(bytes, offset); }
inline u32 u32_at(Bytes bytes, u64 offset) { return number_at<u32>(bytes, offset); }
inline u64 u64_at(Bytes bytes, u64 offset) { return number_at<u64>(bytes, offset); }

inline bool has_signature(Bytes bytes, u64 offset, u8 first, u8 second) {
  return bytes[offset] == 'P' && bytes[offset + 1] == 'K' && bytes[offset + 2] == first && bytes[offset + 3] == second;
}

inline bool read_at(ZipSource& source, u64 offset, std::span<u8> into) {
  return source.seek(offset) && source.read(into) == into.size();
}

inline bool has_signature(ZipSource& source, u64 offset, u8 first, u8 second) {
  u8 bytes[4];
  return read_at(source, offset, bytes) && has_signature(bytes, 0, first, second);
}

}  // namespace keyhole::zip
