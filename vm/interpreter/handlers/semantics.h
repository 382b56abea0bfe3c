// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The semantics of the pure bytecodes (JVMS 6.5), written once: the interpreter runs these functions, and compilers
// fold constants with them. The tests compare with literal results, not with these functions.
//
// The caller checks for division by zero. Java's int arithmetic wraps, so it is done on unsigned values.
#pragma once

#include <cmath>
#include <limits>

#include "runtime/base/types.h"

namespace keyhole::semantics {

constexpr i32 iadd(i32 a, i32 b) { return static_cast<i32>(static_cast<u32>(a) + static_cast<u32>(b)); }
constexpr i32 isub(i32 a, i32 b) { return static_cast<i32>(static_cast<u32>(a) - static_cast<u32>(b)); }
constexpr i32 imul(i32 a, i32 b) { return static_cast<i32>(static_cast<u32>(a) * static_cast<u32>(b)); }
constexpr i32 ineg(i32 a) { return static_cast<i32>(0u - static_cast<u32>(a)); }
constexpr i64 ladd(i64 a, i64 b) { return static_cast<i64>(static_cast<u64>(a) + static_cast<u64>(b)); }
constexpr i64 lsub(i64 a, i64 b) { return static_cast<i64>(static_cast<u64>(a) - static_cast<u64>(b)); }
constexpr i64 lmul(i64 a, i64 b) { return static_cast<i64>(static_cast<u64>(a) * static_cast<u64>(b)); }
constexpr i64 lneg(i64 a) { return static_cast<i64>(u64{0} - static_cast<u64>(a)); }

// MIN / -1 overflows back to MIN, and MIN % -1 is 0. The machine instruction traps in both cases.
constexpr i32 idiv(i32 a, i32 b) { return b == -1 ? ineg(a) : a / b; }
constexpr i32 irem(i32 a, i32 b) { return b == -1 ? 0 : a % b; }
constexpr i64 ldiv(i64 a, i64 b) { return b == -1 ? lneg(a) : a / b; }
constexpr i64 lrem(i64 a, i64 b) { return b == -1 ? 0 : a % b; }

// Only the low 5 (6) bits of a shift distance count.
constexpr i32 ishl(i32 a, i32 distance) { return static_cast<i32>(static_cast<u32>(a) << (distance & 31)); }
constexpr i32 ishr(i32 a, i32 distance) { return a >> (distance & 31); }
constexpr i32 iushr(i32 a, i32 distance) { return static_cast<i32>(static_cast<u32>(a) >> (distance & 31)); }
constexpr i64 lshl(i64 a, i32 distance) { return static_cast<i64>(static_cast<u64>(a) << (distance & 63)); }
constexpr i64 lshr(i64 a, i32 distance) { return a >> (distance & 63); }
constexpr i64 lushr(i64 a, i32 distance) { return static_cast<i64>(static_cast<u64>(a) >> (distance & 63)); }

constexpr i32 iand(i32 a, i32 b) { return a & b; }
constexpr i32 ior(i32 a, i32 b) { return a | b; }
constexpr i32 ixor(i32 a, i32 b) { return a ^ b; }
constexpr i64 land(i64 a, i64 b) { return a & b; }
constexpr i64 lor(i64 a, i64 b) { return a | b; }
constexpr i64 lxor(i64 a, i64 b) { return a ^ b; }

constexpr f32 fadd(f32 a, f32 b) { return a + b; }
constexpr f32 fsub(f32 a, f32 b) { return a - b; }
constexpr f32 fmul(f32 a, f32 b) { return a * b; }
constexpr f32 fdiv(f32 a, f32 b) { return a / b; }
constexpr f32 fneg(f32 a) { return -a; }
constexpr f64 dadd(f64 a, f64 b) { return a + b; }
constexpr f64 dsub(f64 a, f64 b) { return a - b; }
constexpr f64 dmul(f64 a, f64 b) { return a * b; }
constexpr f64 ddiv(f64 a, f64 b) { return a / b; }
constexpr f64 dneg(f64 a) { return -a; }
// Java's % truncates, as C's fmod does. It differs from IEEE 754's remainder.
inline f32 frem(f32 a, f32 b) { return std::fmod(a, b); }
inline f64 drem(f64 a, f64 b) { return std::fmod(a, b); }

// Converts to an integer: NaN becomes 0, and a value out of range becomes the nearest one in range. The bounds 2^31 and
// 2^63 are exact as floats; the largest integers are not.
template <typename Integer, typename Float> constexpr Integer saturate(Float value) {
  constexpr Float limit = static_cast<Float>(u64{1} << (sizeof(Integer) * 8 - 1));
  if (value >= limit) return std::numeric_limits<Integer>::max();
  if (value < -limit) return std::numeric_limits<Integer>::min();
  if (value != value) return 0;
  return static_cast<Integer>(value);
}
constexpr i32 f2i(f32 a) { return saturate<i32>(a); }
constexpr i64 f2l(f32 a) { return saturate<i64>(a); }
constexpr i32 d2i(f64 a) { return saturate<i32>(a); }
constexpr i64 d2l(f64 a) { return saturate<i64>(a); }
constexpr f64 f2d(f32 a) { return static_cast<f64>(a); }
constexpr f32 d2f(f64 a) { return static_cast<f32>(a); }
constexpr f32 i2f(i32 a) { return static_cast<f32>(a); }
constexpr f64 i2d(i32 a) { return static_cast<f64>(a); }
constexpr f32 l2f(i64 a) { return static_cast<f32>(a); }
constexpr f64 l2d(i64 a) { return static_cast<f64>(a); }
constexpr i64 i2l(i32 a) { return a; }
constexpr i32 l2i(i64 a) { return static_cast<i32>(a); }
constexpr i32 i2b(i32 a) { return static_cast<i8>(a); }
constexpr i32 i2c(i32 a) { return static_cast<u16>(a); }
constexpr i32 i2s(i32 a) { return static_cast<i16>(a); }

constexpr i32 lcmp(i64 a, i64 b) { return (a > b) - (a < b); }
// fcmpl and fcmpg differ only when an operand is NaN: fcmpl gives -1, fcmpg gives 1.
constexpr i32 fcmpl(f32 a, f32 b) { return (a > b) - !(a >= b); }
constexpr i32 fcmpg(f32 a, f32 b) { return !(a <= b) - (a < b); }
constexpr i32 dcmpl(f64 a, f64 b) { return (a > b) - !(a >= b); }
constexpr i32 dcmpg(f64 a, f64 b) { return !(a <= b) - (a < b); }

}  // namespace keyhole::semantics
