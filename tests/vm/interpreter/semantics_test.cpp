// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the semantics of pure bytecodes with literal vectors, at the edge cases of JVMS 6.5.
#include <gtest/gtest.h>

#include "vm/interpreter/handlers/semantics.h"

namespace keyhole::semantics {
namespace {

constexpr i32 int_min = -2147483647 - 1, int_max = 2147483647;
constexpr i64 long_min = -9223372036854775807ll - 1, long_max = 9223372036854775807ll;
constexpr f64 double_nan = __builtin_nan(""), double_infinity = __builtin_inf();
constexpr f32 float_nan = __builtin_nanf("");

static_assert(iadd(int_max, 1) == int_min && isub(int_min, 1) == int_max && imul(65536, 65536) == 0 &&
              ineg(int_min) == int_min);
static_assert(ladd(long_max, 1) == long_min && lneg(long_min) == long_min && lmul(long_max, 2) == -2);
static_assert(idiv(int_min, -1) == int_min && irem(int_min, -1) == 0 && idiv(-7, 2) == -3 && irem(-7, 2) == -1 &&
              irem(7, -2) == 1);
static_assert(ldiv(long_min, -1) == long_min && lrem(long_min, -1) == 0 && ldiv(-7, 2) == -3 && lrem(-7, 2) == -1);
static_assert(ishl(1, 33) == 2 && ishr(-8, 1) == -4 && ishr(-8, 32) == -8 && iushr(-1, 28) == 15 &&
              iushr(-1, 32) == -1);
static_assert(lshl(1, 65) == 2 && lshr(-8, 1) == -4 && lushr(-1, 60) == 15 && lushr(-1, 64) == -1);
static_assert(i2b(200) == -56 && i2c(-1) == 65535 && i2s(40000) == -25536 && l2i(0x1'0000'0005) == 5 && i2l(-1) == -1);
static_assert(lcmp(1, 2) == -1 && lcmp(2, 2) == 0 && lcmp(long_max, long_min) == 1);

TEST(Semantics, FloatToIntegerSaturates) {
  EXPECT_EQ(d2i(double_nan), 0);
  EXPECT_EQ(d2i(1e30), int_max);
  EXPECT_EQ(d2i(-1e30), int_min);
  EXPECT_EQ(d2i(2147483647.9), int_max);
  EXPECT_EQ(d2i(-2147483648.9), int_min);
  EXPECT_EQ(d2i(-1.9), -1);
  EXPECT_EQ(d2l(double_infinity), long_max);
  EXPECT_EQ(d2l(-double_infinity), long_min);
  EXPECT_EQ(d2l(9.0e18), 9000000000000000000ll);
  EXPECT_EQ(f2i(float_nan), 0);
  EXPECT_EQ(f2i(2147483648.0f), int_max);
  EXPECT_EQ(f2i(-2147483648.0f), int_min);
  EXPECT_EQ(f2l(-1.5f), -1);
  EXPECT_EQ(f2l(1e20f), long_max);
}

TEST(Semantics, ComparisonsTellNaNApart) {
  EXPECT_EQ(dcmpl(double_nan, 0), -1);
  EXPECT_EQ(dcmpg(double_nan, 0), 1);
  EXPECT_EQ(fcmpl(0, float_nan), -1);
  EXPECT_EQ(fcmpg(0, float_nan), 1);
  EXPECT_EQ(dcmpl(0.0, -0.0), 0);
  EXPECT_EQ(dcmpg(-1, 1), -1);
  EXPECT_EQ(dcmpl(1, -1), 1);
  EXPECT_EQ(fcmpg(double_infinity, 1), 1);
}

TEST(Semantics, RemainderTruncates) {
  EXPECT_EQ(drem(5.5, 2), 1.5);
  EXPECT_EQ(drem(-5.5, 2), -1.5);
  EXPECT_TRUE(std::isnan(drem(1, 0)));
  EXPECT_EQ(drem(1, double_infinity), 1);
  EXPECT_TRUE(std::signbit(drem(-4, 2)));
  EXPECT_EQ(frem(5.5f, -2), 1.5f);
}

TEST(Semantics, FloatingDivisionByZero) {
  EXPECT_EQ(ddiv(1, 0), double_infinity);
  EXPECT_EQ(ddiv(-1, 0), -double_infinity);
  EXPECT_TRUE(std::isnan(ddiv(0, 0)));
  EXPECT_EQ(d2f(1e300), __builtin_inff());
  EXPECT_EQ(l2f(long_max), 9223372036854775808.0f);
  EXPECT_TRUE(std::signbit(dneg(0.0)));
}

}  // namespace
}  // namespace keyhole::semantics
