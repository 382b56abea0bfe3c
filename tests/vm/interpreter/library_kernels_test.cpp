// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests library kernels, compared with plain loops, for all short lengths, for offsets, and for positions of the
// searched byte. SHA is compared with known digests.
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
      right[3 + length - 1] = 0x80;  // a second difference after the first one does not change the result
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
      for (u8& byte : bytes) byte = random() % 2 == 0 ? u8{'a'} : u8{'b'};
      for (u8& byte : wanted) byte = random() % 2 == 0 ? u8{'a'} : u8{'b'};
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

// --- digests, checksums ----------------------------------------------------------------------------------------------

TEST(LibraryKernels, Md5OfABlock) {
  u8 block[64] = {'a', 'b', 'c', 0x80};
  block[56] = 24;
  u32 state[4] = {0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476};
  md5_block(state, block);
  const u32 expected[4] = {0x98500190, 0xB04FD23C, 0x7D3F96D6, 0x727FE128};
  EXPECT_TRUE(std::ranges::equal(state, expected));
}

TEST(LibraryKernels, Sha512OfABlock) {
  if (!supports.bmi2) GTEST_SKIP() << "no BMI2";
  u8 block[128] = {'a', 'b', 'c', 0x80};
  block[127] = 24;
  u64 state[8] = {0x6A09E667F3BCC908, 0xBB67AE8584CAA73B, 0x3C6EF372FE94F82B, 0xA54FF53A5F1D36F1,
                  0x510E527FADE682D1, 0x9B05688C2B3E6C1F, 0x1F83D9ABFB41BD6B, 0x5BE0CD19137E2179};
  sha512_block(state, block);
  const u64 expected[8] = {0xDDAF35A193617ABA, 0xCC417349AE204131, 0x12E6FA4E89A97EA2, 0x0A9EEEE64B55D39A,
                           0x2192992A274FC1A8, 0x36BA3C23A3FEEBBD, 0x454D4423643CE80E, 0x2A9AC94FA54CA49F};
  EXPECT_TRUE(std::ranges::equal(state, expected));
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
    ASSERT_EQ(crc32(0x12345678, part), ~crc_of_bits(~0x12345678u, part, 0xEDB88320)) << length;
  }
}

TEST(LibraryKernels, Adler32IsThatOfSingleBytes) {
  if (!supports.avx2) GTEST_SKIP() << "no AVX2";
  std::vector<u8> bytes = random_bytes(300);
  bytes.resize(20'000, 0xFF);  // the largest sums
  for (usize length = 0; length <= bytes.size(); length += length < 300 ? 1 : 1231) {
    std::span<const u8> part = std::span(bytes).last(length);
    u32 first = 65520, second = 65519;
    for (u8 byte : part) {
      first = (first + byte) % 65521;
      second = (second + first) % 65521;
    }
    ASSERT_EQ(adler32(65519u << 16 | 65520, part), second << 16 | first) << length;
  }
}

// --- ciphers ---------------------------------------------------------------------------------------------------------

// FIPS 197, A.1: the key 2b7e1516 28aed2a6 abf71588 09cf4f3c, expanded.
constexpr u32 expanded_key[44] = {
    0x2B7E1516, 0x28AED2A6, 0xABF71588, 0x09CF4F3C, 0xA0FAFE17, 0x88542CB1, 0x23A33939, 0x2A6C7605, 0xF2C295F2,
    0x7A96B943, 0x5935807A, 0x7359F67F, 0x3D80477D, 0x4716FE3E, 0x1E237E44, 0x6D7A883B, 0xEF44A541, 0xA8525B7F,
    0xB671253B, 0xDB0BAD00, 0xD4D1C6F8, 0x7C839D87, 0xCAF2B8BC, 0x11F915BC, 0x6D88A37A, 0x110B3EFD, 0xDBF98641,
    0xCA0093FD, 0x4E54F70E, 0x5F5FC9F3, 0x84A64FB2, 0x4EA6DC4F, 0xEAD27321, 0xB58DBAD2, 0x312BF560, 0x7F8D292F,
    0xAC7766F3, 0x19FADC21, 0x28D12941, 0x575C006E, 0xD014F9A8, 0xC9EE2589, 0xE13F0CC8, 0xB6630CA6};
constexpr AesKey key{expanded_key, 44};

TEST(LibraryKernels, AesEncryptsTheExampleOfFips197) {
  if (!supports.aes) GTEST_SKIP() << "no AES";
  const u8 plain[16] = {0x32, 0x43, 0xF6, 0xA8, 0x88, 0x5A, 0x30, 0x8D, 0x31, 0x31, 0x98, 0xA2, 0xE0, 0x37, 0x07, 0x34};
  const u8 cipher[16] = {0x39, 0x25, 0x84, 0x1D, 0x02, 0xDC, 0x09, 0xFB,
                         0xDC, 0x11, 0x85, 0x97, 0x19, 0x6A, 0x0B, 0x32};
  u8 made[16];
  aes_encrypt_block(key, plain, made);
  EXPECT_TRUE(std::ranges::equal(made, cipher));
}

TEST(LibraryKernels, ModesUseSingleBlocks) {
  if (!supports.aes) GTEST_SKIP() << "no AES";
  std::vector<u8> plain = random_bytes(16 * 20);
  for (usize blocks = 0; blocks <= 20; ++blocks) {
    u8 last[16] = {7}, expected[16] = {7};
    std::vector<u8> made(16 * blocks);
    cbc_encrypt(key, last, plain.data(), made.data(), blocks);
    for (usize block = 0; block < blocks; ++block) {
      for (usize i = 0; i < 16; ++i) expected[i] ^= plain[16 * block + i];
      aes_encrypt_block(key, expected, expected);
      ASSERT_EQ(memcmp(expected, &made[16 * block], 16), 0) << block;
    }
    ASSERT_EQ(memcmp(last, expected, 16), 0);
  }
  for (usize piece : std::initializer_list<usize>{1, 5, 16, 17, 130, 320}) {
    u8 counter[16], encrypted[16] = {}, expected[16], stream[16];
    std::ranges::fill(counter, 0xFF);
    counter[0] = 1;
    memcpy(expected, counter, 16);
    u32 used = 16;
    std::vector<u8> made(320);
    for (usize at = 0; at < 320; at += piece)
      ctr_crypt(key, counter, encrypted, used, &plain[at], &made[at], std::min(piece, 320 - at));
    for (usize at = 0; at < 320; ++at) {
      if (at % 16 == 0) {
        aes_encrypt_block(key, expected, stream);
        for (usize i = 16; i-- > 0 && ++expected[i] == 0;) {
        }
      }
      ASSERT_EQ(made[at], plain[at] ^ stream[at % 16]) << piece << " " << at;
    }
    ASSERT_EQ(memcmp(counter, expected, 16), 0);
  }
}

TEST(LibraryKernels, GhashMultipliesBitByBit) {
  if (!supports.pclmul) GTEST_SKIP() << "no PCLMULQDQ";
  std::mt19937_64 random(5);
  for (usize round = 0; round < 50; ++round) {
    u64 subkey[2] = {random(), random()}, state[2] = {random(), random()}, expected[2] = {state[0], state[1]};
    u64 block[2] = {random(), random()};
    ghash_blocks(state, subkey, reinterpret_cast<const u8*>(block), 1);
    u64 factor[2] = {expected[0] ^ __builtin_bswap64(block[0]), expected[1] ^ __builtin_bswap64(block[1])};
    u64 high = subkey[0], low = subkey[1];
    expected[0] = expected[1] = 0;
    for (u32 bit = 0; bit < 128; ++bit) {
      if ((factor[bit / 64] >> (63 - bit % 64) & 1) != 0) {
        expected[0] ^= high;
        expected[1] ^= low;
      }
      bool carries = (low & 1) != 0;
      low = low >> 1 | high << 63;
      high = high >> 1 ^ (carries ? 0xE100000000000000 : 0);
    }
    ASSERT_TRUE(std::ranges::equal(state, expected));
  }
}

// --- integers, Base64 ------------------------------------------------------------------------------------------------

TEST(LibraryKernels, ProductsAreThoseOfSingleWords) {
  if (!supports.bmi2) GTEST_SKIP() << "no BMI2";
  std::mt19937 random(3);
  for (usize round = 0; round < 500; ++round) {
    std::vector<u32> x(1 + random() % 40), y(1 + random() % most_words_of_factor);
    for (u32& word : x) word = round % 3 == 0 ? ~0u : static_cast<u32>(random());
    for (u32& word : y) word = round % 5 == 0 ? ~0u : static_cast<u32>(random());
    std::vector<u32> expected(x.size() + y.size()), made(expected.size());
    for (usize i = x.size(); i-- > 0;) {
      u64 carry = 0;
      for (usize j = y.size(); j-- > 0;) {
        u64 sum = u64{x[i]} * y[j] + expected[i + j + 1] + carry;
        expected[i + j + 1] = static_cast<u32>(sum);
        carry = sum >> 32;
      }
      expected[i] = static_cast<u32>(carry);
    }
    multiply_words(x.data(), x.size(), y.data(), y.size(), made.data());
    ASSERT_EQ(made, expected) << x.size() << " " << y.size();
  }
}

TEST(LibraryKernels, MontgomeryProductsOfTwoWords) {
  if (!supports.bmi2) GTEST_SKIP() << "no BMI2";
  using u128 = unsigned __int128;
  std::mt19937_64 random(4);
  for (usize round = 0; round < 500; ++round) {
    u64 modulus = random() | 1 | u64{1} << 63, a = random() % modulus, b = random() % modulus, inverse = 1;
    for (u32 i = 0; i < 6; ++i) inverse *= 2 - modulus * inverse;
    auto words_of = [](u64 value) { return std::vector{static_cast<u32>(value >> 32), static_cast<u32>(value)}; };
    u32 made[2] = {};
    EXPECT_FALSE(
        montgomery_multiply(words_of(a).data(), words_of(b).data(), words_of(modulus).data(), 2, inverse, made));
    ASSERT_TRUE(
        montgomery_multiply(words_of(a).data(), words_of(b).data(), words_of(modulus).data(), 2, 0 - inverse, made));
    u64 result = u64{made[0]} << 32 | made[1];
    ASSERT_LT(result, modulus);
    ASSERT_EQ((static_cast<u128>(result) << 64) % modulus, static_cast<u128>(a) * b % modulus);
  }
}

TEST(LibraryKernels, Base64StopsAtTheFirstWrongGroup) {
  if (!supports.vbmi) GTEST_SKIP() << "no AVX-512 VBMI";
  std::vector<u8> bytes = random_bytes(300);
  for (bool is_url : {false, true}) {
    for (usize groups = 0; groups <= 100; ++groups) {
      std::vector<u8> text(4 * groups), decoded(3 * groups + 1, 'x');
      wide_base64_encode(bytes.data(), groups, text.data(), is_url);
      ASSERT_EQ(base64_decode(text.data(), groups, decoded.data(), is_url), groups);
      ASSERT_EQ(memcmp(decoded.data(), bytes.data(), 3 * groups), 0);
      ASSERT_EQ(decoded[3 * groups], 'x');
      if (groups == 0) continue;
      usize at = groups * 7 % text.size();
      for (u8 wrong : {u8{'='}, u8{0}, u8{'\n'}, u8{0xC1}, static_cast<u8>(is_url ? '+' : '_')}) {
        std::vector<u8> other = text, partly(3 * groups + 1, 'x');
        other[at] = wrong;
        ASSERT_EQ(base64_decode(other.data(), groups, partly.data(), is_url), at / 4);
        ASSERT_EQ(partly[at / 4 * 3], 'x');
      }
    }
  }
}

}  // namespace
}  // namespace keyhole::interpreter::kernels
