// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The common part of compact and classic: a header word of 64 bits (wide_word.h), with the hash in it.
#pragma once

#include "runtime/object/wide_word.h"

namespace keyhole::layout {

using Word = u64;
// There is room beside the klass for a pointer that displaces the rest.
inline constexpr bool can_displace = true;

inline constexpr u32 klass_shift = wide_klass_shift, klass_bits = wide_klass_bits;

// The identity hash is always in the word. Layouts in which it may be elsewhere have hash states (layout_tiny.h).
inline constexpr bool hash_is_in_word = true;
inline constexpr Word hash_state_mask = 0, hash_none = 0, hash_by_address = 1, hash_stored = 2;
// Returns the hash of an object whose header is not displaced and reads `word`, or 0 if it has none yet.
constexpr u32 hash_at(const void*, Word word) { return hash_of(word); }
// Returns the header word of an object that gets the hash `fresh`.
constexpr Word hashed(Word word, u32 fresh) { return with_hash(word, fresh); }

// The value that a monitor keeps of a free header (ObjectMonitor::displaced): word and hash in 64 bits. The word
// contains the hash.
constexpr u64 kept_header(Word word, u32) { return word; }
constexpr u32 hash_of_kept(u64 kept) { return hash_of(kept); }

}  // namespace keyhole::layout
