// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The elementary functions of java.lang.StrictMath: to the last bit those of fdlibm 5.3, which the specification
// demands.
//
// A function is its argument reduction, a polynomial or rational approximation on the reduced range, and a
// recombination; the order of every rounding operation is part of the result, so none may be re-associated or fused.
//
// Derived from fdlibm 5.3: results must equal fdlibm's bit by bit, so reductions, coefficients and the order of
// operations are its own. fdlibm's notice (see also NOTICE):
//
//   Copyright (C) 1993, 2004 by Sun Microsystems, Inc. All rights reserved.
//
//   Developed at SunPro, a Sun Microsystems, Inc. business.
//   Permission to use, copy, modify, and distribute this software is freely granted, provided that this notice is
//   preserved.
#pragma once

#include "runtime/base/types.h"

namespace keyhole::strict_math {

f64 sin(f64 x);
f64 cos(f64 x);
f64 tan(f64 x);
f64 asin(f64 x);
f64 acos(f64 x);
f64 atan(f64 x);
f64 atan2(f64 y, f64 x);
f64 exp(f64 x);
f64 expm1(f64 x);
f64 log(f64 x);
f64 log10(f64 x);
f64 log1p(f64 x);
f64 sinh(f64 x);
f64 cosh(f64 x);
f64 tanh(f64 x);

// x = quadrant * pi/2 + head + tail with |head| <= pi/4; the quadrant modulo 8 for large x.
struct Reduced {
  i32 quadrant;
  f64 head, tail;
};
Reduced reduce_by_half_pi(f64 x);

// A double as two words: comparisons of magnitudes are made on the upper one.
inline i32 upper_word(f64 x) { return static_cast<i32>(__builtin_bit_cast(u64, x) >> 32); }
inline u32 lower_word(f64 x) { return static_cast<u32>(__builtin_bit_cast(u64, x)); }
inline f64 with_upper_word(f64 x, i32 upper) {
  return __builtin_bit_cast(f64, u64{static_cast<u32>(upper)} << 32 | lower_word(x));
}
inline f64 without_lower_word(f64 x) {
  return __builtin_bit_cast(f64, __builtin_bit_cast(u64, x) & 0xFFFF'FFFF'0000'0000ull);
}
inline i32 magnitude_word(f64 x) { return upper_word(x) & 0x7FFF'FFFF; }
// x * 2^k, computed by adding to the exponent; only for results that stay normal.
inline f64 add_to_exponent(f64 x, i32 k) {
  return with_upper_word(x, static_cast<i32>(static_cast<u32>(upper_word(x)) + (static_cast<u32>(k) << 20)));
}

}  // namespace keyhole::strict_math
