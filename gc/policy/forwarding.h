// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// What a copying collection knows of an object that has been copied, or could not be.
//
//   first 8 bytes in from-space      meaning
//   [new address      | grew | 11]   copied: everything else is read there; `grew`: the copy is 8 bytes longer (its
//                                    hash was appended)
//   [...  self-forwarded 1 ...]      no room for a copy: it stays, and so does its region
//   anything else                    not reached so far
//
// F1: these 8 bytes are the header word, or begin with it (layout_tiny.h): what else is in them, a length or a field,
//     is lost to a reader once the object is forwarded. So a worker reads them once, and takes klass, length, state and
//     that field from what it has read.
// F2: a copy is complete, the first 8 bytes and a hash that had to be stored included, before the old object is
//     forwarded to it.
#pragma once

#include <cstring>

#include "gc/region.h"
#include "runtime/object/identity.h"

namespace keyhole::gc {

// The bit of self-forwarded ones: an address has room for it.
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

// bytes: a multiple of 8.
inline void copy_words(char* to, const char* from, u64 bytes) {
  if (bytes <= 128) [[likely]] {
    u64* target = reinterpret_cast<u64*>(to);
    const u64* source = reinterpret_cast<const u64*>(from);
    for (u64 i = 0; i < bytes / 8; ++i) {
      target[i] = source[i];
      asm volatile("" ::: "memory");  // or the loop becomes a call of memcpy, dearer than the copy itself
    }
  } else {
    memcpy(to, from, bytes);
  }
}

// A region that keeps objects, after copying: self-forwarded ones stay and lose the bit, all else becomes filler.
void fill_gaps(Region& region);

}  // namespace keyhole::gc
