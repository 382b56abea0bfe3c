// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Copying references between arrays.
#include "gc/barrier.h"

namespace keyhole::barrier {

constinit Kind kind = Kind::None;

namespace {

// Four references that are copied at once. On x86-64 a vector access never splits an element that is aligned to 4
// bytes.
typedef u32 Quad __attribute__((vector_size(16), aligned(4)));

inline void move_quad(NarrowRef* target, const NarrowRef* source) {
  Quad values = *reinterpret_cast<const Quad*>(source);
  // Keeps the compiler from replacing the loop by a call of memmove, which may split elements.
  asm volatile("" ::: "memory");
  *reinterpret_cast<Quad*>(target) = values;
}
inline void move_one(NarrowRef* target, const NarrowRef* source) {
  __atomic_store_n(target, __atomic_load_n(source, __ATOMIC_RELAXED), __ATOMIC_RELAXED);
}

}  // namespace

void copy_elements(Object* from, i32 from_index, Object* to, i32 to_index, i32 count) {
  const NarrowRef* source = from->address<NarrowRef>(Object::element_offset(2, static_cast<u32>(from_index)));
  NarrowRef* target = to->address<NarrowRef>(Object::element_offset(2, static_cast<u32>(to_index)));
  if (target <= source || target >= source + count) {
    i32 i = 0;
    for (; i + 4 <= count; i += 4) move_quad(target + i, source + i);
    for (; i < count; ++i) move_one(target + i, source + i);
  } else {
    i32 i = count;
    for (; i >= 4; i -= 4) move_quad(target + i - 4, source + i - 4);
    for (; i > 0; --i) move_one(target + i - 1, source + i - 1);
  }
  if (count > 0 && kind == Kind::CardMark)
    __builtin_memset(card_of(target), dirty_card,
                     static_cast<usize>(card_of(target + count - 1) - card_of(target)) + 1);
}

}  // namespace keyhole::barrier
