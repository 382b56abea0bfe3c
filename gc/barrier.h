// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The only way to store a reference into a heap object.
//
// The plan in force keeps no remembered set, so the barrier is a plain store; a generational plan adds its card mark here and
// in the code generators, which ask `barrier::kind`.
#pragma once

#include "runtime/object/object.h"

namespace keyhole::barrier {

enum class Kind : u8 { None, CardMark };
inline constexpr Kind kind = Kind::None;

inline void store(Object* holder, u32 offset, Object* value) {
  holder->atomic<NarrowRef>(offset).store(encode(value), std::memory_order_relaxed);
}
inline void store_ordered(Object* holder, u32 offset, Object* value, std::memory_order order) {
  holder->atomic<NarrowRef>(offset).store(encode(value), order);
}
inline Object* exchange(Object* holder, u32 offset, Object* value) {
  return decode(holder->atomic<NarrowRef>(offset).exchange(encode(value)));
}
// True when the field held `expected`; `witness` gets what it held.
inline bool compare_exchange(Object* holder, u32 offset, Object* expected, Object* value, Object** witness = nullptr) {
  NarrowRef found = encode(expected);
  bool stored = holder->atomic<NarrowRef>(offset).compare_exchange_strong(found, encode(value));
  if (witness != nullptr) *witness = decode(found);
  return stored;
}
inline void store_element(Object* array, i32 index, Object* value) {
  store(array, Object::element_offset(2, static_cast<u32>(index)), value);
}
// `count` references, as memmove: ranges may overlap; each element is copied whole (JLS 17.6).
void copy_elements(Object* from, i32 from_index, Object* to, i32 to_index, i32 count);

}  // namespace keyhole::barrier
