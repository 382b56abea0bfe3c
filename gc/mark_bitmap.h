// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A bitmap with one bit per 8 bytes of heap, in memory that the kernel backs as it is touched. Used for marking, and
// for the object starts of the verifier.
#pragma once

#include <sys/mman.h>

#include "runtime/base/address_space.h"
#include "runtime/base/check.h"
#include "runtime/object/object.h"

namespace keyhole::gc {

class MarkBitmap {
 public:
  static constexpr u32 block_shift = 9;  // one word of bits covers 512 bytes of heap
  static constexpr u64 block_bytes = u64{1} << block_shift;

  explicit MarkBitmap(u64 heap_bytes) : bytes_(heap_bytes >> 6) {
    void* memory = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    KEYHOLE_CHECK(memory != MAP_FAILED, "no memory for a mark bitmap of {} bytes", bytes_);
    words_ = static_cast<u64*>(memory);
  }
  ~MarkBitmap() { munmap(words_, bytes_); }
  MarkBitmap(const MarkBitmap&) = delete;
  MarkBitmap& operator=(const MarkBitmap&) = delete;

  static u64 granule_of(const void* address) {
    return (reinterpret_cast<uptr>(address) - address_space::heap_base) >> 3;
  }
  static char* address_of(u64 granule) { return reinterpret_cast<char*>(address_space::heap_base + (granule << 3)); }

  bool is_marked(const void* address) const {
    u64 granule = granule_of(address);
    return (__atomic_load_n(&words_[granule >> 6], __ATOMIC_RELAXED) >> (granule & 63) & 1) != 0;
  }
  void mark(const void* address) {
    u64 granule = granule_of(address);
    words_[granule >> 6] |= u64{1} << (granule & 63);
  }
  void mark_range(const void* address, u64 bytes) {
    set_range(address, bytes, [this](u64 word, u64 bits) {
      words_[word] |= bits;
      return true;
    });
  }
  // Sets the bits of an object; called by several threads. True for the thread that set the first bit. No thread
  // changes another object's bits.
  bool claim_range(const void* address, u64 bytes) {
    u64 first_bit = u64{1} << (granule_of(address) & 63);
    return set_range(address, bytes, [this, first_bit, first = granule_of(address) >> 6](u64 word, u64 bits) {
      u64 before = __atomic_fetch_or(&words_[word], bits, __ATOMIC_RELAXED);
      return word != first || (before & first_bit) == 0;
    });
  }
  void unmark(const void* address) {
    u64 granule = granule_of(address);
    words_[granule >> 6] &= ~(u64{1} << (granule & 63));
  }
  u64 word(u64 block) const { return words_[block]; }
  void prefetch(const void* address) const { __builtin_prefetch(words_ + (granule_of(address) >> 6)); }

  u64 marked_bytes(const void* from, const void* to) const {
    u64 first = granule_of(from), limit = granule_of(to), count = 0;
    while (first < limit) {
      u64 block_limit = ((first >> 6) + 1) << 6;
      u64 bits = words_[first >> 6] >> (first & 63);
      if (block_limit > limit) bits &= ~u64{0} >> (64 - (limit - first));
      count += static_cast<u64>(__builtin_popcountll(bits));
      first = block_limit;
    }
    return count << 3;
  }

  // The first granule in [from, limit) that is not marked, or `limit`.
  u64 next_clear(u64 from, u64 limit) const {
    while (from < limit) {
      u64 bits = ~words_[from >> 6] & (~u64{0} << (from & 63));
      from &= ~u64{63};
      if (bits != 0)
        return from + static_cast<u64>(__builtin_ctzll(bits)) < limit ? from + static_cast<u64>(__builtin_ctzll(bits))
                                                                      : limit;
      from += 64;
    }
    return limit;
  }
  // The first marked granule in [from, limit), or `limit`.
  u64 next_marked(u64 from, u64 limit) const {
    if (from >= limit) return limit;
    u64 index = from >> 6;
    u64 bits = words_[index] & (~u64{0} << (from & 63));
    while (bits == 0) {
      if (++index >= (limit + 63) >> 6) return limit;
      bits = words_[index];
    }
    u64 found = (index << 6) + static_cast<u64>(__builtin_ctzll(bits));
    return found < limit ? found : limit;
  }

 private:
  // Calls set(word, bits) for each word of the range, as long as it returns true.
  template <typename Set> [[gnu::always_inline]] static bool set_range(const void* address, u64 bytes, Set&& set) {
    u64 first = granule_of(address), last = first + (bytes >> 3) - 1;
    u64 first_word = first >> 6, last_word = last >> 6;
    u64 first_mask = ~u64{0} << (first & 63), last_mask = ~u64{0} >> (63 - (last & 63));
    if (first_word == last_word) return set(first_word, first_mask & last_mask);
    if (!set(first_word, first_mask)) return false;
    for (u64 word = first_word + 1; word < last_word; ++word) set(word, ~u64{0});
    set(last_word, last_mask);
    return true;
  }

  u64 bytes_;
  u64* words_;
};

// A bitmap for a property that no object of this VM has: it takes no memory, and queries fold away.
class NoMarks {
 public:
  explicit NoMarks(u64) {}
  bool is_marked(const void*) const { return false; }
  void mark(const void*) {}
  void unmark(const void*) {}
  u64 word(u64) const { return 0; }
};

}  // namespace keyhole::gc
