// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Library kernels: compute the results of some hot methods of java.base by instructions that no compiler emits for
// their bytecode. Each kernel takes plain memory and reaches no safepoint. A kernel is called only if its row of
// `supports` is true on this processor; otherwise the method's bytecode runs.
#pragma once

#include <span>

#include "runtime/base/types.h"

namespace keyhole::interpreter::kernels {

struct Supports {
  bool plain = true;         // what every processor has
  bool sha = false;          // sha256_block, sha1_block
  bool crc32c = false;       // crc32c
  bool avx2 = false;         // hash_code, count_positives, index_of, mismatch, base64_encode
  bool wide_pclmul = false;  // wide_crc32c: VPCLMULQDQ and AVX-512
  bool vbmi = false;         // wide_base64_encode: AVX-512
};
extern const Supports supports;

// Adds a block of 64 bytes to a state of eight (five) words.
void sha256_block(u32* state, const u8* block);
void sha1_block(u32* state, const u8* block);

// `crc` is the inner state, as in java.util.zip.CRC32C.updateBytes; neither argument nor result is complemented.
u32 crc32c(u32 crc, std::span<const u8> bytes);
u32 wide_crc32c(u32 crc, std::span<const u8> bytes);

// hash * 31^n + element[0] * 31^(n-1) + ... + element[n-1], modulo 2^32.
u32 hash_code(u32 hash, std::span<const u8> elements);
u32 hash_code(u32 hash, std::span<const i8> elements);
u32 hash_code(u32 hash, std::span<const i16> elements);
u32 hash_code(u32 hash, std::span<const u16> elements);
u32 hash_code(u32 hash, std::span<const i32> elements);

// The number of bytes before the first one that is negative.
usize count_positives(std::span<const u8> bytes);

// The index of the first occurrence of `wanted`, which is not empty; negative: there is none.
i64 index_of(std::span<const u8> bytes, std::span<const u8> wanted);

// The first index at which the bytes differ; `count` if they are equal.
usize mismatch(const u8* left, const u8* right, usize count);

// Encodes whole groups of three bytes as four characters each. `groups` * 3 bytes can be read, nothing beyond them.
void base64_encode(const u8* from, usize groups, u8* to, bool is_url);
void wide_base64_encode(const u8* from, usize groups, u8* to, bool is_url);

}  // namespace keyhole::interpreter::kernels
