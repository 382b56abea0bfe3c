// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The header word, and which header layout this VM is built with: every number about objects that machine code may use.
//
//   63          42 41            11 10      7 6    3 2            1    0
//   +-------------+----------------+----------+------+--------------+------+
//   | klass id 22 | identity hash  | reserved | age  | self-        | lock |
//   | or unused   | 31; 0 = none   | 4        | 4    | forwarded 1  | 2    |
//   +-------------+----------------+----------+------+--------------+------+
//
//   lock   meaning                        the other bits
//   01     unlocked                       in place
//   00     locked by a thread's           in place: the owner is found by searching lock-stacks
//          lock-stack (lightweight)
//   10     inflated                       klass stays; bits 2..41 hold ObjectMonitor* (42-bit address, low 2 bits 0);
//                                         hash and age are displaced into the monitor
//   11     forwarded (world stopped)      the whole word is the new address | 3; klass is read at the new place
//
// What 00 and 10 mean is the locking algorithm's; this is lightweight's. The upper 22 bits are never displaced.
//
// Each layout is a file with the same names, and a VM executable of its own: nothing in it asks which layout it has.
//
//   layout_compact.h   keyhole           8-byte header, klass in the word (JEP 519's picture)
//   layout_classic.h   keyhole-classic   12-byte header, klass behind the word
#pragma once

#include "runtime/base/types.h"

#ifndef KEYHOLE_HEADER_LAYOUT
#define KEYHOLE_HEADER_LAYOUT "runtime/object/layout_compact.h"
#endif
#include KEYHOLE_HEADER_LAYOUT

namespace keyhole::layout {

// Lock bits.
inline constexpr u64 lock_mask = 0b11;
inline constexpr u64 locked = 0b00, unlocked = 0b01, inflated = 0b10, forwarded = 0b11;

inline constexpr u64 self_forwarded_bit = u64{1} << 2;
// Three of the four reserved bits, for hashchains+3: held, somebody is queued (may say so too long, never too short), the eldest is impatient.
inline constexpr u64 held_bit = u64{1} << 7, waiters_bit = u64{1} << 8, impatient_bit = u64{1} << 9;
inline constexpr u32 age_shift = 3, age_bits = 4;
inline constexpr u64 age_mask = u64{0xF} << age_shift;
inline constexpr u32 hash_shift = 11, hash_bits = 31;
inline constexpr u64 hash_mask = ((u64{1} << hash_bits) - 1) << hash_shift;
inline constexpr u32 klass_shift = 42, klass_bits = 22;
inline constexpr u32 maximum_klass_count = 1u << klass_bits;
inline constexpr u64 displaced_pointer_mask = ((u64{1} << klass_shift) - 1) & ~lock_mask;

// What stays in the header while the rest is displaced, and a header that points at the thing that displaced it.
inline constexpr u64 never_displaced_mask = ~((u64{1} << klass_shift) - 1);
constexpr u64 displacing_word(u64 word, uptr pointer, u64 lock_bits) { return (word & never_displaced_mask) | pointer | lock_bits; }
constexpr uptr displaced_pointer(u64 word) { return word & displaced_pointer_mask; }

constexpr u32 hash_of(u64 word) { return static_cast<u32>((word & hash_mask) >> hash_shift); }
constexpr u64 with_hash(u64 word, u32 hash) { return (word & ~hash_mask) | (u64{hash} << hash_shift); }
constexpr bool is_forwarded(u64 word) { return (word & lock_mask) == forwarded; }

inline constexpr u32 object_alignment = 8;
inline constexpr u32 minimum_object_bytes = align_up(header_bytes, object_alignment);
constexpr u32 array_base_offset(BasicType type) { return array_base_offset(element_shift(type)); }
constexpr u64 array_bytes(u32 shift, u32 length) {
  return align_up(u64{array_base_offset(shift)} + (u64{length} << shift), object_alignment);
}
// Where the only field of a box (Integer, Long ...) is.
constexpr u32 only_field_offset(BasicType type) { return align_up(header_bytes, 1u << element_shift(type)); }

static_assert(hash_shift + hash_bits == klass_shift && klass_shift + klass_bits == 64);

}  // namespace keyhole::layout
