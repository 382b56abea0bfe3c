// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Forwarding: the state of an object in a copying collection.
//
//   first 8 bytes in from-space      meaning
//   [new address      | grew | 11]   copied: the rest is read there; `grew`: the copy is 8 bytes longer (its hash was
//                                    appended)
//   [...  self-forwarded 1 ...]      no room for a copy: it stays, and so does its region
//   anything else                    not reached so far
//
// F1: these 8 bytes are the header word, or begin with it (layout_tiny.h): their other contents, a length or a field,
//     are lost once the object is forwarded. So a worker reads them once, and takes klass, length, state and that field
//     from the value it read.
// F2: a copy is complete, with its first 8 bytes and a hash that had to be stored, before the old object is forwarded
//     to it.
// F3: an object that stays is updated where it is, and a worker that has not seen that yet may be copying it. So slots
//     are written and copied as relaxed atomics. Its copy mixes old and new slots; it is thrown away.
#pragma once

#include <cstring>

#include "gc/heap/region.h"
#include "runtime/object/identity.h"

namespace keyhole::gc {

// In a forwarding address: the copy has grown. This is the bit of self-forwarded objects, which is 0 in addresses.
inline constexpr u64 grew_bit = layout::self_forwarded_bit;
inline u64 forwarding_to(const char* target, bool grew) {
  return reinterpret_cast<u64>(target) | layout::forwarded | (grew ? grew_bit : 0);
}
inline bool is_forwarded_or_kept(u64 first) {
  return layout::is_forwarded(first) || (first & layout::self_forwarded_bit) != 0;
}
inline Object* target_of(u64 forwarding) {
  return reinterpret_cast<Object*>(forwarding & ~u64{layout::lock_mask | grew_bit});
}

// Copies `bytes`, a multiple of 8, as relaxed atomics (F3).
inline void copy_words(char* to, const char* from, u64 bytes) {
  constexpr bool counts_as_plain = __has_feature(thread_sanitizer);  // memcpy
  if (bytes <= 128 || counts_as_plain) [[likely]] {
    u64* target = reinterpret_cast<u64*>(to);
    const u64* source = reinterpret_cast<const u64*>(from);
    for (u64 i = 0; i < bytes / 8; ++i) {
      target[i] = __atomic_load_n(source + i, __ATOMIC_RELAXED);
      // Keeps the compiler from making a call of memcpy of the loop, which costs more than the copy itself.
      asm volatile("" ::: "memory");
    }
  } else {
    memcpy(to, from, bytes);
  }
}
inline void write_slot(NarrowRef* slot, NarrowRef value) { __atomic_store_n(slot, value, __ATOMIC_RELAXED); }  // F3

// Makes a region that keeps objects walkable after copying: self-forwarded objects stay and lose the bit, the rest
// becomes filler.
void fill_gaps(Region& region) TOUCHES_OBJECTS;

}  // namespace keyhole::gc
