// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Folds blocks with PCLMULQDQ.
#include "classlib/natives/java.base/io/crc32.h"

#include <immintrin.h>
#include <sys/platform/x86.h>
#include <zlib.h>

#include <algorithm>
#include <limits>

namespace keyhole::natives {
namespace {

constexpr usize block_bytes = 16, group_bytes = 4 * block_bytes;
// Below this length zlib alone is as fast.
constexpr usize least_bytes = 2 * group_bytes;

constexpr u32 polynomial = 0x04C11DB7;  // without x^32

// x^exponent mod P as an operand of the multiplication. In a CRC's bytes the bit of the highest power is the lowest.
// The product of two such operands of 64 bits has 127 bits, so it would be one bit too low: hence the shift.
constexpr u64 power_of_x(u32 exponent) {
  u32 remainder = 1;
  for (u32 i = 0; i < exponent; ++i) remainder = (remainder << 1) ^ ((remainder >> 31) != 0 ? polynomial : 0);
  u64 reversed = 0;
  for (u32 bit = 0; bit < 32; ++bit) reversed |= u64{(remainder >> bit) & 1} << (31 - bit);
  return reversed << 1;
}

// A block and the one `distance` bits later. Each half of the block is multiplied by its own power. The powers have 33
// bits, at the low end of 64: that is a distance of 32 bits which they make up for.
template <u32 distance> __attribute__((target("pclmul"))) __m128i fold(__m128i block, __m128i later) {
  constexpr u64 of_earlier_half = power_of_x(distance + 32), of_later_half = power_of_x(distance - 32);
  const __m128i powers = _mm_set_epi64x(static_cast<i64>(of_later_half), static_cast<i64>(of_earlier_half));
  __m128i low = _mm_clmulepi64_si128(block, powers, 0x00), high = _mm_clmulepi64_si128(block, powers, 0x11);
  return _mm_xor_si128(_mm_xor_si128(low, high), later);
}

__m128i block_at(const u8* bytes) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes)); }

u32 crc32_by_zlib(u32 crc, std::span<const u8> bytes) {
  while (!bytes.empty()) {
    usize count = std::min<usize>(bytes.size(), std::numeric_limits<uInt>::max());
    crc = static_cast<u32>(crc32(crc, bytes.data(), static_cast<uInt>(count)));
    bytes = bytes.subspan(count);
  }
  return crc;
}

__attribute__((target("pclmul"))) u32 crc32_by_folding(u32 crc, std::span<const u8> bytes) {
  const u8* at = bytes.data();
  const u8* end = at + bytes.size();
  __m128i blocks[4];
  for (u32 i = 0; i < 4; ++i) blocks[i] = block_at(at + i * block_bytes);
  // A CRC begins with its complement, added to the first four bytes.
  blocks[0] = _mm_xor_si128(blocks[0], _mm_cvtsi32_si128(static_cast<i32>(~crc)));
  for (at += group_bytes; static_cast<usize>(end - at) >= group_bytes; at += group_bytes) {
    for (u32 i = 0; i < 4; ++i) blocks[i] = fold<8 * group_bytes>(blocks[i], block_at(at + i * block_bytes));
  }
  __m128i rest = blocks[0];
  for (u32 i = 1; i < 4; ++i) rest = fold<8 * block_bytes>(rest, blocks[i]);
  for (; static_cast<usize>(end - at) >= block_bytes; at += block_bytes)
    rest = fold<8 * block_bytes>(rest, block_at(at));
  alignas(16) u8 left[block_bytes];
  _mm_store_si128(reinterpret_cast<__m128i*>(left), rest);
  constexpr u32 without_complement = ~0u;  // `rest` has it already
  return crc32_by_zlib(crc32_by_zlib(without_complement, left), {at, end});
}

}  // namespace

u32 crc32_of(u32 crc, std::span<const u8> bytes) {
  static const bool can_fold = CPU_FEATURE_ACTIVE(PCLMULQDQ);
  return can_fold && bytes.size() >= least_bytes ? crc32_by_folding(crc, bytes) : crc32_by_zlib(crc, bytes);
}

}  // namespace keyhole::natives
