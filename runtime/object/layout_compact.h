// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The compact header, 8 bytes (-XX:+UseCompactObjectHeaders, the default): the klass id is in the word.
//
//   object:  [word 8][fields, largest first, from offset 8]
//   array:   [word 8][length i32 at 8][elements from 12, or from 16 for long and double]
#pragma once

#include "runtime/object/layout_wide.h"

namespace keyhole::layout {

inline constexpr const char* name = "compact";
inline constexpr bool klass_is_in_word = true;
inline constexpr u32 header_bytes = 8;
inline constexpr u32 array_length_offset = 8;
constexpr u32 array_base_offset(u32 shift) { return shift == 3 ? 16 : 12; }

// The klass id in a word. Valid in every lock state except "forwarded".
constexpr u32 klass_id_of(u64 word) { return static_cast<u32>(word >> wide_klass_shift); }
constexpr u64 prototype_word(u32 klass_id) { return (u64{klass_id} << wide_klass_shift) | 0b01; }

// The klass id of the object at `memory`, whose word was `word`.
inline u32 klass_id_at(const void*, u64 word) { return klass_id_of(word); }
// The whole id is in the upper half of the word, so compiled code compares it with a constant of 32 bits.
inline u32 klass_id_at(const void* memory) {
  static_assert(wide_klass_shift >= 32);
  return __atomic_load_n(static_cast<const u32*>(memory) + 1, __ATOMIC_RELAXED) >> (wide_klass_shift - 32);
}
inline void write_header(void* memory, u32 klass_id) {
  __atomic_store_n(static_cast<u64*>(memory), prototype_word(klass_id), __ATOMIC_RELAXED);
}

}  // namespace keyhole::layout
