// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests each kind of arithmetic on random numbers, compared with C++ that follows Java's rules.
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <random>

#include "tests/jit/llvm/code_for_tests.h"

namespace keyhole::llvm_plugin {
namespace {

using low::Op;
using low::Type;

class LlvmArithmetic : public LlvmPlugin {
 protected:
  // Random words, and words at the limits of the types.
  u64 random_word() {
    constexpr u64 edges[] = {
        0, 1, 2, 31, 32, 63, 64, ~0ull, 1ull << 63, (1ull << 63) - 1, 0x80000000ull, 0x7FFFFFFFull};
    return numbers() % 4 == 0 ? edges[numbers() % std::size(edges)] : numbers();
  }
  // Applies `op` to two words in the frame, and compares with `expected`.
  template <typename T> void check(Op op, Type type, u32 operands, const std::function<T(T, T)>& expected) {
    SCOPED_TRACE(std::string(low::name(op)) + " " + std::string(low::name(type)));
    function = {};
    b.go_to(b.new_block());
    slot = b.parameter(low::Parameter::Slot);
    zero = b.constant(Type::I32, 0);
    const auto x = argument(type, 0), y = argument(type, 1);
    auto value = operands == 1 ? b.value(op, type, {x}) : b.value(op, type, {x, y});
    if (type == Type::F32) value = b.value(Op::Bits, Type::I32, {value});
    if (type == Type::F32 || type == Type::I32) value = b.value(Op::ZeroExtend, Type::I64, {value});
    if (type == Type::F64) value = b.value(Op::Bits, Type::I64, {value});
    returns(value);
    const Result code = compile();
    for (int i = 0; i < 2000; ++i) {
      u64 words[2] = {random_word(), random_word()};
      T in[2];
      if constexpr (std::is_floating_point_v<T>) {
        for (u32 k = 0; k < 2; ++k) {
          in[k] = static_cast<T>(static_cast<i64>(words[k])) / static_cast<T>(1 << (numbers() % 20));
          std::memcpy(&words[k], &in[k], sizeof(T));
        }
      } else {
        for (u32 k = 0; k < 2; ++k) in[k] = static_cast<T>(words[k]);
        const bool overflows = in[1] == static_cast<T>(-1) && in[0] == std::numeric_limits<T>::min();
        if ((op == Op::Div || op == Op::Rem) && (in[1] == 0 || overflows)) continue;
      }
      const T wanted = expected(in[0], in[1]);
      const u64 word = call(code.entry, {words[0], words[1]}).result;
      T got;
      std::memcpy(&got, &word, sizeof(T));
      if (wanted != wanted) EXPECT_NE(got, got);
      else EXPECT_EQ(got, wanted) << in[0] << ", " << in[1];
    }
    compiler->free(code.resource);
  }
  template <typename T> void check_integers(Type type) {
    using U = std::make_unsigned_t<T>;
    constexpr u32 bits = 8 * sizeof(T);
    const auto wide = [](T x) { return static_cast<__int128>(x); };
    check<T>(Op::Add, type, 2, [](T x, T y) { return static_cast<T>(U(x) + U(y)); });
    check<T>(Op::Sub, type, 2, [](T x, T y) { return static_cast<T>(U(x) - U(y)); });
    check<T>(Op::Mul, type, 2, [](T x, T y) { return static_cast<T>(U(x) * U(y)); });
    check<T>(Op::Div, type, 2, [](T x, T y) { return static_cast<T>(x / y); });
    check<T>(Op::Rem, type, 2, [](T x, T y) { return static_cast<T>(x % y); });
    check<T>(Op::Neg, type, 1, [](T x, T) { return static_cast<T>(U(0) - U(x)); });
    check<T>(Op::And, type, 2, [](T x, T y) { return static_cast<T>(x & y); });
    check<T>(Op::Or, type, 2, [](T x, T y) { return static_cast<T>(x | y); });
    check<T>(Op::Xor, type, 2, [](T x, T y) { return static_cast<T>(x ^ y); });
    check<T>(Op::Shl, type, 2, [](T x, T y) { return static_cast<T>(U(x) << (U(y) % bits)); });
    check<T>(Op::Shr, type, 2, [](T x, T y) { return static_cast<T>(x >> (U(y) % bits)); });
    check<T>(Op::UShr, type, 2, [](T x, T y) { return static_cast<T>(U(x) >> (U(y) % bits)); });
    check<T>(Op::MulHigh, type, 2, [=](T x, T y) { return static_cast<T>((wide(x) * wide(y)) >> bits); });
    check<T>(Op::UMulHigh, type, 2,
             [](T x, T y) { return static_cast<T>((static_cast<unsigned __int128>(U(x)) * U(y)) >> bits); });
    check<T>(Op::Min, type, 2, [](T x, T y) { return x < y ? x : y; });
    check<T>(Op::Max, type, 2, [](T x, T y) { return x < y ? y : x; });
    check<T>(Op::PopCount, type, 1, [](T x, T) { return static_cast<T>(std::popcount(U(x))); });
    check<T>(Op::LeadingZeros, type, 1, [](T x, T) { return static_cast<T>(std::countl_zero(U(x))); });
    check<T>(Op::TrailingZeros, type, 1, [](T x, T) { return static_cast<T>(std::countr_zero(U(x))); });
    check<T>(Op::ByteSwap, type, 1, [](T x, T) { return std::byteswap(x); });
  }
  template <typename T> void check_floats(Type type) {
    check<T>(Op::Add, type, 2, [](T x, T y) { return x + y; });
    check<T>(Op::Sub, type, 2, [](T x, T y) { return x - y; });
    check<T>(Op::Mul, type, 2, [](T x, T y) { return x * y; });
    check<T>(Op::Div, type, 2, [](T x, T y) { return x / y; });
    check<T>(Op::Neg, type, 1, [](T x, T) { return -x; });
    check<T>(Op::Abs, type, 1, [](T x, T) { return std::fabs(x); });
    check<T>(Op::Sqrt, type, 1, [](T x, T) { return std::sqrt(x); });
    static const auto remainder = +[](T x, T y) { return std::fmod(x, y); };
    host.symbols[type == Type::F32 ? "fmodf" : "fmod"] = {reinterpret_cast<uptr>(remainder)};
    check<T>(Op::Rem, type, 2, [](T x, T y) { return std::fmod(x, y); });
  }
  std::mt19937_64 numbers{20260101};
};

TEST_F(LlvmArithmetic, Ints) { check_integers<i32>(Type::I32); }
TEST_F(LlvmArithmetic, Longs) { check_integers<i64>(Type::I64); }
TEST_F(LlvmArithmetic, Floats) { check_floats<f32>(Type::F32); }
TEST_F(LlvmArithmetic, Doubles) { check_floats<f64>(Type::F64); }

TEST_F(LlvmArithmetic, DoublesBecomeIntsAsInJava) {
  returns(b.value(Op::ZeroExtend, Type::I64, {b.value(Op::FloatToInt, Type::I32, {argument(Type::F64, 0)})}));
  const uptr entry = compile().entry;
  const auto as_int = [&](f64 x) { return static_cast<i32>(call(entry, {std::bit_cast<u64>(x)}).result); };
  EXPECT_EQ(as_int(-2.9), -2);
  EXPECT_EQ(as_int(1e30), std::numeric_limits<i32>::max());
  EXPECT_EQ(as_int(-1e30), std::numeric_limits<i32>::min());
  EXPECT_EQ(as_int(std::nan("")), 0);
}

TEST_F(LlvmArithmetic, ComparesOfFloatsKnowNaN) {
  const auto x = argument(Type::F64, 0), y = argument(Type::F64, 1);
  low::NodeId bits = b.constant(Type::I64, 0);
  u32 shift = 0;
  for (const Op op : {Op::Equal, Op::NotEqual, Op::Less, Op::LessEqual, Op::Greater, Op::GreaterEqual}) {
    const auto bit = b.value(Op::ZeroExtend, Type::I64, {b.value(op, Type::I1, {x, y})});
    bits = b.value(Op::Or, Type::I64, {bits, b.value(Op::Shl, Type::I64, {bit, b.constant(Type::I64, shift++)})});
  }
  returns(bits);
  const uptr entry = compile().entry;
  const auto compare = [&](f64 p, f64 q) { return call(entry, {std::bit_cast<u64>(p), std::bit_cast<u64>(q)}).result; };
  EXPECT_EQ(compare(1, 1), 0b101001u);
  EXPECT_EQ(compare(1, 2), 0b001110u);
  EXPECT_EQ(compare(2, 1), 0b110010u);
  EXPECT_EQ(compare(std::nan(""), 1), 0b000010u);
}

}  // namespace
}  // namespace keyhole::llvm_plugin
