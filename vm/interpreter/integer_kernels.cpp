// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Multiplication of BigIntegers. Magnitudes are arrays of words of 32 bits, the highest first; these functions compute
// with limbs of 64 bits, the lowest first.
#include <algorithm>

#include "vm/interpreter/library_kernels.h"

namespace keyhole::interpreter::kernels {
namespace {

using u128 = unsigned __int128;
constexpr usize most_limbs = most_words_of_factor / 2;

// Returns the number of limbs.
usize read(const u32* words, usize count, u64* limbs) {
  usize used = 0;
  for (; count >= 2; count -= 2) limbs[used++] = words[count - 1] | u64{words[count - 2]} << 32;
  if (count == 1) limbs[used++] = words[0];
  return used;
}

void write(const u64* limbs, u32* words, usize count) {
  for (usize i = 0; i < count; ++i) words[count - 1 - i] = static_cast<u32>(limbs[i / 2] >> (i % 2 * 32));
}

// Adds x * factor to `sums`. Returns the carry, which belongs in the limb after the last one of `sums`.
__attribute__((target("bmi2,adx"), always_inline)) inline u64 add_product(u64* sums, const u64* x, usize count,
                                                                          u64 factor) {
  u64 carry = 0;
  usize i = 0;
#pragma clang loop unroll_count(4)
  for (; i < count; ++i) {
    u128 sum = static_cast<u128>(x[i]) * factor + sums[i] + carry;
    sums[i] = static_cast<u64>(sum);
    carry = static_cast<u64>(sum >> 64);
  }
  return carry;
}

// x -= y; returns the borrow.
u64 subtract(u64* x, const u64* y, usize count) {
  u64 borrow = 0;
  for (usize i = 0; i < count; ++i) {
    u128 difference = static_cast<u128>(x[i]) - y[i] - borrow;
    x[i] = static_cast<u64>(difference);
    borrow = static_cast<u64>(difference >> 64) & 1;
  }
  return borrow;
}

bool is_below(const u64* x, const u64* y, usize count) {
  while (count-- > 0) {
    if (x[count] != y[count]) return x[count] < y[count];
  }
  return false;
}

}  // namespace

__attribute__((target("bmi2,adx"))) void multiply_words(const u32* x, usize x_count, const u32* y, usize y_count,
                                                        u32* product) {
  u64 left[most_limbs], right[most_limbs], sums[2 * most_limbs];
  usize left_count = read(x, x_count, left), right_count = read(y, y_count, right);
  std::fill_n(sums, left_count, 0);
  for (usize i = 0; i < right_count; ++i) sums[left_count + i] = add_product(sums + i, left, left_count, right[i]);
  write(sums, product, x_count + y_count);
}

__attribute__((target("bmi2,adx"))) bool montgomery_multiply(const u32* a, const u32* b, const u32* modulus,
                                                             usize word_count, u64 inverse, u32* product) {
  u64 left[most_limbs], right[most_limbs], mod[most_limbs], sums[2 * most_limbs + 1];
  usize count = read(modulus, word_count, mod);
  read(a, word_count, left);
  read(b, word_count, right);
  if (word_count % 2 != 0 || mod[0] * inverse != ~u64{0}) return false;
  std::fill_n(sums, 2 * count + 1, 0);
  // Step i adds left * right[i], and then the multiple of the modulus that makes limb i zero.
  for (usize i = 0; i < count; ++i) {
    auto carry_to = [&](usize at, u64 carry) {
      for (; carry != 0 && at <= 2 * count; ++at) {
        sums[at] += carry;
        carry = sums[at] < carry ? 1 : 0;
      }
    };
    carry_to(i + count, add_product(sums + i, left, count, right[i]));
    carry_to(i + count, add_product(sums + i, mod, count, sums[i] * inverse));
  }
  u64* result = sums + count;
  constexpr u32 most_subtractions = 4;  // more than reduced factors need
  for (u32 i = 0; result[count] != 0 || !is_below(result, mod, count); ++i) {
    if (i == most_subtractions) return false;
    result[count] -= subtract(result, mod, count);
  }
  write(result, product, word_count);
  return true;
}

}  // namespace keyhole::interpreter::kernels
