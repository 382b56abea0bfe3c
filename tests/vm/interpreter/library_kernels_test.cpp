// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Library kernels, against plain loops: all short lengths, offsets, and where the searched byte is. SHA: known digests.
#include "vm/interpreter/library_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace keyhole::interpreter::kernels {
namespace {

std::vector<u8> random_bytes(usize count) {
  std::mt19937 random(7);
  std::vector<u8> bytes(count);
  for (u8& byte : bytes) byte = static_cast<u8>(random());
  return bytes;
}

TEST(LibraryKernels, Sha256OfOneAndTwoBlocks) {
  if (!supports.sha) GTEST_SKIP() << "no SHA instructions";
  u8 block[64] = {'a', 'b', 'c', 0x80};
  block[63] = 24;
  u32 state[8] = {0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19};
  const u32 expected[8] = {0xBA7816BF, 0x8F01CFEA, 0x414140DE, 0x5DAE2223,
                           0xB00361A3, 0x96177A9C, 0xB410FF61, 0xF20015AD};
  u32 initial[8];
  std::ranges::copy(state, initial);
  sha256_block(state, block);
  EXPECT_TRUE(std::ranges::equal(state, expected));

  std::string_view text = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
  u8 blocks[128] = {};
  std::ranges::copy(text, blocks);
  blocks[text.size()] = 0x80;
  blocks[126] = static_cast<u8>(text.size() * 8 >> 8);
  blocks[127] = static_cast<u8>(text.size() * 8);
  sha256_block(initial, blocks);
  sha256_block(initial, blocks + 64);
  const u32 of_two[8] = {0x248D6A61, 0xD20638B8, 0xE5C02693, 0x0C3E6039,
                         0xA33CE459, 0x64FF2167, 0xF6ECEDD4, 0x19DB06C1};
  EXPECT_TRUE(std::ranges::equal(initial, of_two));
}

TEST(LibraryKernels, Sha1OfABlock) {
  if (!supports.sha) GTEST_SKIP() << "no SHA instructions";
  u8 block[64] = {'a', 'b', 'c', 0x80};
  block[63] = 24;
  u32 state[5] = {0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0};
  sha1_block(state, block);
  const u32 expected[5] = {0xA9993E36, 0x4706816A, 0xBA3E2571, 0x7850C26C, 0x9CD0D89D};
  EXPECT_TRUE(std::ranges::equal(state, expected));
}

TEST(LibraryKernels, Crc32cIsThatOfSingleBits) {
  if (!supports.crc32c) GTEST_SKIP() << "no SSE4.2";
  std::vector<u8> bytes = random_bytes(128);
  for (usize length = 0; length <= 64; ++length) {
    for (usize offset = 0; offset < 9; ++offset) {
      u32 expected = 0x12345678;
      for (usize i = 0; i < length; ++i) {
        expected ^= bytes[offset + i];
        for (u32 bit = 0; bit < 8; ++bit) expected = expected >> 1 ^ ((expected & 1) != 0 ? 0x82F63B78 : 0);
      }
      ASSERT_EQ(crc32c(0x12345678, std::span(bytes).subspan(offset, length)), expected) << length;
    }
  }
}

template <typename T> void check_hash_codes() {
  std::vector<u8> bytes = random_bytes(2048);
  for (usize length = 0; length <= 200; ++length) {
    for (usize offset = 0; offset < 5; ++offset) {
      std::vector<T> elements(length);
      if (length != 0) memcpy(elements.data(), bytes.data() + offset, length * sizeof(T));
      u32 expected = 17;
      for (T element : elements) expected = expected * 31 + static_cast<u32>(static_cast<i32>(element));
      ASSERT_EQ(hash_code(17, std::span<const T>(elements)), expected) << length;
    }
  }
}

TEST(LibraryKernels, HashCodes) {
  if (!supports.avx2) GTEST_SKIP() << "no AVX2";
  check_hash_codes<u8>();
  check_hash_codes<i8>();
  check_hash_codes<i16>();
  check_hash_codes<u16>();
  check_hash_codes<i32>();
}

TEST(LibraryKernels, SearchesFindTheFirst) {
  if (!supports.avx2) GTEST_SKIP() << "no AVX2";
  for (usize length = 0; length <= 130; ++length) {
    std::vector<u8> left(length + 3, 'x'), right = left;
    ASSERT_EQ(count_positives({left.data() + 3, length}), length);
    ASSERT_EQ(mismatch(left.data() + 3, right.data() + 3, length), length);
    for (usize first = 0; first < length; ++first) {
      right[3 + first] = 0x80;
      ASSERT_EQ(count_positives({right.data() + 3, length}), first);
      ASSERT_EQ(mismatch(left.data() + 3, right.data() + 3, length), first);
      right[3 + length - 1] = 0x80;  // a later one does not matter
      ASSERT_EQ(count_positives({right.data() + 3, length}), first);
      ASSERT_EQ(mismatch(left.data() + 3, right.data() + 3, length), first);
      right[3 + first] = right[3 + length - 1] = 'x';
    }
  }
}

TEST(LibraryKernels, IndexOfFindsTheFirst) {
  if (!supports.avx2) GTEST_SKIP() << "no AVX2";
  std::mt19937 random(11);
  for (usize length = 1; length <= 200; ++length) {
    for (usize wanted_length = 1; wanted_length <= std::min<usize>(length + 1, 40); wanted_length += 1 + length / 30) {
      std::vector<u8> bytes(length), wanted(wanted_length);
      for (u8& byte : bytes) byte = "ab"[random() % 2];
      for (u8& byte : wanted) byte = "ab"[random() % 2];
      if (random() % 2 == 0 && wanted_length <= length)
        std::ranges::copy(wanted, bytes.begin() + static_cast<i64>(random() % (length - wanted_length + 1)));
      auto found = std::ranges::search(bytes, wanted);
      i64 expected = found.empty() ? -1 : found.begin() - bytes.begin();
      ASSERT_EQ(index_of(bytes, wanted), expected) << length << " " << wanted_length;
    }
  }
}

TEST(LibraryKernels, Base64WritesOnlyItsCharacters) {
  if (!supports.avx2) GTEST_SKIP() << "no AVX2";
  std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  std::vector<u8> bytes = random_bytes(600);
  for (bool is_url : {false, true}) {
    std::string alphabet = digits + (is_url ? "-_" : "+/");
    for (usize groups = 0; groups <= 200; ++groups) {
      std::string made(groups * 4 + 16, '!'), expected;
      // The input ends where its memory ends, so that a sanitizer sees a load beyond it.
      std::vector<u8> input(bytes.end() - static_cast<i64>(groups * 3), bytes.end());
      base64_encode(input.data(), groups, reinterpret_cast<u8*>(made.data()), is_url);
      for (usize i = 0; i < groups * 3; i += 3) {
        u32 bits = u32{input[i]} << 16 | u32{input[i + 1]} << 8 | input[i + 2];
        for (u32 shift : {18u, 12u, 6u, 0u}) expected += alphabet[bits >> shift & 63];
      }
      ASSERT_EQ(made, expected + std::string(16, '!')) << groups;
    }
  }
}

u32 crc_of_bits(u32 crc, std::span<const u8> bytes, u32 polynomial) {
  for (u8 byte : bytes) {
    crc ^= byte;
    for (u32 bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ ((crc & 1) != 0 ? polynomial : 0);
  }
  return crc;
}

TEST(LibraryKernels, WideCrcsAreThoseOfSingleBits) {
  if (!supports.wide_pclmul) GTEST_SKIP() << "no VPCLMULQDQ";
  std::vector<u8> bytes = random_bytes(1200);
  for (usize length = 0; length <= 1100; ++length) {
    std::span<const u8> part = std::span(bytes).subspan(length % 9, length);
    ASSERT_EQ(wide_crc32c(0x12345678, part), crc_of_bits(0x12345678, part, 0x82F63B78)) << length;
  }
}

TEST(LibraryKernels, WideBase64HasTheSameCharacters) {
  if (!supports.vbmi) GTEST_SKIP() << "no AVX-512 VBMI";
  std::vector<u8> bytes = random_bytes(300);
  for (bool is_url : {false, true}) {
    std::string alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    alphabet += is_url ? "-_" : "+/";
    for (usize groups = 0; groups <= 100; ++groups) {
      std::vector<u8> text(4 * groups + 1, '!');
      wide_base64_encode(bytes.data(), groups, text.data(), is_url);
      for (usize i = 0; i < 4 * groups; ++i) {
        const u8* group = &bytes[i / 4 * 3];
        u32 bits = u32{group[0]} << 16 | u32{group[1]} << 8 | group[2];
        ASSERT_EQ(text[i], static_cast<u8>(alphabet[bits >> (18 - 6 * (i % 4)) & 63])) << groups << " " << i;
      }
      ASSERT_EQ(text[4 * groups], '!');
    }
  }
}

}  // namespace
}  // namespace keyhole::interpreter::kernels
