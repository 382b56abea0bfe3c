// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The classic header, 12 bytes (-XX:-UseCompactObjectHeaders), as HotSpot's with compressed class pointers: the klass
// id follows the word, whose upper 22 bits are 0.
//
//   object:  [word 8][klass id u32][fields, largest first, from offset 12]
//   array:   [word 8][klass id u32][length i32 at 12][elements from 16]
//
// The smallest object takes 16 bytes, so a gap of 8 bytes has no room for a filler object. A special word marks it
// (gc/heap/filler.h).
#pragma once

#include "runtime/object/layout_wide.h"

namespace keyhole::layout {

inline constexpr const char* name = "classic";
inline constexpr bool klass_is_in_word = false;
inline constexpr u32 header_bytes = 12;
inline constexpr u32 klass_id_offset = 8;
inline constexpr u32 array_length_offset = 12;
constexpr u32 array_base_offset(u32) { return 16; }

constexpr u64 prototype_word(u32) { return 0b01; }

// The klass id of the object at `memory`, independent of its word.
inline u32 klass_id_at(const void* memory) {
  return __atomic_load_n(reinterpret_cast<const u32*>(static_cast<const char*>(memory) + klass_id_offset),
                         __ATOMIC_RELAXED);
}
inline u32 klass_id_at(const void* memory, u64) { return klass_id_at(memory); }
inline void write_header(void* memory, u32 klass_id) {
  __atomic_store_n(reinterpret_cast<u32*>(static_cast<char*>(memory) + klass_id_offset), klass_id, __ATOMIC_RELAXED);
  __atomic_store_n(static_cast<u64*>(memory), prototype_word(klass_id), __ATOMIC_RELAXED);
}

}  // namespace keyhole::layout
