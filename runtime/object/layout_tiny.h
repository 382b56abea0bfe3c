// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The tiny header, 4 bytes (-XX:+UseTinyObjectHeaders): klass, lock state, and where the hash is.
//
//    31       13 12  11 10      7 6    3 2            1    0
//   +-----------+------+----------+------+--------------+------+
//   | klass     | hash | reserved | age  | self-        | lock |
//   | id 19     | 2    | 4        | 4    | forwarded 1  | 2    |
//   +-----------+------+----------+------+--------------+------+
//
//   object:  [word 4][fields, largest first, from offset 4]
//   array:   [word 4][length i32 at 4][elements from 8]
//
//   hash   meaning                        set by                       becomes
//   00     none                           allocation                   01, by its first request (CAS)
//   01     hashed by its address: the     CAS of the word, in any      10, when the collector moves the object
//          hash is computed from it       lock state
//   10     stored: 4 bytes in a gap of    the collector, with the      for ever; moves along with the object
//          the object, or after it        world stopped
//   11     never
//
// H1: a hash costs no memory while its object has not moved, or if the object has a gap of 4 bytes
//     (Klass::hash_offset). Otherwise the object is 8 bytes longer from its first move on. The size of an object
//     follows from its word and its klass.
// H2: no pointer fits into the word beside the klass, so no locking algorithm that displaces it runs here.
// H3: the collector forwards an object by its first 8 bytes as a whole: its word, and the 4 bytes that follow. Every
//     object has 8 bytes.
#pragma once

#include "runtime/object/wide_word.h"

namespace keyhole {
u32 hash_beside_word(const void* object, bool stored, u32 klass_id);  // runtime/object/identity.h
}

namespace keyhole::layout {

using Word = u32;
inline constexpr bool can_displace = false;
inline constexpr bool hash_is_in_word = false;

inline constexpr const char* name = "tiny";
inline constexpr bool klass_is_in_word = true;
inline constexpr u32 header_bytes = 4;
inline constexpr u32 array_length_offset = 4;
constexpr u32 array_base_offset(u32) { return 8; }

inline constexpr u32 klass_shift = 13, klass_bits = 19;

inline constexpr u32 hash_state_shift = 11;
inline constexpr Word hash_state_mask = 0b11u << hash_state_shift;
inline constexpr Word hash_none = 0, hash_by_address = 0b01u << hash_state_shift,
                      hash_stored = 0b10u << hash_state_shift;
// Returns the hash of an object whose header reads `word`, or 0 if it has none yet. The caller reaches no safepoint
// between reading the word and this call.
inline u32 hash_at(const void* object, Word word) {
  Word state = word & hash_state_mask;
  return state == hash_none ? 0 : hash_beside_word(object, state == hash_stored, word >> klass_shift);
}
// Returns the header word of an object that gets a hash. The hash itself is computed from the address.
constexpr Word hashed(Word word, u32) { return word | hash_by_address; }

// The klass id in a word. Valid in every lock state except "forwarded".
constexpr u32 klass_id_of(Word word) { return word >> klass_shift; }
constexpr Word prototype_word(u32 klass_id) { return (klass_id << klass_shift) | 0b01; }

// The klass id of the object at `memory`, whose word was `word`.
inline u32 klass_id_at(const void*, Word word) { return klass_id_of(word); }
inline u32 klass_id_at(const void* memory) {
  return klass_id_of(__atomic_load_n(static_cast<const Word*>(memory), __ATOMIC_RELAXED));
}
inline void write_header(void* memory, u32 klass_id) {
  __atomic_store_n(static_cast<Word*>(memory), prototype_word(klass_id), __ATOMIC_RELAXED);
}

// The value that a monitor keeps of a free header (ObjectMonitor::displaced): word and hash in 64 bits.
constexpr u64 kept_header(Word word, u32 hash) { return u64{hash} << 32 | word; }
constexpr u32 hash_of_kept(u64 kept) { return static_cast<u32>(kept >> 32); }

}  // namespace keyhole::layout
