// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Base64 with AVX-512 VBMI: 64 characters at a time, with permutations of bytes as tables of 64 and 128 entries.
#include <immintrin.h>

#include <array>

#include "vm/interpreter/library_kernels.h"

namespace keyhole::interpreter::kernels {
namespace {

#define VBMI_TARGET __attribute__((target("avx512vbmi,avx512bw,avx512vl,avx512f")))

struct Alphabet {
  explicit constexpr Alphabet(bool is_url) {
    u8 value = 0;
    values.fill(0x80);
    auto add = [&](u8 first, u8 last) {
      for (u8 c = first; c <= last; ++c) {
        characters[value] = c;
        values[c] = value++;
      }
    };
    add('A', 'Z');
    add('a', 'z');
    add('0', '9');
    u8 last_two[2] = {static_cast<u8>(is_url ? '-' : '+'), static_cast<u8>(is_url ? '_' : '/')};
    for (u8 c : last_two) add(c, c);
  }
  alignas(64) std::array<u8, 64> characters{};
  alignas(64) std::array<u8, 128> values{};  // the value of each character; 0x80 for a character outside the alphabet
};
constexpr Alphabet alphabets[2] = {Alphabet(false), Alphabet(true)};

// Permutations of bytes. spread_places turns each group of three bytes into four: its bytes 1, 0, 2 and 1.
// packed_places turns each group of four bytes into three: its bytes 2, 1 and 0.
constexpr auto spread_places = [] {
  std::array<u8, 64> places{};
  for (u8 group = 0; group < 16; ++group) {
    constexpr u8 order[4] = {1, 0, 2, 1};
    for (u8 i = 0; i < 4; ++i) places[4 * group + i] = static_cast<u8>(3 * group + order[i]);
  }
  return places;
}();
constexpr auto packed_places = [] {
  std::array<u8, 64> places{};
  for (u8 i = 0; i < 48; ++i) places[i] = static_cast<u8>(i / 3 * 4 + 2 - i % 3);
  return places;
}();

constexpr u64 first_48 = (u64{1} << 48) - 1;

}  // namespace

VBMI_TARGET void wide_base64_encode(const u8* from, usize groups, u8* to, bool is_url) {
  const __m512i characters = _mm512_load_si512(alphabets[is_url].characters.data());
  const __m512i places = _mm512_loadu_si512(spread_places.data());
  // The bit offsets of the eight six-bit values of a word.
  const __m512i shifts = _mm512_set1_epi64(0x3036242A1016040A);
  while (groups > 0) {
    usize now = groups < 16 ? groups : 16;
    u64 read = now == 16 ? first_48 : (u64{1} << (3 * now)) - 1;
    u64 written = now == 16 ? ~u64{0} : (u64{1} << (4 * now)) - 1;
    __m512i bytes = _mm512_maskz_loadu_epi8(read, from);
    __m512i values = _mm512_multishift_epi64_epi8(shifts, _mm512_permutexvar_epi8(places, bytes));
    _mm512_mask_storeu_epi8(to, written, _mm512_permutexvar_epi8(values, characters));
    groups -= now;
    from += 3 * now;
    to += 4 * now;
  }
}

VBMI_TARGET usize base64_decode(const u8* from, usize groups, u8* to, bool is_url) {
  const __m512i low = _mm512_load_si512(alphabets[is_url].values.data());
  const __m512i high = _mm512_load_si512(alphabets[is_url].values.data() + 64);
  const __m512i places = _mm512_loadu_si512(packed_places.data());
  auto packed = [&](__m512i values) VBMI_TARGET {
    __m512i halves = _mm512_maddubs_epi16(values, _mm512_set1_epi32(0x01400140));  // two values of six bits
    __m512i whole = _mm512_madd_epi16(halves, _mm512_set1_epi32(0x00011000));      // four
    return _mm512_permutexvar_epi8(places, whole);
  };
  usize left = groups;
  for (; left >= 16; left -= 16, from += 64, to += 48) {
    __m512i characters = _mm512_loadu_si512(from);
    __m512i values = _mm512_permutex2var_epi8(low, characters, high);
    if (_mm512_movepi8_mask(_mm512_or_si512(values, characters)) != 0) break;
    _mm512_mask_storeu_epi8(to, first_48, packed(values));
  }
  if (left == 0) return groups;
  // Decodes the rest of the input, which has fewer than 16 groups, or has a wrong character in one of its first 16
  // groups. A group with a wrong character ends the decoding.
  usize now = left < 16 ? left : 16;
  u64 read = now == 16 ? ~u64{0} : (u64{1} << (4 * now)) - 1;
  __m512i characters = _mm512_maskz_loadu_epi8(read, from);
  __m512i values = _mm512_permutex2var_epi8(low, characters, high);
  u64 wrong = _mm512_movepi8_mask(_mm512_or_si512(values, characters)) & read;
  if (wrong != 0) now = static_cast<usize>(__builtin_ctzll(wrong)) / 4;
  _mm512_mask_storeu_epi8(to, (u64{1} << (3 * now)) - 1, packed(values));
  return groups - left + now;
}

}  // namespace keyhole::interpreter::kernels
