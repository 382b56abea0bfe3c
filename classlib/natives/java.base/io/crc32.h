// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// CRC-32 of java.util.zip (the polynomial of IEEE 802.3), by carry-less multiplication where the processor has it,
// otherwise by zlib.
//
// The message is a polynomial over GF(2), and its CRC is the remainder modulo P of degree 32. A block of 128 bits at a
// distance of n bits from the end contributes block * x^n. It may be replaced by any polynomial with the same
// remainder, so it is multiplied by x^n mod P and added to the block n bits later:
//
//   | a0 a1 a2 a3 | b0 b1 b2 b3 | c0 ...    four blocks of 16 bytes at a time: b0 += a0 * x^512, ...
//                                           in the end a + b + c + d, by x^128: one block is left, of 16 bytes
//
// zlib computes the CRC of the block that is left, and of the bytes after it.
#pragma once

#include <span>

#include "runtime/base/types.h"

namespace keyhole::natives {

// Continues `crc` over the bytes, like zlib's crc32.
u32 crc32_of(u32 crc, std::span<const u8> bytes);

}  // namespace keyhole::natives
