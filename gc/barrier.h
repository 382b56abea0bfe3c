// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The only way to store a reference into a heap object: the store, then the barrier that the plan requires. It
// does nothing (Kind::None), or marks the card of the slot (Kind::CardMark):
//
//   heap     | card 0: 512 bytes | card 1 | card 2 | ...          a slot at address a lies on the card a >> 9
//   table    [clean]              [dirty]  [clean]  ...           one byte each, at card_bias + (a >> 9)
//
// A dirty card says: a reference in these 512 bytes was stored since the collector looked last. So a collection of the
// young regions finds references from old regions into them by scanning dirty cards instead of all old objects
// (policy/copy_worker.h).
//
// B1: the card is that of the slot, for fields as for elements, not the one of the holder's header.
// B2: every store marks, even one of null or into a young object; B5 is the exception. Baseline code writes to a card
//     only when it is not dirty, or threads that store near each other would fight for its line. card_bias fits a
//     32-bit displacement:
//         lea r, [holder + offset];  shr r, card_shift
//         cmp [r + card_bias], dirty_card;  je +7;  mov [r + card_bias], dirty_card
// B3: store and mark may come in either order, but no safepoint lies between them: the collector only looks with the
//     world stopped.
// B4: clean is 0, the state of memory fresh from the kernel: a heap that is not used costs no cards.
// B5: a store needs no mark if the storing thread itself has made the holder, the holder is no large array, and no
//     safepoint lies between: the holder is in a young region then. Optimised code stores this way into objects that it
//     has just made. It does not mark for a store of null, since no reference is there to be found. Before it stores
//     into many elements it marks all their cards at once (mark_elements).
#pragma once

#include "runtime/base/address_space.h"
#include "runtime/object/object.h"

namespace keyhole::barrier {

enum class Kind : u8 { None, CardMark };
// The barrier that the plan requires (gc/plan.h). It no longer changes once there is an object to store into, so
// generated code may rely on it.
extern constinit Kind kind;

inline constexpr u32 card_shift = 9;
inline constexpr u64 card_bytes = u64{1} << card_shift;
inline constexpr uptr card_bias = address_space::card_table_base - (address_space::heap_base >> card_shift);
inline constexpr u8 clean_card = 0, dirty_card = 1;
// The value of a remembered card: a note of the collector on a card that is not dirty (gc/card_table.h).
inline constexpr u8 remembered_card = 2;
static_assert(card_bias < uptr{1} << 31, "B2");

inline u8* card_of(const void* address) {
  return reinterpret_cast<u8*>(card_bias + (reinterpret_cast<uptr>(address) >> card_shift));
}
inline void mark(const void* slot) {
  if (kind == Kind::CardMark) [[likely]]
    __atomic_store_n(card_of(slot), dirty_card, __ATOMIC_RELAXED);
}

// Marks the cards of the array's elements in [begin, end); indices beyond the array are ignored.
inline void mark_elements(Object* array, i64 begin, i64 end) TOUCHES_OBJECTS {
  if (kind != Kind::CardMark) return;
  i64 length = array->length();
  if (begin < 0) begin = 0;
  if (end > length) end = length;
  if (begin >= end) return;
  u8* card = card_of(array->address<char>(Object::element_offset(2, static_cast<u32>(begin))));
  const u8* last = card_of(array->address<char>(Object::element_offset(2, static_cast<u32>(end - 1))));
  for (; card <= last; ++card) __atomic_store_n(card, dirty_card, __ATOMIC_RELAXED);
}

inline void store(Object* holder, u32 offset, Object* value) TOUCHES_OBJECTS {
  holder->atomic<NarrowRef>(offset).store(encode(value), std::memory_order_relaxed);
  mark(holder->address<char>(offset));
}
// B5
inline void initialize(Object* holder, u32 offset, Object* value) TOUCHES_OBJECTS {
  holder->atomic<NarrowRef>(offset).store(encode(value), std::memory_order_relaxed);
}
inline void store_ordered(Object* holder, u32 offset, Object* value, std::memory_order order) TOUCHES_OBJECTS {
  holder->atomic<NarrowRef>(offset).store(encode(value), order);
  mark(holder->address<char>(offset));
}
inline Object* exchange(Object* holder, u32 offset, Object* value) TOUCHES_OBJECTS {
  Object* before = decode(holder->atomic<NarrowRef>(offset).exchange(encode(value)));
  mark(holder->address<char>(offset));
  return before;
}
// Compare and exchange of a reference field. True: the field held `expected`. *witness gets the value that it held.
inline bool compare_exchange(Object* holder, u32 offset, Object* expected, Object* value, Object** witness = nullptr)
    TOUCHES_OBJECTS {
  NarrowRef found = encode(expected);
  bool stored = holder->atomic<NarrowRef>(offset).compare_exchange_strong(found, encode(value));
  mark(holder->address<char>(offset));
  if (witness != nullptr) *witness = decode(found);
  return stored;
}
inline void store_element(Object* array, i32 index, Object* value) TOUCHES_OBJECTS {
  store(array, Object::element_offset(2, static_cast<u32>(index)), value);
}
// Copies `count` references as memmove does: ranges may overlap, and each element is copied whole (JLS 17.6).
void copy_elements(Object* from, i32 from_index, Object* to, i32 to_index, i32 count) TOUCHES_OBJECTS;

}  // namespace keyhole::barrier
