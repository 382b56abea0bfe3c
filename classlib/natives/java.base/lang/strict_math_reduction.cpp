// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Argument reduction by pi/2 for sin, cos and tan.
//
//   |x| <= pi/4          nothing to do
//   |x| <  3pi/4         one subtraction of pi/2 in two or three pieces
//   |x| <= 2^19 * pi/2   n = round(x * 2/pi), x - n*pi/2 with pi/2 in pieces of 33 bits, as many as cancellation needs
//   above                x * (2/pi) modulo 8, with only those 24-bit digits of 2/pi that matter (Payne and Hanek)
//
// Derived from fdlibm 5.3: results must equal fdlibm's bit by bit, so reductions, coefficients and the order of
// operations are its own. fdlibm's notice (see also NOTICE):
//
//   Copyright (C) 1993, 2004 by Sun Microsystems, Inc. All rights reserved.
//
//   Developed at SunPro, a Sun Microsystems, Inc. business.
//   Permission to use, copy, modify, and distribute this software is freely granted, provided that this notice is
//   preserved.
#include <algorithm>
#include <cmath>

#include "classlib/natives/java.base/lang/strict_math.h"

#pragma clang fp contract(off)

namespace keyhole::strict_math {

namespace {

// 2/pi in digits of 24 bits: enough for the largest double.
constexpr i32 two_over_pi[] = {
    0xA2F983, 0x6E4E44, 0x1529FC, 0x2757D1, 0xF534DD, 0xC0DB62, 0x95993C, 0x439041, 0xFE5163, 0xABDEBB, 0xC561B7,
    0x246E3A, 0x424DD2, 0xE00649, 0x2EEA09, 0xD1921C, 0xFE1DEB, 0x1CB129, 0xA73EE8, 0x8235F5, 0x2EBB44, 0x84E99C,
    0x7026B4, 0x5F7E41, 0x3991D6, 0x398353, 0x39F49C, 0x845F8B, 0xBDF928, 0x3B1FF8, 0x97FFDE, 0x05980F, 0xEF2F11,
    0x8B5A0A, 0x6D1F6D, 0x367ECF, 0x27CB09, 0xB74F46, 0x3F669E, 0x5FEA2D, 0x7527BA, 0xC7EBE5, 0xF17B3D, 0x0739F7,
    0x8A5292, 0xEA6BFB, 0x5FB11F, 0x8D5D08, 0x560330, 0x46FC7B, 0x6BABF0, 0xCFBC20, 0x9AF436, 0x1DA9E3, 0x91615E,
    0xE61B08, 0x659985, 0x5F14A0, 0x68408D, 0xFFD880, 0x4D7327, 0x310606, 0x1556CA, 0x73A8C9, 0x60E27B, 0xC08C6B,
};

// pi/2 in pieces of 24 bits.
constexpr f64 half_pi_digits[] = {
    0x1.921fb4p0,   0x1.4442dp-24,   0x1.846988p-48,  0x1.8cc516p-72,
    0x1.01b838p-96, 0x1.a25204p-120, 0x1.382228p-145, 0x1.9f31dp-169,
};

// pi/2 = first + first_rest; first_rest = second + second_rest; second_rest = third + third_rest. The pieces have 33
// bits, the rests 53.
constexpr f64 two_over_pi_rounded = 0x1.45f306dc9c883p-1;
constexpr f64 first = 0x1.921fb544p0, first_rest = 0x1.0b4611a626331p-34;
constexpr f64 second = 0x1.0b4611a6p-34, second_rest = 0x1.3198a2e037073p-69;
constexpr f64 third = 0x1.3198a2ep-69, third_rest = 0x1.b839a252049c1p-104;

constexpr f64 two_to_24 = 0x1p24, two_to_minus_24 = 0x1p-24;

i32 exponent_field(f64 x) { return (upper_word(x) >> 20) & 0x7FF; }

// Is the upper word of x that of n * pi/2, 1 <= n <= 32? Then the first subtraction cancels too many bits, and further
// pieces of pi/2 are needed.
bool looks_like_multiple(i32 upper, i32 n) { return upper == upper_word(static_cast<f64>(n) * 0x1.921fb54442d18p0); }

Reduced reduce_medium(f64 magnitude, i32 word) {
  i32 n = static_cast<i32>(magnitude * two_over_pi_rounded + 0.5);
  f64 multiple = n;
  f64 rest = magnitude - multiple * first;
  f64 correction = multiple * first_rest;  // good to 85 bits
  f64 head = rest - correction;
  if (n >= 32 || looks_like_multiple(word, n)) {
    i32 exponent = word >> 20;
    if (exponent - exponent_field(head) > 16) {
      f64 before = rest;
      correction = multiple * second;
      rest = before - correction;
      correction = multiple * second_rest - ((before - rest) - correction);  // to 118 bits
      head = rest - correction;
      if (exponent - exponent_field(head) > 49) {
        before = rest;
        correction = multiple * third;
        rest = before - correction;
        correction = multiple * third_rest - ((before - rest) - correction);  // to 151 bits: covers every double
        head = rest - correction;
      }
    }
  }
  return {n, head, (rest - head) - correction};
}

// Reduces x, given as `count` digits of 24 bits; the first digit has the exponent `exponent`: x = sum digits[i] *
// 2^(exponent - 24 i).
Reduced reduce_by_digits(const f64* digits, i32 exponent, i32 count) {
  constexpr i32 wanted = 4;  // digits of the product beyond the first that give 53 bits and a tail
  constexpr i32 capacity = 20;
  i32 last_digit = count - 1;
  i32 skip = std::max(0, (exponent - 3) / 24);  // digits of 2/pi that only contribute multiples of 8
  i32 scale = exponent - 24 * (skip + 1);       // exponent of the last digit of q

  f64 factors[capacity], products[capacity];  // 2/pi's digits in use; the convolution
  i32 whole[capacity];                        // the product in integer digits, least significant first
  for (i32 i = 0, j = skip - last_digit; i <= last_digit + wanted; ++i, ++j)
    factors[i] = j < 0 ? 0.0 : static_cast<f64>(two_over_pi[j]);
  auto product_at = [&](i32 i) {
    f64 sum = 0.0;
    for (i32 j = 0; j <= last_digit; ++j) sum += digits[j] * factors[last_digit + i - j];
    return sum;
  };
  for (i32 i = 0; i <= wanted; ++i) products[i] = product_at(i);

  i32 top = wanted;
  i32 quadrant, half;
  f64 fraction;
  for (;;) {
    // Distil products[] into integer digits.
    fraction = products[top];
    for (i32 i = 0, j = top; j > 0; ++i, --j) {
      f64 carried = static_cast<f64>(static_cast<i32>(two_to_minus_24 * fraction));
      whole[i] = static_cast<i32>(fraction - two_to_24 * carried);
      fraction = products[j - 1] + carried;
    }
    fraction = std::ldexp(fraction, scale);
    fraction -= 8.0 * std::floor(fraction * 0.125);  // modulo 8
    quadrant = static_cast<i32>(fraction);
    fraction -= static_cast<f64>(quadrant);
    // Compares the remainder with one half. > 0: it is greater; 2: `fraction` alone shows that.
    half = 0;
    if (scale > 0) {
      i32 above = whole[top - 1] >> (24 - scale);
      quadrant += above;
      whole[top - 1] -= above << (24 - scale);
      half = whole[top - 1] >> (23 - scale);
    } else if (scale == 0) {
      half = whole[top - 1] >> 23;
    } else if (fraction >= 0.5) {
      half = 2;
    }
    if (half > 0) {
      // Takes 1 - remainder here, and negates the result at the end.
      quadrant += 1;
      bool borrowed = false;
      for (i32 i = 0; i < top; ++i) {
        if (borrowed) {
          whole[i] = 0xFF'FFFF - whole[i];
        } else if (whole[i] != 0) {
          borrowed = true;
          whole[i] = 0x100'0000 - whole[i];
        }
      }
      if (scale == 1) whole[top - 1] &= 0x7F'FFFF;
      else if (scale == 2) whole[top - 1] &= 0x3F'FFFF;
      if (half == 2) {
        fraction = 1.0 - fraction;
        if (borrowed) fraction -= std::ldexp(1.0, scale);
      }
    }
    if (fraction != 0.0) break;
    // If everything was cancelled, more digits of 2/pi are needed.
    i32 any = 0;
    for (i32 i = top - 1; i >= wanted; --i) any |= whole[i];
    if (any != 0) break;
    i32 more = 1;
    while (whole[wanted - more] == 0) ++more;
    for (i32 i = top + 1; i <= top + more; ++i) {
      factors[last_digit + i] = static_cast<f64>(two_over_pi[skip + i]);
      products[i] = product_at(i);
    }
    top += more;
  }

  // Drop leading zero digits, or give the fraction digits of its own.
  if (fraction == 0.0) {
    top -= 1;
    scale -= 24;
    while (whole[top] == 0) {
      --top;
      scale -= 24;
    }
  } else {
    fraction = std::ldexp(fraction, -scale);
    if (fraction >= two_to_24) {
      f64 carried = static_cast<f64>(static_cast<i32>(two_to_minus_24 * fraction));
      whole[top] = static_cast<i32>(fraction - two_to_24 * carried);
      top += 1;
      scale += 24;
      whole[top] = static_cast<i32>(carried);
    } else {
      whole[top] = static_cast<i32>(fraction);
    }
  }

  // Back to floating point, times pi/2.
  f64 weight = std::ldexp(1.0, scale);
  for (i32 i = top; i >= 0; --i) {
    products[i] = weight * static_cast<f64>(whole[i]);
    weight *= two_to_minus_24;
  }
  f64 terms[capacity];
  for (i32 i = top; i >= 0; --i) {
    f64 sum = 0.0;
    for (i32 k = 0; k <= wanted && k <= top - i; ++k) sum += half_pi_digits[k] * products[i + k];
    terms[top - i] = sum;
  }
  f64 head = 0.0;
  for (i32 i = top; i >= 0; --i) head += terms[i];
  f64 tail = terms[0] - head;
  for (i32 i = 1; i <= top; ++i) tail += terms[i];
  return {quadrant & 7, half == 0 ? head : -head, half == 0 ? tail : -tail};
}

Reduced negated(const Reduced& reduced) { return {-reduced.quadrant, -reduced.head, -reduced.tail}; }

}  // namespace

Reduced reduce_by_half_pi(f64 x) {
  i32 signed_word = upper_word(x);
  i32 word = signed_word & 0x7FFF'FFFF;
  if (word <= 0x3FE9'21FB) return {0, x, 0.0};  // pi/4
  if (word >= 0x7FF0'0000) return {0, x - x, x - x};
  f64 magnitude = std::fabs(x);
  Reduced result;
  if (word < 0x4002'D97C) {  // 3pi/4: once pi/2
    f64 rest = magnitude - first;
    f64 correction = first_rest;
    if (word == 0x3FF9'21FB) {  // near pi/2 itself: 33 more bits
      rest -= second;
      correction = second_rest;
    }
    f64 head = rest - correction;
    result = {1, head, (rest - head) - correction};
  } else if (word <= 0x4139'21FB) {  // 2^19 * pi/2
    result = reduce_medium(magnitude, word);
  } else {
    i32 exponent = (word >> 20) - 1046;
    f64 rest = with_upper_word(magnitude, word - (exponent << 20));
    f64 digits[3];
    for (i32 i = 0; i < 2; ++i) {
      digits[i] = static_cast<f64>(static_cast<i32>(rest));
      rest = (rest - digits[i]) * two_to_24;
    }
    digits[2] = rest;
    i32 count = 3;
    while (digits[count - 1] == 0.0) --count;
    result = reduce_by_digits(digits, exponent, count);
  }
  return signed_word < 0 ? negated(result) : result;
}

}  // namespace keyhole::strict_math
