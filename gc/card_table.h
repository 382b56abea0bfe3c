// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The card table: a byte for each 512 bytes of heap. Reference stores mark cards (barrier.h); the collector scans and
// cleans them.
//
// The object start table: a scan that begins at a card finds by it the object that covers the card's first byte.
//
//   card      | ...  [A .......|............|............|..][B ..|][C]  |
//   entry          ?           7            64           65         2        how far back the object that covers the
//                                                                            card's start begins
//
//   entry < 64     that many words (8 bytes) before the card's start
//   64 + k         go back 2^k cards and look at that card's entry
//
// A card is in one of three states:
//
//   clean        no reference on it matters
//   dirty        a mutator stored a reference on it, or the collector saw one into a young region: each collection
//                scans it
//   remembered   it has a reference into an old region that is going to be evacuated (old_candidates.h): mixed
//                collections scan it
//
// C1: the thread that places an object writes its entries, one for each card whose start lies within the object: one
//     writer for each entry.
// C2: entries are valid for old regions, for every card from the region's bottom to its top, fillers included; those of
//     cards beyond the top or in other regions mean nothing.
// C3: a humongous object begins where its region does, and needs no entries.
// C4: the world is stopped for everything but barrier::mark.
// C5: dirty outranks remembered: workers that scan the same card at the same time mark it dirty by a plain store, and
//     remembered by a CAS from clean.
#pragma once

#include "gc/barrier.h"

namespace keyhole::gc::card_table {

inline constexpr u32 words_per_card = barrier::card_bytes / 8;

// Reserves the table for a heap of `heap_bytes` at address_space::heap_base. False: the kernel refuses. New cards are
// clean.
bool reserve(u64 heap_bytes);
void unreserve();  // tests make many heaps

inline bool is_dirty(const u8* card) { return __atomic_load_n(card, __ATOMIC_RELAXED) == barrier::dirty_card; }
inline bool is_dirty(const void* address) { return is_dirty(barrier::card_of(address)); }
inline bool is_clean(const u8* card) { return __atomic_load_n(card, __ATOMIC_RELAXED) == barrier::clean_card; }
inline void remember(const void* slot) {
  u8* card = barrier::card_of(slot);
  u8 expected = barrier::clean_card;
  // C5
  if (is_clean(card))
    __atomic_compare_exchange_n(card, &expected, barrier::remembered_card, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}
// Makes a card dirty, as barrier::mark does.
inline void dirty(const void* slot) { __atomic_store_n(barrier::card_of(slot), barrier::dirty_card, __ATOMIC_RELAXED); }
inline void clean(u8* card) { __atomic_store_n(card, barrier::clean_card, __ATOMIC_RELAXED); }
inline char* start_of(const u8* card) {
  return reinterpret_cast<char*>((reinterpret_cast<uptr>(card) - barrier::card_bias) << barrier::card_shift);
}
inline char* align_up_to_card(const char* address) {
  return reinterpret_cast<char*>(align_up(reinterpret_cast<uptr>(address), barrier::card_bytes));
}
// Cleans all cards that [start, end) touches.
void clean_range(const char* start, const char* end);
void dirty_range(const char* start, const char* end);
// Makes the remembered cards of a range clean.
void forget_range(const char* start, const char* end);
// The first card in [card, limit) that is dirty, or with `remembered` the first that is not clean; otherwise limit.
// Tests eight cards at a time.
u8* next_to_scan(u8* card, u8* limit, bool remembered);

// Records an object (or filler) placed at [start, start + bytes).
void record_long(const char* start, u64 bytes);
inline void record(const char* start, u64 bytes) {
  uptr first = reinterpret_cast<uptr>(start);
  // C1: the object covers the start of a card.
  if (((first - 1) ^ (first + bytes - 1)) >> barrier::card_shift != 0) record_long(start, bytes);
}
// The object that covers the first byte of the card of `address` (C2).
Object* object_covering_card(const void* address);

}  // namespace keyhole::gc::card_table
