// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Bits: a bit set of small numbers, for data-flow analysis.
#pragma once

#include <bit>
#include <vector>

#include "runtime/base/types.h"

namespace keyhole::middle {

class Bits {
 public:
  explicit Bits(usize count) : words_((count + 63) / 64) {}
  bool has(u32 bit) const { return words_[bit / 64] >> (bit % 64) & 1; }
  void add(u32 bit) { words_[bit / 64] |= u64{1} << (bit % 64); }
  void remove(u32 bit) { words_[bit / 64] &= ~(u64{1} << (bit % 64)); }
  // Adds the bits of `other` that are not in `without`. Returns whether this set has grown.
  bool add_all(const Bits& other, const Bits& without) {
    u64 added = 0;
    for (usize i = 0; i < words_.size(); ++i) {
      const u64 more = other.words_[i] & ~without.words_[i] & ~words_[i];
      words_[i] |= more;
      added |= more;
    }
    return added != 0;
  }
  template <typename Visit> void for_each(Visit&& visit) const {
    for (usize i = 0; i < words_.size(); ++i) {
      for (u64 rest = words_[i]; rest != 0; rest &= rest - 1) visit(static_cast<u32>(i * 64 + std::countr_zero(rest)));
    }
  }

 private:
  std::vector<u64> words_;
};

}  // namespace keyhole::middle
