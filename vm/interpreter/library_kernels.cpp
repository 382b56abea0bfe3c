// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The kernels, with the instructions of SHA, SSE4.2 and AVX2.
#include "vm/interpreter/library_kernels.h"

#include <immintrin.h>
#include <sys/platform/x86.h>

#include <bit>
#include <cstring>

namespace keyhole::interpreter::kernels {
namespace {

__m128i load(const void* from) { return _mm_loadu_si128(static_cast<const __m128i*>(from)); }
void store(void* to, __m128i value) { _mm_storeu_si128(static_cast<__m128i*>(to), value); }

alignas(16) constexpr u32 sha256_constants[64] = {
    0x428A2F98, 0x71374491, 0xB5C0FBCF, 0xE9B5DBA5, 0x3956C25B, 0x59F111F1, 0x923F82A4, 0xAB1C5ED5,
    0xD807AA98, 0x12835B01, 0x243185BE, 0x550C7DC3, 0x72BE5D74, 0x80DEB1FE, 0x9BDC06A7, 0xC19BF174,
    0xE49B69C1, 0xEFBE4786, 0x0FC19DC6, 0x240CA1CC, 0x2DE92C6F, 0x4A7484AA, 0x5CB0A9DC, 0x76F988DA,
    0x983E5152, 0xA831C66D, 0xB00327C8, 0xBF597FC7, 0xC6E00BF3, 0xD5A79147, 0x06CA6351, 0x14292967,
    0x27B70A85, 0x2E1B2138, 0x4D2C6DFC, 0x53380D13, 0x650A7354, 0x766A0ABB, 0x81C2C92E, 0x92722C85,
    0xA2BFE8A1, 0xA81A664B, 0xC24B8B70, 0xC76C51A3, 0xD192E819, 0xD6990624, 0xF40E3585, 0x106AA070,
    0x19A4C116, 0x1E376C08, 0x2748774C, 0x34B0BCB5, 0x391C0CB3, 0x4ED8AA4A, 0x5B9CCA4F, 0x682E6FF3,
    0x748F82EE, 0x78A5636F, 0x84C87814, 0x8CC70208, 0x90BEFFFA, 0xA4506CEB, 0xBEF9A3F7, 0xC67178F2};

}  // namespace

const Supports supports = [] {
  // CPU_FEATURE_ACTIVE reads what glibc has found out about the processor. A cpuid instruction here would trap into the
  // hypervisor on a virtual machine.
  bool has_ssse3 = CPU_FEATURE_ACTIVE(SSE4_1) && CPU_FEATURE_ACTIVE(SSSE3);
  bool has_avx512 = CPU_FEATURE_ACTIVE(AVX512F) && CPU_FEATURE_ACTIVE(AVX512VL) && CPU_FEATURE_ACTIVE(AVX512BW) &&
                    CPU_FEATURE_ACTIVE(AVX512DQ);
  bool has_pclmul = CPU_FEATURE_ACTIVE(PCLMULQDQ);
  return Supports{.sha = has_ssse3 && CPU_FEATURE_ACTIVE(SHA),
                  .crc32c = CPU_FEATURE_ACTIVE(SSE4_2),
                  .avx2 = CPU_FEATURE_ACTIVE(AVX2),
                  .bmi2 = CPU_FEATURE_ACTIVE(BMI2) && CPU_FEATURE_ACTIVE(ADX),
                  .aes = has_ssse3 && CPU_FEATURE_ACTIVE(AES),
                  .pclmul = has_ssse3 && has_pclmul,
                  .wide_pclmul = has_avx512 && has_pclmul && CPU_FEATURE_ACTIVE(VPCLMULQDQ),
                  .vbmi = has_avx512 && CPU_FEATURE_ACTIVE(AVX512_VBMI)};
}();

// --- SHA-2 and SHA-1 -------------------------------------------------------------------------------------------------

// The SHA-256 instructions take the state as (a b e f) and (c d g h), the highest word first.
__attribute__((target("sha,sse4.1"))) void sha256_block(u32* state, const u8* block) {
  const __m128i big_endian = _mm_set_epi64x(0x0C0D0E0F08090A0B, 0x0405060700010203);
  __m128i cdab = _mm_shuffle_epi32(load(state), 0xB1), efgh = _mm_shuffle_epi32(load(state + 4), 0x1B);
  const __m128i abef_before = _mm_alignr_epi8(cdab, efgh, 8), cdgh_before = _mm_blend_epi16(efgh, cdab, 0xF0);
  __m128i abef = abef_before, cdgh = cdgh_before;
  __m128i words[4];
  for (u32 i = 0; i < 4; ++i) words[i] = _mm_shuffle_epi8(load(block + 16 * i), big_endian);
#pragma clang loop unroll(full)
  for (u32 i = 0; i < 16; ++i) {
    __m128i sums = _mm_add_epi32(words[i % 4], load(sha256_constants + 4 * i));
    cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sums);
    abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sums, 0x0E));
    if (i >= 12) continue;
    __m128i last = words[(i + 3) % 4];  // this step replaces the oldest four words by the next four
    __m128i seven_back = _mm_alignr_epi8(last, words[(i + 2) % 4], 4);
    __m128i begun = _mm_add_epi32(_mm_sha256msg1_epu32(words[i % 4], words[(i + 1) % 4]), seven_back);
    words[i % 4] = _mm_sha256msg2_epu32(begun, last);
  }
  abef = _mm_shuffle_epi32(_mm_add_epi32(abef, abef_before), 0x1B);
  cdgh = _mm_shuffle_epi32(_mm_add_epi32(cdgh, cdgh_before), 0xB1);
  store(state, _mm_blend_epi16(abef, cdgh, 0xF0));
  store(state + 4, _mm_alignr_epi8(cdgh, abef, 8));
}

__attribute__((target("sha,sse4.1"))) void sha1_block(u32* state, const u8* block) {
  const __m128i reversed = _mm_set_epi64x(0x0001020304050607, 0x08090A0B0C0D0E0F);
  const __m128i abcd_before = _mm_shuffle_epi32(load(state), 0x1B);
  const __m128i e_before = _mm_set_epi32(static_cast<i32>(state[4]), 0, 0, 0);
  __m128i abcd = abcd_before, previous = e_before;
  __m128i words[4];
  for (u32 i = 0; i < 4; ++i) words[i] = _mm_shuffle_epi8(load(block + 16 * i), reversed);
#pragma clang loop unroll(full)
  for (u32 i = 0; i < 20; ++i) {
    __m128i word = words[i % 4];
    __m128i e = i == 0 ? _mm_add_epi32(previous, word) : _mm_sha1nexte_epu32(previous, word);
    previous = abcd;
    switch (i / 5) {  // the number of the round function must be an immediate operand
      case 0: abcd = _mm_sha1rnds4_epu32(abcd, e, 0); break;
      case 1: abcd = _mm_sha1rnds4_epu32(abcd, e, 1); break;
      case 2: abcd = _mm_sha1rnds4_epu32(abcd, e, 2); break;
      default: abcd = _mm_sha1rnds4_epu32(abcd, e, 3); break;
    }
    if (i >= 16) continue;
    __m128i begun = _mm_xor_si128(_mm_sha1msg1_epu32(word, words[(i + 1) % 4]), words[(i + 2) % 4]);
    words[i % 4] = _mm_sha1msg2_epu32(begun, words[(i + 3) % 4]);
  }
  store(state, _mm_shuffle_epi32(_mm_add_epi32(abcd, abcd_before), 0x1B));
  state[4] = static_cast<u32>(_mm_extract_epi32(_mm_sha1nexte_epu32(previous, e_before), 3));
}

// --- CRC-32C ---------------------------------------------------------------------------------------------------------

__attribute__((target("sse4.2"))) u32 crc32c(u32 crc, std::span<const u8> bytes) {
  constexpr usize least_wide = 128;
  if (supports.wide_pclmul && bytes.size() >= least_wide) return wide_crc32c(crc, bytes);
  const u8* at = bytes.data();
  usize left = bytes.size();
  u64 state = crc;
  for (; left >= 8; left -= 8, at += 8) {
    u64 word;
    memcpy(&word, at, sizeof word);
    state = _mm_crc32_u64(state, word);
  }
  for (; left > 0; --left) state = _mm_crc32_u8(static_cast<u32>(state), *at++);
  return static_cast<u32>(state);
}

// --- hash codes ------------------------------------------------------------------------------------------------------

namespace {

constexpr u32 power_of_31(u32 exponent) {
  u32 power = 1;
  while (exponent-- > 0) power *= 31;
  return power;
}

__attribute__((target("avx2"))) inline __m256i widened(const u8* from) {
  return _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(from)));
}
__attribute__((target("avx2"))) inline __m256i widened(const i8* from) {
  return _mm256_cvtepi8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(from)));
}
__attribute__((target("avx2"))) inline __m256i widened(const i16* from) { return _mm256_cvtepi16_epi32(load(from)); }
__attribute__((target("avx2"))) inline __m256i widened(const u16* from) { return _mm256_cvtepu16_epi32(load(from)); }
__attribute__((target("avx2"))) inline __m256i widened(const i32* from) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
}

// Lane j of sum k adds up the elements 8 k + j of all groups of 32. Before each group, all sums are multiplied by
// 31^32.
template <typename T> __attribute__((target("avx2"))) u32 hash_by_groups(u32 hash, std::span<const T> elements) {
  constexpr usize lanes = 8, sums_count = 4, group = lanes * sums_count;
  const T* at = elements.data();
  const T* end = at + elements.size();
  if (elements.size() >= group) {
    const __m256i factor = _mm256_set1_epi32(static_cast<i32>(power_of_31(group)));
    __m256i sums[sums_count] = {};
    u32 factor_of_hash = 1;
    for (; static_cast<usize>(end - at) >= group; at += group) {
      factor_of_hash *= power_of_31(group);
      for (usize k = 0; k < sums_count; ++k)
        sums[k] = _mm256_add_epi32(_mm256_mullo_epi32(sums[k], factor), widened(at + k * lanes));
    }
    alignas(32) u32 words[group];
    for (usize k = 0; k < sums_count; ++k) _mm256_store_si256(reinterpret_cast<__m256i*>(words + k * lanes), sums[k]);
    u32 sum = 0;
    for (u32 word : words) sum = sum * 31 + word;
    hash = hash * factor_of_hash + sum;
  }
  for (; at != end; ++at) hash = hash * 31 + static_cast<u32>(static_cast<i32>(*at));
  return hash;
}

}  // namespace

u32 hash_code(u32 hash, std::span<const u8> elements) { return hash_by_groups(hash, elements); }
u32 hash_code(u32 hash, std::span<const i8> elements) { return hash_by_groups(hash, elements); }
u32 hash_code(u32 hash, std::span<const i16> elements) { return hash_by_groups(hash, elements); }
u32 hash_code(u32 hash, std::span<const u16> elements) { return hash_by_groups(hash, elements); }
u32 hash_code(u32 hash, std::span<const i32> elements) { return hash_by_groups(hash, elements); }

// --- searching -------------------------------------------------------------------------------------------------------

namespace {

__attribute__((target("avx2"))) inline __m256i load_32(const u8* from) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
}
__attribute__((target("avx2"))) inline u32 bits_of(__m256i bytes) {
  return static_cast<u32>(_mm256_movemask_epi8(bytes));
}

}  // namespace

__attribute__((target("avx2"))) usize count_positives(std::span<const u8> bytes) {
  usize at = 0;
  for (; at + 128 <= bytes.size(); at += 128) {
    const u8* from = &bytes[at];
    __m256i any = _mm256_or_si256(_mm256_or_si256(load_32(from), load_32(from + 32)),
                                  _mm256_or_si256(load_32(from + 64), load_32(from + 96)));
    if (bits_of(any) != 0) break;
  }
  for (; at + 32 <= bytes.size(); at += 32) {
    u32 negatives = bits_of(load_32(&bytes[at]));
    if (negatives != 0) return at + static_cast<usize>(std::countr_zero(negatives));
  }
  if (at < bytes.size() && bytes.size() >= 32) {  // checks the last 32 bytes, some of them for the second time
    u32 negatives = bits_of(load_32(bytes.data() + bytes.size() - 32));
    if (negatives == 0) return bytes.size();
    return bytes.size() - 32 + static_cast<usize>(std::countr_zero(negatives));
  }
  while (at < bytes.size() && bytes[at] < 0x80) ++at;
  return at;
}

// Compares the first and the last byte of `wanted` at 32 places at once. At places where both bytes are equal, compares
// the bytes between them.
__attribute__((target("avx2"))) i64 index_of(std::span<const u8> bytes, std::span<const u8> wanted) {
  if (wanted.size() > bytes.size()) return -1;
  const usize places = bytes.size() - wanted.size() + 1, last = wanted.size() - 1;
  const u8* from = bytes.data();
  const usize between = last == 0 ? 0 : last - 1;
  auto is_at = [&](usize at) { return memcmp(from + at + 1, wanted.data() + 1, between) == 0; };
  const __m256i first_byte = _mm256_set1_epi8(static_cast<char>(wanted[0]));
  const __m256i last_byte = _mm256_set1_epi8(static_cast<char>(wanted[last]));
  for (usize at = 0; places >= 32 && at < places;) {
    u32 found = bits_of(_mm256_and_si256(_mm256_cmpeq_epi8(load_32(from + at), first_byte),
                                         _mm256_cmpeq_epi8(load_32(from + at + last), last_byte)));
    for (; found != 0; found &= found - 1) {
      usize place = at + static_cast<usize>(std::countr_zero(found));
      if (is_at(place)) return static_cast<i64>(place);
    }
    if (at + 32 >= places) return -1;
    // The last step compares the last 32 places, some of them for the second time.
    at = at + 64 <= places ? at + 32 : places - 32;
  }
  for (usize at = 0; at < places; ++at) {
    if (from[at] == wanted[0] && from[at + last] == wanted[last] && is_at(at)) return static_cast<i64>(at);
  }
  return -1;
}

__attribute__((target("avx2"))) usize mismatch(const u8* left, const u8* right, usize count) {
  usize at = 0;
  for (; at + 32 <= count; at += 32) {
    __m256i a = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(left + at));
    __m256i b = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(right + at));
    u32 equal = static_cast<u32>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(a, b)));
    if (equal != ~0u) return at + static_cast<usize>(std::countr_one(equal));
  }
  while (at < count && left[at] == right[at]) ++at;
  return at;
}

// --- Base64 ----------------------------------------------------------------------------------------------------------

namespace {

// Returns the characters for sixteen six-bit values. A value's character is the value plus a distance, which depends on
// the value's class: 13 for A to Z, 0 for a to z, 1 to 10 for the digits, 11 and 12 for the last two characters.
__attribute__((target("avx2"))) inline __m128i characters(__m128i values, __m128i distances) {
  __m128i classes = _mm_subs_epu8(values, _mm_set1_epi8(51));
  __m128i is_upper = _mm_cmpgt_epi8(_mm_set1_epi8(26), values);
  classes = _mm_or_si128(classes, _mm_and_si128(is_upper, _mm_set1_epi8(13)));
  return _mm_add_epi8(values, _mm_shuffle_epi8(distances, classes));
}

}  // namespace

__attribute__((target("avx2"))) void base64_encode(const u8* from, usize groups, u8* to, bool is_url) {
  const char of_62 = static_cast<char>((is_url ? '-' : '+') - 62), of_63 = static_cast<char>((is_url ? '_' : '/') - 63);
  const char digit = '0' - 52;
  const __m128i distances = _mm_setr_epi8('a' - 26, digit, digit, digit, digit, digit, digit, digit, digit, digit,
                                          digit, of_62, of_63, 'A', 0, 0);
  if (supports.vbmi) return wide_base64_encode(from, groups, to, is_url);
  // Encodes four groups at a time. A load reads sixteen bytes to encode twelve, so the last two groups of an input are
  // left to the second loop.
  for (; groups >= 6; groups -= 4, from += 12, to += 16) {
    const __m128i spread = _mm_setr_epi8(1, 0, 2, 1, 4, 3, 5, 4, 7, 6, 8, 7, 10, 9, 11, 10);
    // For each three-byte group b0 b1 b2: the 16-bit words b0:b1 and b1:b2.
    __m128i bytes = _mm_shuffle_epi8(load(from), spread);
    // Multiplications shift each word by its own number of bits: right by 10 and 6, then left by 4 and 8.
    __m128i first_and_third =
        _mm_mulhi_epu16(_mm_and_si128(bytes, _mm_set1_epi32(0x0FC0FC00)), _mm_set1_epi32(0x04000040));
    __m128i second_and_fourth =
        _mm_mullo_epi16(_mm_and_si128(bytes, _mm_set1_epi32(0x003F03F0)), _mm_set1_epi32(0x01000010));
    store(to, characters(_mm_or_si128(first_and_third, second_and_fourth), distances));
  }
  for (; groups > 0; --groups, from += 3, to += 4) {
    u32 bits = u32{from[0]} << 16 | u32{from[1]} << 8 | from[2];
    __m128i values = _mm_cvtsi32_si128(
        static_cast<i32>(bits >> 18 | (bits >> 12 & 63) << 8 | (bits >> 6 & 63) << 16 | (bits & 63) << 24));
    i32 made = _mm_cvtsi128_si32(characters(values, distances));
    memcpy(to, &made, sizeof made);
  }
}

}  // namespace keyhole::interpreter::kernels
