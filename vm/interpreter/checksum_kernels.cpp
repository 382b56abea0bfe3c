// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
// Computes Adler-32 with AVX2, and CRC-32 and CRC-32C by folding with VPCLMULQDQ. A folding step multiplies four blocks
// of 64 bytes by the power of x that shifts them onto the next four blocks, and xors the products with these blocks.
#include <immintrin.h>

#include <array>
#include <bit>
#include <cstring>

#include "vm/interpreter/library_kernels.h"

namespace keyhole::interpreter::kernels {

// --- Adler-32 --------------------------------------------------------------------------------------------------------

// Adler-32 consists of two sums: the first adds the bytes, the second adds the value of the first after each byte. So
// in a step of 32 bytes, byte 0 is added to the second sum 32 times, byte 1 31 times, and byte 31 once.
__attribute__((target("avx2"))) u32 adler32(u32 adler, std::span<const u8> bytes) {
  constexpr u32 base = 65521;
  constexpr usize step = 32, most_steps = 5552 / step;  // after 5552 bytes the 32-bit sums cannot have overflowed yet
  u32 first = adler & 0xFFFF, second = adler >> 16;
  const u8* at = bytes.data();
  usize left = bytes.size();
  const __m256i weights = _mm256_setr_epi8(32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14,
                                           13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1);
  auto sum_of = [](__m256i lanes) __attribute__((target("avx2"))) {
    __m128i four = _mm_add_epi32(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256(lanes, 1));
    __m128i two = _mm_add_epi32(four, _mm_shuffle_epi32(four, 0x4E));
    return static_cast<u32>(_mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32(two, 0xB1))));
  };
  while (left >= step) {
    usize steps = left / step < most_steps ? left / step : most_steps;
    left -= steps * step;
    __m256i sums = _mm256_zextsi128_si256(_mm_cvtsi32_si128(static_cast<i32>(first)));
    __m256i weighted = _mm256_zextsi128_si256(_mm_cvtsi32_si128(static_cast<i32>(second)));
    // Each of a step's 32 bytes adds to the second sum the value that the first sum had when the step began. `before`
    // adds up these values, one for each step. It is multiplied by 32 after the last step.
    __m256i before = _mm256_setzero_si256();
    for (; steps > 0; --steps, at += step) {
      __m256i now = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at));
      before = _mm256_add_epi32(before, sums);
      sums = _mm256_add_epi32(sums, _mm256_sad_epu8(now, _mm256_setzero_si256()));
      __m256i products = _mm256_maddubs_epi16(now, weights);
      weighted = _mm256_add_epi32(weighted, _mm256_madd_epi16(products, _mm256_set1_epi16(1)));
    }
    first = sum_of(sums) % base;
    second = sum_of(_mm256_add_epi32(weighted, _mm256_slli_epi32(before, 5))) % base;
  }
  for (; left > 0; --left) {
    first += *at++;
    second += first;
  }
  return (second % base) << 16 | first % base;
}

// --- CRC -------------------------------------------------------------------------------------------------------------

namespace {

constexpr u32 of_crc32 = 0x04C11DB7, of_crc32c = 0x1EDC6F41;  // the polynomials, without x^32

// x^exponent mod P as an operand of a carry-less multiplication. Operands are bit-reversed, like the data of a CRC: the
// lowest bit belongs to the highest power. The product of two such operands of 64 bits has 127 bits and would lie one
// bit too low, so the operand is shifted by one.
constexpr u64 power_of_x(u32 polynomial, u32 exponent) {
  u32 remainder = 1;
  for (u32 i = 0; i < exponent; ++i) remainder = (remainder << 1) ^ ((remainder >> 31) != 0 ? polynomial : 0);
  u64 reversed = 0;
  for (u32 bit = 0; bit < 32; ++bit) reversed |= u64{(remainder >> bit) & 1} << (31 - bit);
  return reversed << 1;
}

// Multiplying the two halves of a block of 128 bits by these factors moves the block by `distance` bits. The first half
// lies 64 bits farther from the end, so that half moves by distance + 64. Both exponents are reduced by 32, because the
// low half of a bit-reversed operand stands for the powers from x^32 on.
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

// tables[k][b]: the remainder of byte b with k zero bytes after it.
constexpr auto tables_of_crc32 = [] {
  std::array<std::array<u32, 256>, 8> tables{};
  for (u32 byte = 0; byte < 256; ++byte) {
    u32 remainder = byte;
    for (u32 bit = 0; bit < 8; ++bit) remainder = remainder >> 1 ^ ((remainder & 1) != 0 ? 0xEDB88320 : 0);
    tables[0][byte] = remainder;
  }
  for (u32 k = 1; k < 8; ++k) {
    for (u32 byte = 0; byte < 256; ++byte)
      tables[k][byte] = tables[k - 1][byte] >> 8 ^ tables[0][tables[k - 1][byte] & 0xFF];
  }
  return tables;
}();

u32 add_eight_to_crc32(u64 state) {
  u32 remainder = 0;
  for (u32 i = 0; i < 8; ++i) remainder ^= tables_of_crc32[7 - i][state >> (8 * i) & 0xFF];
  return remainder;
}

template <u32 polynomial> WIDE_TARGET inline u32 remainder_of(u32 crc, const u8* at, usize count) {
  for (; count >= 8; count -= 8, at += 8) {
    u64 word;
    memcpy(&word, at, sizeof word);
    if constexpr (polynomial == of_crc32c) crc = static_cast<u32>(_mm_crc32_u64(crc, word));
    else crc = add_eight_to_crc32(word ^ crc);
  }
  for (; count > 0; --count) {
    if constexpr (polynomial == of_crc32c) crc = _mm_crc32_u8(crc, *at++);
    else crc = crc >> 8 ^ tables_of_crc32[0][(crc ^ *at++) & 0xFF];
  }
  return crc;
}

template <u32 polynomial> WIDE_TARGET u32 crc_by_folding(u32 crc, std::span<const u8> bytes) {
  const u8* at = bytes.data();
  usize left = bytes.size();
  if (left < 32) return remainder_of<polynomial>(crc, at, left);
  __m128i rest;
  // The CRC so far, which is xored into the first four bytes.
  const __m128i initial = _mm_cvtsi32_si128(static_cast<i32>(crc));
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
  return remainder_of<polynomial>(remainder_of<polynomial>(0, last, sizeof last), at, left);
}

}  // namespace

u32 crc32(u32 crc, std::span<const u8> bytes) { return ~crc_by_folding<of_crc32>(~crc, bytes); }
u32 wide_crc32c(u32 crc, std::span<const u8> bytes) { return crc_by_folding<of_crc32c>(crc, bytes); }

}  // namespace keyhole::interpreter::kernels
