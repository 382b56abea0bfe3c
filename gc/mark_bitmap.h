// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// One bit per 8 bytes of heap, in memory that the kernel backs as it is touched. Serves marking, and the verifier's object starts.
#pragma once

#include <sys/mman.h>

#include "runtime/base/address_space.h"
#include "runtime/base/check.h"
#include "runtime/object/object.h"

namespace keyhole::gc {

class MarkBitmap {
 public:
  static constexpr u32 block_shift = 9;   // one word of bits covers 512 bytes of heap
  static constexpr u64 block_bytes = u64{1} << block_shift;

  explicit MarkBitmap(u64 heap_bytes) : bytes_(heap_bytes >> 6) {
    void* memory = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    KEYHOLE_CHECK(memory != MAP_FAILED, "no memory for a mark bitmap of {} bytes", bytes_);
    words_ = static_cast<u64*>(memory);
  }
  ~MarkBitmap() { munmap(words_, bytes_); }
  MarkBitmap(const MarkBitmap&) = delete;
  MarkBitmap& operator=(const MarkBitmap&) = delete;

  static u64 granule_of(const void* address) { return (reinterpret_cast<uptr>(address) - address_space::heap_base) >> 3; }
  static char* address_of(u64 granule) { return reinterpret_cast<char*>(address_space::heap_base + (granule << 3)); }

  bool is_marked(const void* address) const {
    u64 granule = granule_of(address);
    return (words_[granule >> 6] >> (granule & 63) & 1) != 0;
  }
  void mark(const void* address) {
    u64 granule = granule_of(address);
    words_[granule >> 6] |= u64{1} << (granule & 63);
  }
  void mark_range(const void* address, u64 bytes) {
    u64 first = granule_of(address), last = first + (bytes >> 3) - 1;
    u64 first_word = first >> 6, last_word = last >> 6;
    u64 first_mask = ~u64{0} << (first & 63), last_mask = ~u64{0} >> (63 - (last & 63));
    if (first_word == last_word) {
      words_[first_word] |= first_mask & last_mask;
      return;
    }
    words_[first_word] |= first_mask;
    for (u64 word = first_word + 1; word < last_word; ++word) words_[word] = ~u64{0};
    words_[last_word] |= last_mask;
  }
  u64 word(u64 block) const { return words_[block]; }
  void prefetch(const void* address) const { __builtin_prefetch(words_ + (granule_of(address) >> 6)); }

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
  u64 bytes_;
  u64* words_;
};

}  // namespace keyhole::gc
