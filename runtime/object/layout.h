// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The header word, and which header layout this VM is built with: every number about objects that machine code uses.
//
//                                                 10      7 6    3 2            1    0
//   +--------------------------------------------+----------+------+--------------+------+
//   | klass id and identity hash, or what leads  | reserved | age  | self-        | lock |
//   | to them: each layout's own                 | 4        | 4    | forwarded 1  | 2    |
//   +--------------------------------------------+----------+------+--------------+------+
//
//   lock   meaning                        the other bits
//   01     unlocked                       in place
//   00     locked by a thread's           in place: the owner is found by searching lock-stacks
//          lock-stack (lightweight)
//   10     inflated                       in place with an object monitor table; else see wide_word.h
//   11     forwarded (world stopped)      the first 8 bytes of the object are its new address | 3; klass is read there
//
// What 00 and 10 mean is the locking algorithm's; this is lightweight's. The klass id is never displaced.
//
// Each layout is a file with the same names, and a VM executable of its own: no code asks at run time which layout it
// has.
//
//   layout_compact.h   keyhole           8-byte header, klass in the word (JEP 519's picture)
//   layout_classic.h   keyhole-classic   12-byte header, klass behind the word
//   layout_tiny.h      keyhole-tiny      4-byte header, klass in the word, the hash elsewhere
#pragma once

#include "runtime/base/types.h"

#ifndef KEYHOLE_HEADER_LAYOUT
#define KEYHOLE_HEADER_LAYOUT "runtime/object/layout_compact.h"
#endif
#include KEYHOLE_HEADER_LAYOUT

namespace keyhole::layout {

// Lock bits.
inline constexpr Word lock_mask = 0b11;
inline constexpr Word locked = 0b00, unlocked = 0b01, inflated = 0b10, forwarded = 0b11;

inline constexpr Word self_forwarded_bit = Word{1} << 2;
// Two of the four reserved bits, for hashchains+3: held; a thread is queued (may stay set too long, never cleared too
// early).
inline constexpr Word held_bit = Word{1} << 7, waiters_bit = Word{1} << 8;
inline constexpr u32 age_shift = 3, age_bits = 4;
inline constexpr Word age_mask = Word{0xF} << age_shift;
inline constexpr u32 maximum_klass_count = 1u << klass_bits;

// Of a header word, or of the first 8 bytes of an object.
constexpr bool is_forwarded(u64 word) { return (word & lock_mask) == forwarded; }

inline constexpr u32 object_alignment = 8;
inline constexpr u32 minimum_object_bytes = align_up(header_bytes, object_alignment);
constexpr u32 array_base_offset(BasicType type) { return array_base_offset(element_shift(type)); }
constexpr u64 array_bytes(u32 shift, u32 length) {
  return align_up(u64{array_base_offset(shift)} + (u64{length} << shift), object_alignment);
}
// Where the only field of a box (Integer, Long ...) is.
constexpr u32 only_field_offset(BasicType type) { return align_up(header_bytes, 1u << element_shift(type)); }

// A klass id and a pointer to VM memory in one word, for call sites: id << klass_key_shift | pointer. Not a header,
// though compact's look the same.
inline constexpr u32 klass_key_shift = wide_klass_shift;

static_assert(klass_shift >= 11 && klass_shift + klass_bits == sizeof(Word) * 8);

}  // namespace keyhole::layout
