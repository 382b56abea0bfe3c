// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The picture of a 64-bit header word: room for a hash, or for a pointer to what displaced it.
//
//   63          42 41            11 10      7 6    3 2            1    0
//   +-------------+----------------+----------+------+--------------+------+
//   | klass id 22 | identity hash  | reserved | age  | self-        | lock |
//   | or unused   | 31; 0 = none   | 4        | 4    | forwarded 1  | 2    |
//   +-------------+----------------+----------+------+--------------+------+
//
// Inflated without a table (10), stack-locked (legacy's 00) or queued for (cjm's 00): the klass stays, bits 2..41 hold
// a pointer (42-bit address, low 2 bits 0), and hash and age are in the structure that it points to.
//
// The locking algorithms that displace headers are written over this word; where the header is narrower
// (layout::can_displace) they do not run. Nothing here takes a narrower word.
#pragma once

#include <concepts>

#include "runtime/base/types.h"

namespace keyhole::layout {

inline constexpr u32 hash_shift = 11, hash_bits = 31;
inline constexpr u64 hash_mask = ((u64{1} << hash_bits) - 1) << hash_shift;
inline constexpr u32 wide_klass_shift = 42, wide_klass_bits = 22;
inline constexpr u64 displaced_pointer_mask = ((u64{1} << wide_klass_shift) - 1) & ~u64{0b11};

// The part of a header that stays while the rest is displaced, and a header that points at the displacing structure.
inline constexpr u64 never_displaced_mask = ~((u64{1} << wide_klass_shift) - 1);
constexpr u64 displacing_word(std::same_as<u64> auto word, uptr pointer, u64 lock_bits) {
  return (word & never_displaced_mask) | pointer | lock_bits;
}
constexpr uptr displaced_pointer(u64 word) { return word & displaced_pointer_mask; }

constexpr u32 hash_of(std::same_as<u64> auto word) { return static_cast<u32>((word & hash_mask) >> hash_shift); }
constexpr u64 with_hash(std::same_as<u64> auto word, u32 hash) {
  return (word & ~hash_mask) | (u64{hash} << hash_shift);
}

static_assert(hash_shift + hash_bits == wide_klass_shift && wide_klass_shift + wide_klass_bits == 64);

}  // namespace keyhole::layout
