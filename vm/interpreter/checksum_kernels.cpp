// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// CRC-32C by folding with VPCLMULQDQ: four blocks of 64 bytes are multiplied by the power of x that moves them over the
// next four.
#include <immintrin.h>

#include <cstring>

#include "vm/interpreter/library_kernels.h"

namespace keyhole::interpreter::kernels {

namespace {

constexpr u32 of_crc32c = 0x1EDC6F41;  // the polynomial, without x^32

// x^exponent mod P as an operand of a carry-less multiplication. In a CRC's bytes the bit of the highest power is the
// lowest. The product of two such operands of 64 bits has 127 bits, so it would be one bit too low: hence the shift.
constexpr u64 power_of_x(u32 polynomial, u32 exponent) {
  u32 remainder = 1;
  for (u32 i = 0; i < exponent; ++i) remainder = (remainder << 1) ^ ((remainder >> 31) != 0 ? polynomial : 0);
  u64 reversed = 0;
  for (u32 bit = 0; bit < 32; ++bit) reversed |= u64{(remainder >> bit) & 1} << (31 - bit);
  return reversed << 1;
}

// The operands that move a block of 128 bits by `distance` bits. They have 33 bits, at the low end of 64: that is a
// distance of 32 bits which they make up for.
template <u32 polynomial, u32 distance> struct Move {
  static constexpr i64 first_half = static_cast<i64>(power_of_x(polynomial, distance + 32));
  static constexpr i64 second_half = static_cast<i64>(power_of_x(polynomial, distance - 32));
};

#define WIDE_TARGET __attribute__((target("vpclmulqdq,pclmul,avx512f,avx512vl,avx512dq,avx512bw,sse4.2")))

template <typename M> WIDE_TARGET inline __m512i fold(__m512i block, __m512i later) {
  const __m512i move = _mm512_broadcast_i32x4(_mm_set_epi64x(M::second_half, M::first_half));
  return _mm512_ternarylogic_epi64(_mm512_clmulepi64_epi128(block, move, 0x00),
                                   _mm512_clmulepi64_epi128(block, move, 0x11), later, 0x96);
}
template <typename M> WIDE_TARGET inline __m128i fold(__m128i block, __m128i later) {
  const __m128i move = _mm_set_epi64x(M::second_half, M::first_half);
  return _mm_ternarylogic_epi64(_mm_clmulepi64_si128(block, move, 0x00), _mm_clmulepi64_si128(block, move, 0x11), later,
                                0x96);
}

WIDE_TARGET inline __m512i load_64(const u8* from) { return _mm512_loadu_si512(from); }
WIDE_TARGET inline __m128i load_16(const u8* from) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from)); }

WIDE_TARGET inline u32 remainder_of(u32 crc, const u8* at, usize count) {
  for (; count >= 8; count -= 8, at += 8) {
    u64 word;
    memcpy(&word, at, sizeof word);
    crc = static_cast<u32>(_mm_crc32_u64(crc, word));
  }
  for (; count > 0; --count) crc = _mm_crc32_u8(crc, *at++);
  return crc;
}

template <u32 polynomial> WIDE_TARGET u32 crc_by_folding(u32 crc, std::span<const u8> bytes) {
  const u8* at = bytes.data();
  usize left = bytes.size();
  if (left < 32) return remainder_of(crc, at, left);
  __m128i rest;
  const __m128i initial = _mm_cvtsi32_si128(static_cast<i32>(crc));  // is added to the first four bytes
  if (left >= 256) {
    __m512i blocks[4];
    for (u32 i = 0; i < 4; ++i) blocks[i] = load_64(at + 64 * i);
    blocks[0] = _mm512_xor_si512(blocks[0], _mm512_zextsi128_si512(initial));
    for (at += 256, left -= 256; left >= 256; at += 256, left -= 256) {
      for (u32 i = 0; i < 4; ++i) blocks[i] = fold<Move<polynomial, 8 * 256>>(blocks[i], load_64(at + 64 * i));
    }
    for (u32 i = 1; i < 4; ++i) blocks[i] = fold<Move<polynomial, 8 * 64>>(blocks[i - 1], blocks[i]);
    for (; left >= 64; at += 64, left -= 64) blocks[3] = fold<Move<polynomial, 8 * 64>>(blocks[3], load_64(at));
    rest = _mm512_castsi512_si128(blocks[3]);
    rest = fold<Move<polynomial, 8 * 16>>(rest, _mm512_extracti32x4_epi32(blocks[3], 1));
    rest = fold<Move<polynomial, 8 * 16>>(rest, _mm512_extracti32x4_epi32(blocks[3], 2));
    rest = fold<Move<polynomial, 8 * 16>>(rest, _mm512_extracti32x4_epi32(blocks[3], 3));
  } else {
    rest = _mm_xor_si128(load_16(at), initial);
    at += 16;
    left -= 16;
  }
  for (; left >= 16; at += 16, left -= 16) rest = fold<Move<polynomial, 8 * 16>>(rest, load_16(at));
  alignas(16) u8 last[16];
  _mm_store_si128(reinterpret_cast<__m128i*>(last), rest);
  return remainder_of(remainder_of(0, last, sizeof last), at, left);
}

}  // namespace

u32 wide_crc32c(u32 crc, std::span<const u8> bytes) { return crc_by_folding<of_crc32c>(crc, bytes); }

}  // namespace keyhole::interpreter::kernels
