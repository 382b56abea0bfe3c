// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The header word, in the header layout that this VM is built with, and every number about objects that machine code
// uses.
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
// The locking algorithm decides what 00 and 10 mean; the table is for lightweight. The klass id is never displaced.
//
// Each layout is a file that defines the same names, and each has a VM executable of its own. So no code checks the
// layout at run time.
//
//   layout_compact.h   keyhole           8-byte header, klass in the word (JEP 519's picture)
//   layout_classic.h   keyhole-classic   12-byte header, klass after the word
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
// hashchains+3 uses two of the four reserved bits: the object is held; a thread is queued (this bit may stay set too
// long, but is never cleared too early).
inline constexpr Word held_bit = Word{1} << 7, waiters_bit = Word{1} << 8;
inline constexpr u32 age_shift = 3, age_bits = 4;
inline constexpr Word age_mask = Word{0xF} << age_shift;
inline constexpr u32 maximum_klass_count = 1u << klass_bits;

// Whether a header word, or the first 8 bytes of an object, say that it is forwarded.
constexpr bool is_forwarded(u64 word) { return (word & lock_mask) == forwarded; }

inline constexpr u32 object_alignment = 8;
inline constexpr u32 minimum_object_bytes = align_up(header_bytes, object_alignment);
constexpr u32 array_base_offset(BasicType type) { return array_base_offset(element_shift(type)); }
constexpr u64 array_bytes(u32 shift, u32 length) {
  return align_up(u64{array_base_offset(shift)} + (u64{length} << shift), object_alignment);
}
// The offset of the only field of a box (Integer, Long ...).
constexpr u32 only_field_offset(BasicType type) { return align_up(header_bytes, 1u << element_shift(type)); }

// A key of a call site has a klass id and a pointer to VM memory in one word: id << klass_key_shift | pointer. It is
// not a header word, although header words of the compact layout look the same.
inline constexpr u32 klass_key_shift = wide_klass_shift;

static_assert(klass_shift >= 11 && klass_shift + klass_bits == sizeof(Word) * 8);

}  // namespace keyhole::layout
