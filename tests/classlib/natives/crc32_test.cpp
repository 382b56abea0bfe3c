// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests CRC-32 by carry-less multiplication, against zlib: lengths around the limits of blocks, offsets, initial
// values.
#include "classlib/natives/java.base/io/crc32.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <random>
#include <vector>

namespace keyhole::natives {
namespace {

u32 expected(u32 crc, std::span<const u8> bytes) {
  return static_cast<u32>(crc32(crc, bytes.data(), static_cast<uInt>(bytes.size())));
}

TEST(Crc32, IsThatOfZlibForEachLengthAndOffset) {
  std::mt19937 random(1);
  std::vector<u8> bytes(1024);
  for (u8& byte : bytes) byte = static_cast<u8>(random());
  for (usize length = 0; length <= 600; ++length) {
    for (usize offset = 0; offset < 17; ++offset) {
      std::span<const u8> part = std::span(bytes).subspan(offset, length);
      for (u32 crc : {0u, ~0u, 0x12345678u})
        ASSERT_EQ(crc32_of(crc, part), expected(crc, part)) << length << " " << offset;
    }
  }
}

TEST(Crc32, OfPartsContinues) {
  std::vector<u8> bytes(100'000);
  for (usize i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<u8>(i * i >> 3);
  u32 crc = 0;
  for (usize at = 0, length = 1; at < bytes.size(); at += length, length = length * 5 / 3 + 1)
    crc = crc32_of(crc, std::span(bytes).subspan(at, std::min(length, bytes.size() - at)));
  EXPECT_EQ(crc, expected(0, bytes));
  EXPECT_EQ(crc32_of(0, std::vector<u8>(4096)), expected(0, std::vector<u8>(4096)));
}

}  // namespace
}  // namespace keyhole::natives
