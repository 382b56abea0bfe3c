// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
// Library kernels: functions that compute the results of some hot methods of java.base with instructions that no
// compiler emits for the methods' bytecode. Each kernel takes plain memory and reaches no safepoint. A kernel is called
// only if its member of `supports` is true on this processor; otherwise the method's bytecode runs.
#pragma once

#include <span>

#include "runtime/base/types.h"

namespace keyhole::interpreter::kernels {

// A member is true if the processor has the features that some kernels need. The comment after the member names these
// kernels. If the member's name does not say which features are meant, they follow after a colon.
struct Supports {
  bool plain = true;         // what every processor has
  bool sha = false;          // sha256_block, sha1_block
  bool crc32c = false;       // crc32c
  bool avx2 = false;         // hash_code, count_positives, index_of, mismatch, base64_encode, adler32
  bool bmi2 = false;         // sha512_block, multiply_words, montgomery_multiply: BMI2 and ADX
  bool aes = false;          // aes_*, cbc_*, ctr_crypt
  bool pclmul = false;       // ghash_blocks
  bool wide_pclmul = false;  // crc32, wide_crc32c: VPCLMULQDQ and AVX-512
  bool vbmi = false;         // wide_base64_encode, base64_decode: AVX-512
};
extern const Supports supports;

// Adds a block of 64 bytes to a digest. The state has eight words (in sha1_block: five).
void sha256_block(u32* state, const u8* block);
void sha1_block(u32* state, const u8* block);
// Adds a block to a digest. md5_block takes a block of 64 bytes and a state of four words. sha512_block takes a block
// of 128 bytes and a state of eight words.
void md5_block(u32* state, const u8* block);
void sha512_block(u64* state, const u8* block);

// `crc` is the inner state, as in java.util.zip.CRC32C.updateBytes; neither argument nor result is complemented.
u32 crc32c(u32 crc, std::span<const u8> bytes);
u32 wide_crc32c(u32 crc, std::span<const u8> bytes);
// The argument and the result of these functions are the values that java.util.zip.CRC32 and Adler32 keep in their
// fields.
u32 crc32(u32 crc, std::span<const u8> bytes);
u32 adler32(u32 adler, std::span<const u8> bytes);

// hash * 31^n + element[0] * 31^(n-1) + ... + element[n-1], modulo 2^32.
u32 hash_code(u32 hash, std::span<const u8> elements);
u32 hash_code(u32 hash, std::span<const i8> elements);
u32 hash_code(u32 hash, std::span<const i16> elements);
u32 hash_code(u32 hash, std::span<const u16> elements);
u32 hash_code(u32 hash, std::span<const i32> elements);

// Returns the number of bytes before the first negative byte.
usize count_positives(std::span<const u8> bytes);

// Returns the index of the first occurrence of `wanted`, which is not empty; negative if there is none.
i64 index_of(std::span<const u8> bytes, std::span<const u8> wanted);

// Returns the first index at which the bytes differ; `count` if all bytes are equal.
usize mismatch(const u8* left, const u8* right, usize count);

// Encodes whole groups of three bytes as four characters each. Reads groups * 3 bytes, and no byte after these.
void base64_encode(const u8* from, usize groups, u8* to, bool is_url);
void wide_base64_encode(const u8* from, usize groups, u8* to, bool is_url);
// Decodes groups of four characters to three bytes each, up to the first group with a character outside the alphabet.
// Returns the number of decoded groups.
usize base64_decode(const u8* from, usize groups, u8* to, bool is_url);

// An expanded key of AES, as com.sun.crypto.provider.AESCrypt keeps it: 44, 52 or 60 words, for one direction.
struct AesKey {
  const u32* words;
  u32 word_count;
};
void aes_encrypt_block(AesKey key, const u8* from, u8* to);
void aes_decrypt_block(AesKey key, const u8* from, u8* to);
// Cipher block chaining, with blocks of 16 bytes. `register_` is the last encrypted block so far. `from` and `to` are
// equal or do not overlap.
void cbc_encrypt(AesKey key, u8* register_, const u8* from, u8* to, usize blocks);
void cbc_decrypt(AesKey key, u8* register_, const u8* from, u8* to, usize blocks);
// Counter mode: xors the bytes with the key stream. `counter` is the next block to encrypt. `encrypted` is the last
// block of the key stream, whose first `used` bytes have been consumed.
void ctr_crypt(AesKey key, u8* counter, u8* encrypted, u32& used, const u8* from, u8* to, usize count);
// Adds blocks of 16 bytes to a state of two words, the higher word first, as com.sun.crypto.provider.GHASH keeps it.
void ghash_blocks(u64* state, const u64* subkey, const u8* blocks, usize count);

// Magnitudes of BigInteger: the highest word first. A factor has at most most_words_of_factor words.
inline constexpr usize most_words_of_factor = 256;
void multiply_words(const u32* x, usize x_count, const u32* y, usize y_count, u32* product);
// a * b / 2^(32 word_count) modulo `modulus`. `inverse` must be -1 / modulus, modulo 2^64. Returns false and changes
// nothing if `inverse` is another number, if word_count is odd, or if a factor is far above the modulus.
bool montgomery_multiply(const u32* a, const u32* b, const u32* modulus, usize word_count, u64 inverse, u32* product);

}  // namespace keyhole::interpreter::kernels
