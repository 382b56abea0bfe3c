// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// What both copying policies know of an object that has been copied, or could not be.
//
//   header in from-space             meaning
//   [new address          | 11]      copied: everything else is read there
//   [...  self-forwarded 1 ...]      no room for a copy: it stays, and so does its region
//   anything else                    not reached so far
#pragma once

#include <cstring>

#include "gc/region.h"
#include "runtime/object/object.h"

namespace keyhole::gc {

inline bool is_forwarded_or_kept(u64 word) { return layout::is_forwarded(word) || (word & layout::self_forwarded_bit) != 0; }
inline Object* target_of(u64 word) { return reinterpret_cast<Object*>(word & ~layout::lock_mask); }

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
