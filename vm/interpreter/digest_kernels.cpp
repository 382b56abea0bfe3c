// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
// MD5 and SHA-512, unrolled, so that the state stays in registers. The VM uses no special processor instructions for
// these two digests.
#include <bit>
#include <cstring>

#include "vm/interpreter/library_kernels.h"

namespace keyhole::interpreter::kernels {
namespace {

// The constants of MD5 (RFC 1321, 3.4): values of the sine function.
constexpr u32 md5_constants[64] = {
    0xD76AA478, 0xE8C7B756, 0x242070DB, 0xC1BDCEEE, 0xF57C0FAF, 0x4787C62A, 0xA8304613, 0xFD469501,
    0x698098D8, 0x8B44F7AF, 0xFFFF5BB1, 0x895CD7BE, 0x6B901122, 0xFD987193, 0xA679438E, 0x49B40821,
    0xF61E2562, 0xC040B340, 0x265E5A51, 0xE9B6C7AA, 0xD62F105D, 0x02441453, 0xD8A1E681, 0xE7D3FBC8,
    0x21E1CDE6, 0xC33707D6, 0xF4D50D87, 0x455A14ED, 0xA9E3E905, 0xFCEFA3F8, 0x676F02D9, 0x8D2A4C8A,
    0xFFFA3942, 0x8771F681, 0x6D9D6122, 0xFDE5380C, 0xA4BEEA44, 0x4BDECFA9, 0xF6BB4B60, 0xBEBFBC70,
    0x289B7EC6, 0xEAA127FA, 0xD4EF3085, 0x04881D05, 0xD9D4D039, 0xE6DB99E5, 0x1FA27CF8, 0xC4AC5665,
    0xF4292244, 0x432AFF97, 0xAB9423A7, 0xFC93A039, 0x655B59C3, 0x8F0CCC92, 0xFFEFF47D, 0x85845DD1,
    0x6FA87E4F, 0xFE2CE6E0, 0xA3014314, 0x4E0811A1, 0xF7537E82, 0xBD3AF235, 0x2AD7D2BB, 0xEB86D391};
constexpr int md5_rotations[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};

// FIPS 180-4, 4.2.3.
alignas(64) constexpr u64 sha512_constants[80] = {
    0x428A2F98D728AE22, 0x7137449123EF65CD, 0xB5C0FBCFEC4D3B2F, 0xE9B5DBA58189DBBC, 0x3956C25BF348B538,
    0x59F111F1B605D019, 0x923F82A4AF194F9B, 0xAB1C5ED5DA6D8118, 0xD807AA98A3030242, 0x12835B0145706FBE,
    0x243185BE4EE4B28C, 0x550C7DC3D5FFB4E2, 0x72BE5D74F27B896F, 0x80DEB1FE3B1696B1, 0x9BDC06A725C71235,
    0xC19BF174CF692694, 0xE49B69C19EF14AD2, 0xEFBE4786384F25E3, 0x0FC19DC68B8CD5B5, 0x240CA1CC77AC9C65,
    0x2DE92C6F592B0275, 0x4A7484AA6EA6E483, 0x5CB0A9DCBD41FBD4, 0x76F988DA831153B5, 0x983E5152EE66DFAB,
    0xA831C66D2DB43210, 0xB00327C898FB213F, 0xBF597FC7BEEF0EE4, 0xC6E00BF33DA88FC2, 0xD5A79147930AA725,
    0x06CA6351E003826F, 0x142929670A0E6E70, 0x27B70A8546D22FFC, 0x2E1B21385C26C926, 0x4D2C6DFC5AC42AED,
    0x53380D139D95B3DF, 0x650A73548BAF63DE, 0x766A0ABB3C77B2A8, 0x81C2C92E47EDAEE6, 0x92722C851482353B,
    0xA2BFE8A14CF10364, 0xA81A664BBC423001, 0xC24B8B70D0F89791, 0xC76C51A30654BE30, 0xD192E819D6EF5218,
    0xD69906245565A910, 0xF40E35855771202A, 0x106AA07032BBD1B8, 0x19A4C116B8D2D0C8, 0x1E376C085141AB53,
    0x2748774CDF8EEB99, 0x34B0BCB5E19B48A8, 0x391C0CB3C5C95A63, 0x4ED8AA4AE3418ACB, 0x5B9CCA4F7763E373,
    0x682E6FF3D6B2B8A3, 0x748F82EE5DEFB2FC, 0x78A5636F43172F60, 0x84C87814A1F0AB72, 0x8CC702081A6439EC,
    0x90BEFFFA23631E28, 0xA4506CEBDE82BDE9, 0xBEF9A3F7B2C67915, 0xC67178F2E372532B, 0xCA273ECEEA26619C,
    0xD186B8C721C0C207, 0xEADA7DD6CDE0EB1E, 0xF57D4F7FEE6ED178, 0x06F067AA72176FBA, 0x0A637DC5A2C898A6,
    0x113F9804BEF90DAE, 0x1B710B35131C471B, 0x28DB77F523047D84, 0x32CAAB7B40C72493, 0x3C9EBE0A15C9BEBC,
    0x431D67C49C100D4C, 0x4CC5D4BECB3E42B6, 0x597F299CFC657E2A, 0x5FCB6FAB3AD6FAEC, 0x6C44198C4A475817};

template <int round> inline void md5_step(u32& a, u32 b, u32 c, u32 d, const u32* words) {
  constexpr int group = round / 16;
  constexpr int word = group == 0   ? round
                       : group == 1 ? (5 * round + 1) % 16
                       : group == 2 ? (3 * round + 5) % 16
                                    : 7 * round % 16;
  u32 sum = a + words[word] + md5_constants[round];
  if constexpr (group == 0) sum += d ^ (b & (c ^ d));
  // The terms `~d & c` and `d & b` share no bit, so each can be added to the sum. Only the addition of the second term
  // waits for b, the result of the step before.
  else if constexpr (group == 1) sum = sum + (~d & c) + (d & b);
  else if constexpr (group == 2) sum += b ^ c ^ d;
  else sum += c ^ (b | ~d);
  a = b + std::rotl(sum, md5_rotations[group][round % 4]);
}

template <int... fours>
inline void md5_steps(u32& a, u32& b, u32& c, u32& d, const u32* words, std::integer_sequence<int, fours...>) {
  ((md5_step<4 * fours>(a, b, c, d, words), md5_step<4 * fours + 1>(d, a, b, c, words),
    md5_step<4 * fours + 2>(c, d, a, b, words), md5_step<4 * fours + 3>(b, c, d, a, words)),
   ...);
}

// Stores the new a in `h` and the new e in `d`. The next round is called with the arguments rotated by one, so no other
// value has to move.
__attribute__((target("bmi2"), always_inline)) inline void sha512_round(u64 a, u64 b, u64 c, u64& d, u64 e, u64 f,
                                                                        u64 g, u64& h, u64 word) {
  u64 sum = h + word + (g ^ (e & (f ^ g))) + (std::rotr(e, 14) ^ std::rotr(e, 18) ^ std::rotr(e, 41));
  d += sum;
  h = sum + (std::rotr(a, 28) ^ std::rotr(a, 34) ^ std::rotr(a, 39)) + ((a & b) | (c & (a | b)));
}

}  // namespace

void md5_block(u32* state, const u8* block) {
  u32 words[16];
  memcpy(words, block, sizeof words);
  u32 a = state[0], b = state[1], c = state[2], d = state[3];
  md5_steps(a, b, c, d, words, std::make_integer_sequence<int, 16>());
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
}

__attribute__((target("bmi2"))) void sha512_block(u64* state, const u8* block) {
  u64 words[16];
  for (u32 i = 0; i < 16; ++i) {
    memcpy(&words[i], block + 8 * i, sizeof(u64));
    words[i] = __builtin_bswap64(words[i]);
  }
  u64 a = state[0], b = state[1], c = state[2], d = state[3], e = state[4], f = state[5], g = state[6], h = state[7];
  for (u32 first = 0; first < 80; first += 16) {
    const u64* constants = sha512_constants + first;
    // Returns word i plus its constant, and replaces word i by the word for the round 16 rounds later.
    auto word = [&](u32 i) __attribute__((target("bmi2"), always_inline)) {
      u64 now = words[i], one = words[(i + 1) % 16], fourteen = words[(i + 14) % 16];
      words[i] = now + words[(i + 9) % 16] + (std::rotr(one, 1) ^ std::rotr(one, 8) ^ (one >> 7)) +
                 (std::rotr(fourteen, 19) ^ std::rotr(fourteen, 61) ^ (fourteen >> 6));
      return now + constants[i];
    };
#pragma clang loop unroll(full)
    for (u32 i = 0; i < 16; i += 8) {
      sha512_round(a, b, c, d, e, f, g, h, word(i));
      sha512_round(h, a, b, c, d, e, f, g, word(i + 1));
      sha512_round(g, h, a, b, c, d, e, f, word(i + 2));
      sha512_round(f, g, h, a, b, c, d, e, word(i + 3));
      sha512_round(e, f, g, h, a, b, c, d, word(i + 4));
      sha512_round(d, e, f, g, h, a, b, c, word(i + 5));
      sha512_round(c, d, e, f, g, h, a, b, word(i + 6));
      sha512_round(b, c, d, e, f, g, h, a, word(i + 7));
    }
  }
  u64 sums[8] = {a, b, c, d, e, f, g, h};
  for (u32 i = 0; i < 8; ++i) state[i] += sums[i];
}

}  // namespace keyhole::interpreter::kernels
