// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The elementary functions and StrictMath's natives. "word" is the upper half of a double: sign, exponent, 20 bits of
// fraction.
//
// Derived from fdlibm 5.3: results must equal fdlibm's bit by bit, so reductions, coefficients and the order of
// operations are its own. fdlibm's notice (see also NOTICE):
//
//   Copyright (C) 1993, 2004 by Sun Microsystems, Inc. All rights reserved.
//
//   Developed at SunPro, a Sun Microsystems, Inc. business.
//   Permission to use, copy, modify, and distribute this software is freely granted, provided that this notice is
//   preserved.
#include "classlib/natives/java.base/lang/strict_math.h"

#include <cmath>
#include <limits>

#include "classlib/natives/declarations.h"

#pragma clang fp contract(off)

namespace keyhole::strict_math {

namespace {

constexpr f64 infinity = std::numeric_limits<f64>::infinity();
constexpr f64 not_a_number = std::numeric_limits<f64>::quiet_NaN();
constexpr i32 infinity_word = 0x7FF0'0000;
constexpr i32 quarter_pi_word = 0x3FE9'21FB;

constexpr f64 pi = 0x1.921fb54442d18p1, half_pi = 0x1.921fb54442d18p0, half_pi_tail = 0x1.1a62633145c07p-54;
constexpr f64 quarter_pi = 0x1.921fb54442d18p-1, quarter_pi_tail = 0x1.1a62633145c07p-55;
constexpr f64 ln2_head = 0x1.62e42feep-1, ln2_tail = 0x1.a39ef35793c76p-33, one_over_ln2 = 0x1.71547652b82fep0;
constexpr f64 two_to_54 = 0x1p54;

// c[0] + t*(c[1] + t*(c[2] + ...)): Horner, innermost first.
template <usize n> f64 polynomial(f64 t, const f64 (&c)[n]) {
  f64 sum = c[n - 1];
  for (usize i = n - 1; i-- > 0;) sum = c[i] + t * sum;
  return sum;
}

// --- sine, cosine, tangent on [-pi/4, pi/4]; the argument is x + tail ------------------------------------------------

f64 sine_kernel(f64 x, f64 tail, bool has_tail) {
  static constexpr f64 s1 = -0x1.5555555555549p-3;
  static constexpr f64 rest[] = {0x1.111111110f8a6p-7, -0x1.a01a019c161d5p-13, 0x1.71de357b1fe7dp-19,
                                 -0x1.ae5e68a2b9cebp-26, 0x1.5d93a5acfd57cp-33};
  if (magnitude_word(x) < 0x3E40'0000) return x;  // 2^-27
  f64 z = x * x;
  f64 cube = z * x;
  f64 r = polynomial(z, rest);
  if (!has_tail) return x + cube * (s1 + z * r);
  return x - ((z * (0.5 * tail - cube * r) - tail) - cube * s1);
}

f64 cosine_kernel(f64 x, f64 tail) {
  static constexpr f64 c[] = {0x1.555555555554cp-5,   -0x1.6c16c16c15177p-10, 0x1.a01a019cb159p-16,
                              -0x1.27e4f809c52adp-22, 0x1.1ee9ebdb4b1c4p-29,  -0x1.8fae9be8838d4p-37};
  i32 word = magnitude_word(x);
  if (word < 0x3E40'0000) return 1.0;
  f64 z = x * x;
  f64 r = z * polynomial(z, c);
  if (word < 0x3FD3'3333) return 1.0 - (0.5 * z - (z * r - x * tail));  // 0.3
  // Subtract about x*x/4 first, exactly.
  f64 part = word > 0x3FE9'0000 ? 0.28125 : __builtin_bit_cast(f64, u64{static_cast<u32>(word - 0x0020'0000)} << 32);
  f64 half_square = 0.5 * z - part;
  return (1.0 - part) - (half_square - (z * r - x * tail));
}

// Computes -1/(x + tail) to full precision, from the rounded sum and what rounding lost.
f64 negative_reciprocal(f64 sum, f64 x, f64 tail) {
  f64 head = without_lower_word(sum);
  f64 rest = tail - (head - x);
  f64 estimate = -1.0 / sum;
  f64 t = without_lower_word(estimate);
  f64 s = 1.0 + t * head;
  return t + estimate * (s + t * rest);
}

// tan(x + tail), or -1/tan of it.
f64 tangent_kernel(f64 x, f64 tail, bool reciprocal) {
  static constexpr f64 first = 0x1.5555555555563p-2;
  static constexpr f64 odd[] = {0x1.111111110fe7ap-3,  0x1.664f48406d637p-6,  0x1.d6d22c9560328p-9,
                                0x1.344d8f2f26501p-11, 0x1.47e88a03792a6p-14, -0x1.375cbdb605373p-16};
  static constexpr f64 even[] = {0x1.ba1ba1bb341fep-5,  0x1.226e3e96e8493p-7,  0x1.7dbc8fee08315p-10,
                                 0x1.026f71a8d1068p-12, 0x1.2b80f32f0a7e9p-14, 0x1.b2a7074bf7ad4p-16};
  i32 signed_word = upper_word(x);
  i32 word = signed_word & 0x7FFF'FFFF;
  if (word < 0x3E30'0000) {  // 2^-28
    if (!reciprocal) return x;
    if ((static_cast<u32>(word) | lower_word(x)) == 0) return 1.0 / std::fabs(x);
    return negative_reciprocal(x + tail, x, tail);
  }
  bool near_quarter_pi = word >= 0x3FE5'9428;  // 0.6744: use tan(pi/4 - x)
  if (near_quarter_pi) {
    if (signed_word < 0) {
      x = -x;
      tail = -tail;
    }
    x = (quarter_pi - x) + (quarter_pi_tail - tail);
    tail = 0.0;
  }
  f64 z = x * x;
  f64 w = z * z;
  f64 r = polynomial(w, odd);
  f64 v = z * polynomial(w, even);
  f64 cube = z * x;
  r = tail + z * (cube * (r + v) + tail);
  r += first * cube;
  w = x + r;
  if (near_quarter_pi) {
    f64 sign = reciprocal ? -1.0 : 1.0;
    return static_cast<f64>(1 - ((signed_word >> 30) & 2)) * (sign - 2.0 * (x - (w * w / (w + sign) - r)));
  }
  return reciprocal ? negative_reciprocal(w, x, r) : w;
}

// The rational function behind asin and acos, at t = x*x or (1-|x|)/2.
f64 arcsine_ratio(f64 t) {
  static constexpr f64 p[] = {0x1.5555555555555p-3,  -0x1.4d61203eb6f7dp-2, 0x1.9c1550e884455p-3,
                              -0x1.48228b5688f3bp-5, 0x1.9efe07501b288p-11, 0x1.23de10dfdf709p-15};
  static constexpr f64 q[] = {1.0, -0x1.33a271c8a2d4bp1, 0x1.02ae59c598ac8p1, -0x1.6066c1b8d0159p-1,
                              0x1.3b8c5b12e9282p-4};
  return t * polynomial(t, p) / polynomial(t, q);
}

}  // namespace

f64 sin(f64 x) {
  i32 word = magnitude_word(x);
  if (word <= quarter_pi_word) return sine_kernel(x, 0.0, false);
  if (word >= infinity_word) return x - x;
  Reduced y = reduce_by_half_pi(x);
  switch (y.quadrant & 3) {
    case 0: return sine_kernel(y.head, y.tail, true);
    case 1: return cosine_kernel(y.head, y.tail);
    case 2: return -sine_kernel(y.head, y.tail, true);
    default: return -cosine_kernel(y.head, y.tail);
  }
}

f64 cos(f64 x) {
  i32 word = magnitude_word(x);
  if (word <= quarter_pi_word) return cosine_kernel(x, 0.0);
  if (word >= infinity_word) return x - x;
  Reduced y = reduce_by_half_pi(x);
  switch (y.quadrant & 3) {
    case 0: return cosine_kernel(y.head, y.tail);
    case 1: return -sine_kernel(y.head, y.tail, true);
    case 2: return -cosine_kernel(y.head, y.tail);
    default: return sine_kernel(y.head, y.tail, true);
  }
}

f64 tan(f64 x) {
  i32 word = magnitude_word(x);
  if (word <= quarter_pi_word) return tangent_kernel(x, 0.0, false);
  if (word >= infinity_word) return x - x;
  Reduced y = reduce_by_half_pi(x);
  return tangent_kernel(y.head, y.tail, (y.quadrant & 1) != 0);
}

// --- their inverses --------------------------------------------------------------------------------------------------

f64 asin(f64 x) {
  i32 signed_word = upper_word(x);
  i32 word = signed_word & 0x7FFF'FFFF;
  if (word >= 0x3FF0'0000) {
    if (std::fabs(x) == 1.0) return x * half_pi + x * half_pi_tail;
    return (x - x) / (x - x);
  }
  if (word < 0x3FE0'0000) {  // 0.5
    if (word < 0x3E40'0000) return x;
    return x + x * arcsine_ratio(x * x);
  }
  f64 t = (1.0 - std::fabs(x)) * 0.5;
  f64 ratio = arcsine_ratio(t);
  f64 s = std::sqrt(t);
  if (word >= 0x3FEF'3333) {  // 0.975
    t = half_pi - (2.0 * (s + s * ratio) - half_pi_tail);
  } else {
    f64 head = without_lower_word(s);
    f64 c = (t - head * head) / (s + head);
    f64 p = 2.0 * s * ratio - (half_pi_tail - 2.0 * c);
    f64 q = quarter_pi - 2.0 * head;
    t = quarter_pi - (p - q);
  }
  return signed_word > 0 ? t : -t;
}

f64 acos(f64 x) {
  i32 signed_word = upper_word(x);
  i32 word = signed_word & 0x7FFF'FFFF;
  if (word >= 0x3FF0'0000) {
    if (x == 1.0) return 0.0;
    if (x == -1.0) return pi + 2.0 * half_pi_tail;
    return (x - x) / (x - x);
  }
  if (word < 0x3FE0'0000) {  // 0.5
    if (word <= 0x3C60'0000) return half_pi + half_pi_tail;
    f64 ratio = arcsine_ratio(x * x);
    return half_pi - (x - (half_pi_tail - x * ratio));
  }
  if (signed_word < 0) {
    f64 z = (1.0 + x) * 0.5;
    f64 ratio = arcsine_ratio(z);
    f64 s = std::sqrt(z);
    f64 w = ratio * s - half_pi_tail;
    return pi - 2.0 * (s + w);
  }
  f64 z = (1.0 - x) * 0.5;
  f64 s = std::sqrt(z);
  f64 head = without_lower_word(s);
  f64 c = (z - head * head) / (s + head);
  f64 w = arcsine_ratio(z) * s + c;
  return 2.0 * (head + w);
}

f64 atan(f64 x) {
  // atan of 0.5, 1, 1.5 and infinity: around these points the argument is expanded.
  static constexpr f64 point_head[] = {0x1.dac670561bb4fp-2, 0x1.921fb54442d18p-1, 0x1.f730bd281f69bp-1,
                                       0x1.921fb54442d18p0};
  static constexpr f64 point_tail[] = {0x1.a2b7f222f65e2p-56, 0x1.1a62633145c07p-55, 0x1.007887af0cbbdp-56,
                                       0x1.1a62633145c07p-54};
  static constexpr f64 even[] = {0x1.555555555550dp-2, 0x1.24924920083ffp-3, 0x1.745cdc54c206ep-4,
                                 0x1.10d66a0d03d51p-4, 0x1.97b4b24760debp-5, 0x1.0ad3ae322da11p-6};
  static constexpr f64 odd[] = {-0x1.999999998ebc4p-3, -0x1.c71c6fe231671p-4, -0x1.3b0f2af749a6dp-4,
                                -0x1.dde2d52defd9ap-5, -0x1.2b4442c6a6c2fp-5};
  i32 signed_word = upper_word(x);
  i32 word = signed_word & 0x7FFF'FFFF;
  if (word >= 0x4410'0000) {  // 2^66
    if (std::isnan(x)) return x + x;
    return signed_word > 0 ? point_head[3] + point_tail[3] : -point_head[3] - point_tail[3];
  }
  i32 point = -1;
  if (word < 0x3FDC'0000) {  // 7/16
    if (word < 0x3E20'0000) return x;
  } else {
    x = std::fabs(x);
    if (word < 0x3FE6'0000) {  // 11/16
      point = 0;
      x = (2.0 * x - 1.0) / (2.0 + x);
    } else if (word < 0x3FF3'0000) {  // 19/16
      point = 1;
      x = (x - 1.0) / (x + 1.0);
    } else if (word < 0x4003'8000) {  // 39/16
      point = 2;
      x = (x - 1.5) / (1.0 + 1.5 * x);
    } else {
      point = 3;
      x = -1.0 / x;
    }
  }
  f64 z = x * x;
  f64 w = z * z;
  f64 sum = z * polynomial(w, even) + w * polynomial(w, odd);
  if (point < 0) return x - x * sum;
  f64 result = point_head[point] - ((x * sum - point_tail[point]) - x);
  return signed_word < 0 ? -result : result;
}

f64 atan2(f64 y, f64 x) {
  constexpr f64 pi_tail = 0x1.1a62633145c07p-53;
  if (std::isnan(x) || std::isnan(y)) return x + y;
  if (x == 1.0) return atan(y);
  bool y_negative = std::signbit(y), x_negative = std::signbit(x);
  auto with_sign_of_y = [&](f64 angle) { return y_negative ? -angle : angle; };
  if (y == 0.0) return x_negative ? with_sign_of_y(pi) : y;
  if (x == 0.0) return with_sign_of_y(half_pi);
  if (std::isinf(x)) {
    if (std::isinf(y)) return with_sign_of_y(x_negative ? 3.0 * quarter_pi : quarter_pi);
    return with_sign_of_y(x_negative ? pi : 0.0);
  }
  if (std::isinf(y)) return with_sign_of_y(half_pi);
  i32 exponent_difference = (magnitude_word(y) - magnitude_word(x)) >> 20;
  f64 angle;
  if (exponent_difference > 60) angle = half_pi + 0.5 * pi_tail;
  else if (x_negative && exponent_difference < -60) angle = 0.0;
  else angle = atan(std::fabs(y / x));
  if (!x_negative) return with_sign_of_y(angle);
  return y_negative ? (angle - pi_tail) - pi : pi - (angle - pi_tail);
}

// --- exponentials ----------------------------------------------------------------------------------------------------

f64 exp(f64 x) {
  static constexpr f64 p[] = {0x1.555555555553ep-3, -0x1.6c16c16bebd93p-9, 0x1.1566aaf25de2cp-14,
                              -0x1.bbd41c5d26bf1p-20, 0x1.6376972bea4d0p-25};
  bool negative = std::signbit(x);
  i32 word = magnitude_word(x);
  if (word >= 0x4086'2E42) {  // 709.78
    if (std::isnan(x)) return x + x;
    if (std::isinf(x)) return negative ? 0.0 : x;
    if (x > 0x1.62e42fefa39efp9) return infinity;
    if (x < -0x1.74910d52d3051p9) return 0.0;
  }
  f64 head = 0.0, tail = 0.0;
  i32 k = 0;
  if (word > 0x3FD6'2E42) {    // ln2 / 2
    if (word < 0x3FF0'A2B2) {  // 3/2 ln2
      head = negative ? x + ln2_head : x - ln2_head;
      tail = negative ? -ln2_tail : ln2_tail;
      k = negative ? -1 : 1;
    } else {
      k = static_cast<i32>(one_over_ln2 * x + (negative ? -0.5 : 0.5));
      head = x - k * ln2_head;
      tail = k * ln2_tail;
    }
    x = head - tail;
  } else if (word < 0x3E30'0000) {  // 2^-28
    return 1.0 + x;
  }
  f64 t = x * x;
  f64 c = x - t * polynomial(t, p);
  if (k == 0) return 1.0 - ((x * c) / (c - 2.0) - x);
  f64 y = 1.0 - ((tail - (x * c) / (2.0 - c)) - head);
  if (k >= -1021) return add_to_exponent(y, k);
  return add_to_exponent(y, k + 1000) * 0x1p-1000;
}

f64 expm1(f64 x) {
  static constexpr f64 q[] = {1.0,
                              -0x1.11111111110f4p-5,
                              0x1.a01a019fe5585p-10,
                              -0x1.4ce199eaadbb7p-14,
                              0x1.0cfca86e65239p-18,
                              -0x1.afdb76e09c32dp-23};
  bool negative = std::signbit(x);
  i32 word = magnitude_word(x);
  if (word >= 0x4043'687A) {  // 56 ln2
    if (std::isnan(x)) return x + x;
    if (std::isinf(x)) return negative ? -1.0 : x;
    if (x > 0x1.62e42fefa39efp9) return infinity;
    if (negative) return 1.0e-300 - 1.0;
  }
  f64 correction = 0.0;
  i32 k = 0;
  if (word > 0x3FD6'2E42) {  // ln2 / 2
    f64 head, tail;
    if (word < 0x3FF0'A2B2) {  // 3/2 ln2
      head = negative ? x + ln2_head : x - ln2_head;
      tail = negative ? -ln2_tail : ln2_tail;
      k = negative ? -1 : 1;
    } else {
      k = static_cast<i32>(one_over_ln2 * x + (negative ? -0.5 : 0.5));
      head = x - k * ln2_head;
      tail = k * ln2_tail;
    }
    x = head - tail;
    correction = (head - x) - tail;
  } else if (word < 0x3C90'0000) {  // 2^-54
    return x;
  }
  f64 half = 0.5 * x;
  f64 half_square = x * half;
  f64 r = polynomial(half_square, q);
  f64 t = 3.0 - r * half;
  f64 e = half_square * ((r - t) / (6.0 - x * t));
  if (k == 0) return x - (x * e - half_square);
  e = x * (e - correction) - correction;
  e -= half_square;
  if (k == -1) return 0.5 * (x - e) - 0.5;
  if (k == 1) return x < -0.25 ? -2.0 * (e - (x + 0.5)) : 1.0 + 2.0 * (x - e);
  if (k <= -2 || k > 56) return add_to_exponent(1.0 - (e - x), k) - 1.0;
  if (k < 20) {
    t = with_upper_word(1.0, 0x3FF0'0000 - (0x20'0000 >> k));  // 1 - 2^-k
    return add_to_exponent(t - (e - x), k);
  }
  t = with_upper_word(1.0, (0x3FF - k) << 20);  // 2^-k
  f64 y = x - (e + t);
  y += 1.0;
  return add_to_exponent(y, k);
}

// --- logarithms ------------------------------------------------------------------------------------------------------

f64 log(f64 x) {
  static constexpr f64 odd[] = {0x1.5555555555593p-1, 0x1.2492494229359p-2, 0x1.7466496cb03dep-3, 0x1.2f112df3e5244p-3};
  static constexpr f64 even[] = {0x1.999999997fa04p-2, 0x1.c71c51d8e78afp-3, 0x1.39a09d078c69fp-3};
  i32 word = upper_word(x);
  i32 k = 0;
  if (word < 0x0010'0000) {
    if (x == 0.0) return -infinity;
    if (word < 0) return (x - x) / 0.0;
    k -= 54;
    x *= two_to_54;
    word = upper_word(x);
  }
  if (word >= infinity_word) return x + x;
  k += (word >> 20) - 1023;
  word &= 0x000F'FFFF;
  i32 upper_half = (word + 0x9'5F64) & 0x10'0000;  // fraction above sqrt(2): use x/2
  f64 f = with_upper_word(x, word | (upper_half ^ 0x3FF0'0000)) - 1.0;
  k += upper_half >> 20;
  f64 exponent = k;
  if ((0x000F'FFFF & (2 + word)) < 3) {  // |f| < 2^-20
    if (f == 0.0) return k == 0 ? 0.0 : exponent * ln2_head + exponent * ln2_tail;
    f64 r = f * f * (0.5 - 0.33333333333333333 * f);
    return k == 0 ? f - r : exponent * ln2_head - ((r - exponent * ln2_tail) - f);
  }
  f64 s = f / (2.0 + f);
  f64 z = s * s;
  f64 w = z * z;
  f64 even_part = w * polynomial(w, even);
  f64 odd_part = z * polynomial(w, odd);
  f64 r = odd_part + even_part;
  if (((word - 0x6'147A) | (0x6'B851 - word)) > 0) {
    f64 half_square = 0.5 * f * f;
    if (k == 0) return f - (half_square - s * (half_square + r));
    return exponent * ln2_head - ((half_square - (s * (half_square + r) + exponent * ln2_tail)) - f);
  }
  if (k == 0) return f - s * (f - r);
  return exponent * ln2_head - ((s * (f - r) - exponent * ln2_tail) - f);
}

f64 log10(f64 x) {
  constexpr f64 one_over_ln10 = 0x1.bcb7b1526e50ep-2, log10_2_head = 0x1.34413509f6p-2,
                log10_2_tail = 0x1.9fef311f12b36p-42;
  i32 word = upper_word(x);
  i32 k = 0;
  if (word < 0x0010'0000) {
    if (x == 0.0) return -infinity;
    if (word < 0) return (x - x) / 0.0;
    k -= 54;
    x *= two_to_54;
    word = upper_word(x);
  }
  if (word >= infinity_word) return x + x;
  k += (word >> 20) - 1023;
  i32 negative = k < 0 ? 1 : 0;
  f64 exponent = k + negative;
  f64 z = exponent * log10_2_tail +
          one_over_ln10 * log(with_upper_word(x, (word & 0x000F'FFFF) | ((0x3FF - negative) << 20)));
  return z + exponent * log10_2_head;
}

f64 log1p(f64 x) {
  static constexpr f64 p[] = {0x1.5555555555593p-1, 0x1.999999997fa04p-2, 0x1.2492494229359p-2, 0x1.c71c51d8e78afp-3,
                              0x1.7466496cb03dep-3, 0x1.39a09d078c69fp-3, 0x1.2f112df3e5244p-3};
  i32 signed_word = upper_word(x);
  i32 word = signed_word & 0x7FFF'FFFF;
  if (std::isnan(x)) return x + x;
  bool direct = false;              // f = x, no exponent
  if (signed_word < 0x3FDA'827A) {  // sqrt(2) - 1
    if (word >= 0x3FF0'0000) return x == -1.0 ? -infinity : not_a_number;
    if (word < 0x3E20'0000) return word < 0x3C90'0000 ? x : x - x * x * 0.5;  // 2^-29, 2^-54
    direct = signed_word > 0 || signed_word <= static_cast<i32>(0xBFD2'BEC3);
  }
  if (signed_word >= infinity_word) return x + x;
  f64 f = x, correction = 0.0;
  i32 k = 0, fraction = 1;
  if (!direct) {
    f64 u = x;
    if (signed_word < 0x4340'0000) {  // 2^53: below it 1 + x loses bits, which `correction` keeps
      u = 1.0 + x;
      k = (upper_word(u) >> 20) - 1023;
      correction = k > 0 ? 1.0 - (u - x) : x - (u - 1.0);
      correction /= u;
    } else {
      k = (upper_word(u) >> 20) - 1023;
    }
    fraction = upper_word(u) & 0x000F'FFFF;
    if (fraction < 0x6'A09E) {  // sqrt(2)
      u = with_upper_word(u, fraction | 0x3FF0'0000);
    } else {
      k += 1;
      u = with_upper_word(u, fraction | 0x3FE0'0000);
      fraction = (0x0010'0000 - fraction) >> 2;
    }
    f = u - 1.0;
  }
  f64 exponent = k;
  f64 half_square = 0.5 * f * f;
  if (fraction == 0) {  // |f| < 2^-20
    if (f == 0.0) {
      if (k == 0) return 0.0;
      correction += exponent * ln2_tail;
      return exponent * ln2_head + correction;
    }
    f64 r = half_square * (1.0 - 0.66666666666666666 * f);
    return k == 0 ? f - r : exponent * ln2_head - ((r - (exponent * ln2_tail + correction)) - f);
  }
  f64 s = f / (2.0 + f);
  f64 z = s * s;
  f64 r = z * polynomial(z, p);
  if (k == 0) return f - (half_square - s * (half_square + r));
  return exponent * ln2_head - ((half_square - (s * (half_square + r) + (exponent * ln2_tail + correction))) - f);
}

// --- hyperbolic functions --------------------------------------------------------------------------------------------

namespace {
// Where exp(|x|)/2 still fits although exp(|x|) does not.
bool half_exponential_fits(f64 magnitude) { return __builtin_bit_cast(u64, magnitude) <= 0x4086'33CE'8FB9'F87Dull; }
}  // namespace

f64 sinh(f64 x) {
  i32 word = magnitude_word(x);
  if (word >= infinity_word) return x + x;
  f64 magnitude = std::fabs(x);
  f64 half = std::signbit(x) ? -0.5 : 0.5;
  if (word < 0x4036'0000) {  // 22
    if (word < 0x3E30'0000) return x;
    f64 t = expm1(magnitude);
    if (word < 0x3FF0'0000) return half * (2.0 * t - t * t / (t + 1.0));
    return half * (t + t / (t + 1.0));
  }
  if (word < 0x4086'2E42) return half * exp(magnitude);
  if (half_exponential_fits(magnitude)) {
    f64 w = exp(0.5 * magnitude);
    return (half * w) * w;
  }
  return x * 1.0e307;
}

f64 cosh(f64 x) {
  i32 word = magnitude_word(x);
  if (word >= infinity_word) return x * x;
  f64 magnitude = std::fabs(x);
  if (word < 0x3FD6'2E43) {  // ln2 / 2
    f64 t = expm1(magnitude);
    f64 w = 1.0 + t;
    if (word < 0x3C80'0000) return w;
    return 1.0 + (t * t) / (w + w);
  }
  if (word < 0x4036'0000) {  // 22
    f64 t = exp(magnitude);
    return 0.5 * t + 0.5 / t;
  }
  if (word < 0x4086'2E42) return 0.5 * exp(magnitude);
  if (half_exponential_fits(magnitude)) {
    f64 w = exp(0.5 * magnitude);
    return (0.5 * w) * w;
  }
  return infinity;
}

f64 tanh(f64 x) {
  i32 word = magnitude_word(x);
  bool negative = std::signbit(x);
  if (word >= infinity_word) return negative ? 1.0 / x - 1.0 : 1.0 / x + 1.0;
  f64 z;
  if (word < 0x4036'0000) {  // 22
    if (word < 0x3C80'0000) return x * (1.0 + x);
    if (word >= 0x3FF0'0000) {
      f64 t = expm1(2.0 * std::fabs(x));
      z = 1.0 - 2.0 / (t + 2.0);
    } else {
      f64 t = expm1(-2.0 * std::fabs(x));
      z = -t / (t + 2.0);
    }
  } else {
    z = 1.0;
  }
  return negative ? -z : z;
}

}  // namespace keyhole::strict_math

namespace keyhole::natives {

f64 StrictMath_sin(JavaThread*, f64 x) { return strict_math::sin(x); }
f64 StrictMath_cos(JavaThread*, f64 x) { return strict_math::cos(x); }
f64 StrictMath_tan(JavaThread*, f64 x) { return strict_math::tan(x); }
f64 StrictMath_asin(JavaThread*, f64 x) { return strict_math::asin(x); }
f64 StrictMath_acos(JavaThread*, f64 x) { return strict_math::acos(x); }
f64 StrictMath_atan(JavaThread*, f64 x) { return strict_math::atan(x); }
f64 StrictMath_atan2(JavaThread*, f64 y, f64 x) { return strict_math::atan2(y, x); }
f64 StrictMath_expm1(JavaThread*, f64 x) { return strict_math::expm1(x); }
f64 StrictMath_log(JavaThread*, f64 x) { return strict_math::log(x); }
f64 StrictMath_log10(JavaThread*, f64 x) { return strict_math::log10(x); }
f64 StrictMath_log1p(JavaThread*, f64 x) { return strict_math::log1p(x); }
f64 StrictMath_sinh(JavaThread*, f64 x) { return strict_math::sinh(x); }
f64 StrictMath_cosh(JavaThread*, f64 x) { return strict_math::cosh(x); }
f64 StrictMath_tanh(JavaThread*, f64 x) { return strict_math::tanh(x); }
// Both are exact by definition: any correct implementation gives the same bits.
f64 StrictMath_sqrt(JavaThread*, f64 x) { return std::sqrt(x); }
f64 StrictMath_IEEEremainder(JavaThread*, f64 x, f64 p) { return std::remainder(x, p); }

}  // namespace keyhole::natives
