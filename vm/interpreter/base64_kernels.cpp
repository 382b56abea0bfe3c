// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Base64 with AVX-512 VBMI: 64 characters at a time, with permutations of bytes as tables.
#include <immintrin.h>

#include <array>

#include "vm/interpreter/library_kernels.h"

namespace keyhole::interpreter::kernels {
namespace {

#define VBMI_TARGET __attribute__((target("avx512vbmi,avx512bw,avx512vl,avx512f")))

struct Alphabet {
  explicit constexpr Alphabet(bool is_url) {
    u8 value = 0;
    auto add = [&](u8 first, u8 last) {
      for (u8 c = first; c <= last; ++c) {
        characters[value++] = c;
      }
    };
    add('A', 'Z');
    add('a', 'z');
    add('0', '9');
    u8 last_two[2] = {static_cast<u8>(is_url ? '-' : '+'), static_cast<u8>(is_url ? '_' : '/')};
    for (u8 c : last_two) add(c, c);
  }
  alignas(64) std::array<u8, 64> characters{};
};
constexpr Alphabet alphabets[2] = {Alphabet(false), Alphabet(true)};

// For each group of four bytes the places of the three that they come from.
constexpr auto spread_places = [] {
  std::array<u8, 64> places{};
  for (u8 group = 0; group < 16; ++group) {
    constexpr u8 order[4] = {1, 0, 2, 1};
    for (u8 i = 0; i < 4; ++i) places[4 * group + i] = static_cast<u8>(3 * group + order[i]);
  }
  return places;
}();
constexpr u64 first_48 = (u64{1} << 48) - 1;

}  // namespace

VBMI_TARGET void wide_base64_encode(const u8* from, usize groups, u8* to, bool is_url) {
  const __m512i characters = _mm512_load_si512(alphabets[is_url].characters.data());
  const __m512i places = _mm512_loadu_si512(spread_places.data());
  const __m512i shifts = _mm512_set1_epi64(0x3036242A1016040A);  // where in eight bytes each value of six bits begins
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

}  // namespace keyhole::interpreter::kernels
