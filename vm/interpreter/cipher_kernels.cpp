// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// AES by AES-NI, GHASH by PCLMULQDQ.
#include <immintrin.h>

#include <cstring>

#include "vm/interpreter/library_kernels.h"

namespace keyhole::interpreter::kernels {
namespace {

#define AES_TARGET __attribute__((target("aes,ssse3")))
#define AES_INLINE __attribute__((target("aes,ssse3"), always_inline)) inline

AES_INLINE __m128i load_block(const void* from) { return _mm_loadu_si128(static_cast<const __m128i*>(from)); }
AES_INLINE void store_block(void* to, __m128i value) { _mm_storeu_si128(static_cast<__m128i*>(to), value); }

// The round keys in the order of their use. Java keeps big-endian words, and its array of decryption keys begins with
// the key that is used last.
struct RoundKeys {
  AES_INLINE RoundKeys(AesKey key, bool decrypts) : rounds(key.word_count / 4 - 1) {
    const __m128i reversed = _mm_set_epi64x(0x0C0D0E0F08090A0B, 0x0405060700010203);
    for (u32 i = 0; i <= rounds; ++i) {
      u32 from = !decrypts ? i : i == rounds ? 0 : i + 1;
      keys[i] = _mm_shuffle_epi8(load_block(key.words + 4 * from), reversed);
    }
  }
  u32 rounds;
  __m128i keys[15];
};

template <bool decrypts, u32 count> AES_INLINE void transform(const RoundKeys& round, __m128i (&blocks)[count]) {
  for (__m128i& block : blocks) block = _mm_xor_si128(block, round.keys[0]);
  for (u32 i = 1; i < round.rounds; ++i) {
    __m128i key = round.keys[i];
    for (__m128i& block : blocks) block = decrypts ? _mm_aesdec_si128(block, key) : _mm_aesenc_si128(block, key);
  }
  __m128i last = round.keys[round.rounds];
  for (__m128i& block : blocks)
    block = decrypts ? _mm_aesdeclast_si128(block, last) : _mm_aesenclast_si128(block, last);
}

// A counter of 16 bytes, big-endian.
struct Counter {
  explicit Counter(const u8* bytes) {
    memcpy(&high, bytes, sizeof high);
    memcpy(&low, bytes + 8, sizeof low);
    high = __builtin_bswap64(high);
    low = __builtin_bswap64(low);
  }
  AES_INLINE __m128i block() const {
    return _mm_set_epi64x(static_cast<i64>(__builtin_bswap64(low)), static_cast<i64>(__builtin_bswap64(high)));
  }
  void increment() { high += ++low == 0; }
  u64 high, low;
};

}  // namespace

AES_TARGET void aes_encrypt_block(AesKey key, const u8* from, u8* to) {
  RoundKeys round(key, false);
  __m128i block[1] = {load_block(from)};
  transform<false>(round, block);
  store_block(to, block[0]);
}

AES_TARGET void aes_decrypt_block(AesKey key, const u8* from, u8* to) {
  RoundKeys round(key, true);
  __m128i block[1] = {load_block(from)};
  transform<true>(round, block);
  store_block(to, block[0]);
}

AES_TARGET void cbc_encrypt(AesKey key, u8* register_, const u8* from, u8* to, usize blocks) {
  RoundKeys round(key, false);
  __m128i block[1] = {load_block(register_)};
  for (; blocks > 0; --blocks, from += 16, to += 16) {
    block[0] = _mm_xor_si128(block[0], load_block(from));
    transform<false>(round, block);
    store_block(to, block[0]);
  }
  store_block(register_, block[0]);
}

AES_TARGET void cbc_decrypt(AesKey key, u8* register_, const u8* from, u8* to, usize blocks) {
  RoundKeys round(key, true);
  __m128i before = load_block(register_);
  constexpr usize group = 8;
  for (; blocks >= group; blocks -= group, from += 16 * group, to += 16 * group) {
    __m128i block[group], ciphers[group];
    for (usize i = 0; i < group; ++i) block[i] = ciphers[i] = load_block(from + 16 * i);
    transform<true>(round, block);
    for (usize i = 0; i < group; ++i)
      store_block(to + 16 * i, _mm_xor_si128(block[i], i == 0 ? before : ciphers[i - 1]));
    before = ciphers[group - 1];
  }
  for (; blocks > 0; --blocks, from += 16, to += 16) {
    __m128i cipher = load_block(from), block[1] = {cipher};
    transform<true>(round, block);
    store_block(to, _mm_xor_si128(block[0], before));
    before = cipher;
  }
  store_block(register_, before);
}

// `counter` is the next block to encrypt. `encrypted` is the key stream of the last block, whose first `used` bytes
// have been consumed.
AES_TARGET void ctr_crypt(AesKey key, u8* counter, u8* encrypted, u32& used, const u8* from, u8* to, usize count) {
  for (; count > 0 && used < 16; --count) *to++ = *from++ ^ encrypted[used++];
  if (count == 0) return;
  RoundKeys round(key, false);
  constexpr usize group = 8;
  Counter next(counter);
  for (; count >= 16 * group; count -= 16 * group, from += 16 * group, to += 16 * group) {
    __m128i block[group];
    for (__m128i& each : block) {
      each = next.block();
      next.increment();
    }
    transform<false>(round, block);
    for (usize i = 0; i < group; ++i) store_block(to + 16 * i, _mm_xor_si128(block[i], load_block(from + 16 * i)));
    store_block(encrypted, block[group - 1]);
    used = 16;
  }
  while (count > 0) {
    __m128i block[1] = {next.block()};
    next.increment();
    transform<false>(round, block);
    store_block(encrypted, block[0]);
    used = count < 16 ? static_cast<u32>(count) : 16;
    for (u32 i = 0; i < used; ++i) to[i] = from[i] ^ encrypted[i];
    from += used;
    to += used;
    count -= used;
  }
  store_block(counter, next.block());
}

namespace {

#define CLMUL_INLINE __attribute__((target("pclmul,ssse3"), always_inline)) inline

// Multiplies in the field of GCM. The operands are bit-reversed. Their product of 255 bits would lie one bit too low,
// so the product is shifted. (Gueron and Kounavis, Intel Carry-Less Multiplication Instruction and its Usage for
// Computing the GCM Mode, algorithms 1 and 5.)
CLMUL_INLINE __m128i multiply(__m128i a, __m128i b) {
  __m128i low = _mm_clmulepi64_si128(a, b, 0x00), high = _mm_clmulepi64_si128(a, b, 0x11);
  __m128i middle = _mm_xor_si128(_mm_clmulepi64_si128(a, b, 0x10), _mm_clmulepi64_si128(a, b, 0x01));
  low = _mm_xor_si128(low, _mm_slli_si128(middle, 8));
  high = _mm_xor_si128(high, _mm_srli_si128(middle, 8));
  __m128i carry_low = _mm_srli_epi32(low, 31), carry_high = _mm_srli_epi32(high, 31);
  low = _mm_or_si128(_mm_slli_epi32(low, 1), _mm_slli_si128(carry_low, 4));
  high =
      _mm_or_si128(_mm_or_si128(_mm_slli_epi32(high, 1), _mm_slli_si128(carry_high, 4)), _mm_srli_si128(carry_low, 12));
  // The reduction modulo x^128 + x^7 + x^2 + x + 1.
  __m128i moved =
      _mm_xor_si128(_mm_xor_si128(_mm_slli_epi32(low, 31), _mm_slli_epi32(low, 30)), _mm_slli_epi32(low, 25));
  low = _mm_xor_si128(low, _mm_slli_si128(moved, 12));
  __m128i reduced =
      _mm_xor_si128(_mm_xor_si128(_mm_srli_epi32(low, 1), _mm_srli_epi32(low, 2)), _mm_srli_epi32(low, 7));
  reduced = _mm_xor_si128(reduced, _mm_srli_si128(moved, 4));
  return _mm_xor_si128(high, _mm_xor_si128(low, reduced));
}

}  // namespace

__attribute__((target("pclmul,ssse3"))) void ghash_blocks(u64* state, const u64* subkey, const u8* blocks,
                                                          usize count) {
  const __m128i reversed = _mm_set_epi64x(0x0001020304050607, 0x08090A0B0C0D0E0F);
  __m128i key = _mm_set_epi64x(static_cast<i64>(subkey[0]), static_cast<i64>(subkey[1]));
  __m128i sum = _mm_set_epi64x(static_cast<i64>(state[0]), static_cast<i64>(state[1]));
  for (; count > 0; --count, blocks += 16) {
    __m128i block = _mm_shuffle_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(blocks)), reversed);
    sum = multiply(_mm_xor_si128(sum, block), key);
  }
  u64 words[2];
  _mm_storeu_si128(reinterpret_cast<__m128i*>(words), sum);
  state[0] = words[1];
  state[1] = words[0];
}

}  // namespace keyhole::interpreter::kernels
