// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Maps both tables, cleans and searches ranges of cards, and writes the entries of long objects.
#include "gc/card_table.h"

#include <cstring>

#include "runtime/base/check.h"
#include "runtime/base/page.h"

namespace keyhole::gc::card_table {
namespace {

usize mapped_bytes = 0;

constexpr uptr start_bias = address_space::start_table_base - (address_space::heap_base >> barrier::card_shift);
u8* entry_of(uptr address) { return reinterpret_cast<u8*>(start_bias + (address >> barrier::card_shift)); }

constexpr u8 back_skip = words_per_card;  // entries from this value on mean powers of two

}  // namespace

bool reserve(u64 heap_bytes) {
  mapped_bytes = align_up(heap_bytes >> barrier::card_shift, u64{page_bytes});
  if (address_space::map_at(address_space::card_table_base, mapped_bytes) == nullptr) return false;
  return address_space::map_at(address_space::start_table_base, mapped_bytes) != nullptr;
}

void unreserve() {
  if (mapped_bytes == 0) return;
  address_space::unmap(reinterpret_cast<void*>(address_space::card_table_base), mapped_bytes);
  address_space::unmap(reinterpret_cast<void*>(address_space::start_table_base), mapped_bytes);
  mapped_bytes = 0;
}

void clean_range(const char* start, const char* end) {
  if (start >= end) return;
  u8* first = barrier::card_of(start);
  memset(first, barrier::clean_card, static_cast<usize>(barrier::card_of(end - 1) - first) + 1);
}

void dirty_range(const char* start, const char* end) {
  if (start >= end) return;
  u8* first = barrier::card_of(start);
  memset(first, barrier::dirty_card, static_cast<usize>(barrier::card_of(end - 1) - first) + 1);
}

void forget_range(const char* start, const char* end) {
  if (start >= end) return;
  for (u8 *card = barrier::card_of(start), *limit = barrier::card_of(end - 1) + 1;
       (card = next_to_scan(card, limit, true)) < limit; ++card) {
    if (!is_dirty(card)) clean(card);
  }
}

u8* next_to_scan(u8* card, u8* limit, bool remembered) {
  static_assert(barrier::clean_card == 0 && barrier::dirty_card == 1 && barrier::remembered_card == 2);
  const u64 wanted = remembered ? 0x0303'0303'0303'0303 : 0x0101'0101'0101'0101;
  while (card < limit) {
    if ((reinterpret_cast<uptr>(card) & 7) == 0) {
      while (card + 8 <= limit && (__atomic_load_n(reinterpret_cast<u64*>(card), __ATOMIC_RELAXED) & wanted) == 0)
        card += 8;
      if (card >= limit) return limit;
    }
    if ((__atomic_load_n(card, __ATOMIC_RELAXED) & wanted) != 0) return card;
    ++card;
  }
  return limit;
}

void record_long(const char* start, u64 bytes) {
  uptr first = reinterpret_cast<uptr>(start);
  uptr boundary = align_up(first, barrier::card_bytes);
  u8* entry = entry_of(boundary);
  // Cards up to that of the object's last byte get an entry; a card that begins at its end is not covered.
  u8* const end = entry_of(first + bytes - 1) + 1;
  *entry++ = static_cast<u8>((boundary - first) >> 3);
  // The entry of the i-th card after the first says: go back 2^k cards, where 2^k <= i. That leads to the first card,
  // or to a card whose entry leads there.
  for (u32 k = 0; entry < end; ++k) {
    usize count = usize{1} << k;
    if (count > static_cast<usize>(end - entry)) count = static_cast<usize>(end - entry);
    memset(entry, static_cast<int>(back_skip + k), count);
    entry += count;
  }
}

Object* object_covering_card(const void* address) {
  uptr boundary = reinterpret_cast<uptr>(address) & ~(barrier::card_bytes - 1);
  for (;;) {
    u8 entry = *entry_of(boundary);
    if (entry < back_skip) return reinterpret_cast<Object*>(boundary - (uptr{entry} << 3));
    boundary -= barrier::card_bytes << (entry - back_skip);
  }
}

}  // namespace keyhole::gc::card_table
