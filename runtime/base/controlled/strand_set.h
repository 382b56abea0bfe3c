// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Sets of strands, as bits. A set fits into two registers, because every choice makes and compares some.
#pragma once

#include <bit>

#include "runtime/base/types.h"

namespace keyhole::controlled {

inline constexpr u32 max_strands = 128;
using StrandSet = unsigned __int128;

constexpr StrandSet all_strands = ~StrandSet{0};
constexpr StrandSet bit_of(u32 strand) { return StrandSet{1} << strand; }
constexpr bool contains(StrandSet set, u32 strand) { return (set >> strand & 1) != 0; }
// The member with the smallest number. The set must not be empty.
constexpr u32 first_of(StrandSet set) {
  u64 low = static_cast<u64>(set);
  return static_cast<u32>(low != 0 ? std::countr_zero(low) : 64 + std::countr_zero(static_cast<u64>(set >> 64)));
}
constexpr bool has_one(StrandSet set) { return set != 0 && (set & (set - 1)) == 0; }
constexpr u32 count_of(StrandSet set) {
  return static_cast<u32>(std::popcount(static_cast<u64>(set)) + std::popcount(static_cast<u64>(set >> 64)));
}

}  // namespace keyhole::controlled
