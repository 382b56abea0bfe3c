// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests compiled methods, hand-made, without a booted VM: each is compiled before its first call, and its results are
// compared with literals.
#include <limits>

#include "tests/jit/baseline/compiler_fixture.h"

namespace keyhole {
namespace {

class Baseline : public testing::CompilerTest {
 protected:
  static Slot bits(f64 value) { return __builtin_bit_cast(u64, value); }
};

constexpr const char* sum_to = R"(
    iconst_0
    istore_1
    iconst_0
    istore_2
  top:
    iload_2
    iload_0
    if_icmpge done
    iload_1
    iload_2
    iadd
    istore_1
    iinc 2 1
    goto top
  done:
    iload_1
    ireturn
)";

TEST_F(Baseline, IntegerArithmetic) {
  EXPECT_EQ(run_int("(II)I", "iload_0\n iload_1\n isub\n bipush 3\n imul\n ireturn", {10, 4}), 18);
  EXPECT_EQ(run_int("(II)I", "iload_0\n iload_1\n idiv\n ireturn", {static_cast<u32>(-7), 2}), -3);
  EXPECT_EQ(run_int("(II)I", "iload_0\n iload_1\n irem\n ireturn", {static_cast<u32>(-7), 2}), -1);
  EXPECT_EQ(run_int("(II)I", "iload_0\n iload_1\n idiv\n ireturn", {0x80000000u, 0xFFFFFFFFu}),
            std::numeric_limits<i32>::min());
  EXPECT_EQ(run_int("(II)I", "iload_0\n iload_1\n irem\n ireturn", {0x80000000u, 0xFFFFFFFFu}), 0);
  EXPECT_EQ(run_int("(II)I", "iload_0\n iload_1\n iushr\n ireturn", {0xFFFFFFFFu, 33}), 0x7FFFFFFF);
  EXPECT_EQ(call(compiled("(JJ)J", "lload_0\n lload_2\n lsub\n lreturn"), {0, 5, 0, 7}), static_cast<u64>(-2));
  EXPECT_EQ(run_int("(JJ)I", "lload_0\n lload_2\n lcmp\n ireturn", {0, 5, 0, 7}), -1);
}

// The upper half of an int's slot is undefined, and has no effect.
TEST_F(Baseline, UpperHalvesOfIntsDoNotMatter) {
  Slot dirty = (u64{0xDEAD} << 32) | 5;
  const char* same = "iload_0\n iconst_5\n if_icmpeq same\n iconst_0\n ireturn\n same:\n iconst_1\n ireturn";
  EXPECT_EQ(run_int("(I)I", same, {dirty}), 1);
  EXPECT_EQ(call(compiled("(I)J", "iload_0\n i2l\n lreturn"), {dirty}), 5u);
  const char* by_table = "iload_0\n tableswitch 5 a default b\n a:\n iconst_1\n ireturn\n b:\n iconst_0\n ireturn";
  EXPECT_EQ(run_int("(I)I", by_table, {dirty}), 1);
}

TEST_F(Baseline, FloatsComparedWithNaN) {
  Slot nan = bits(std::numeric_limits<f64>::quiet_NaN()), one = bits(1.0), two = bits(2.0);
  const std::tuple<Slot, Slot, i32, i32> comparisons[] = {
      {one, two, -1, -1}, {two, one, 1, 1}, {one, one, 0, 0}, {nan, one, -1, 1}, {one, nan, -1, 1}};
  for (auto [left, right, less, greater] : comparisons) {
    EXPECT_EQ(run_int("(DD)I", "dload_0\n dload_2\n dcmpl\n ireturn", {0, left, 0, right}), less);
    EXPECT_EQ(run_int("(DD)I", "dload_0\n dload_2\n dcmpg\n ireturn", {0, left, 0, right}), greater);
    // A comparison and the branch on its result become one instruction sequence.
    const std::tuple<const char*, bool, bool> branches[] = {
        {"iflt", less < 0, greater < 0},   {"ifle", less <= 0, greater <= 0}, {"ifgt", less > 0, greater > 0},
        {"ifge", less >= 0, greater >= 0}, {"ifeq", less == 0, greater == 0}, {"ifne", less != 0, greater != 0}};
    for (auto [condition, of_less, of_greater] : branches) {
      for (bool is_less : {true, false}) {
        const char* pattern = "dload_0\n dload_2\n {}\n {} yes\n iconst_0\n ireturn\n yes:\n iconst_1\n ireturn";
        std::string assembly = fmt::format(fmt::runtime(pattern), is_less ? "dcmpl" : "dcmpg", condition);
        EXPECT_EQ(run_int("(DD)I", assembly.c_str(), {0, left, 0, right}), is_less ? of_less : of_greater) << assembly;
      }
    }
  }
}

// The machine's conversion instruction does not handle all inputs. For the remaining inputs, compiled code calls the
// interpreter's handler, and continues after the conversion.
TEST_F(Baseline, ConversionsSaturateThroughTheInterpreter) {
  EXPECT_EQ(run_int("(D)I", "dload_0\n d2i\n iconst_1\n isub\n ireturn", {0, bits(1e20)}),
            std::numeric_limits<i32>::max() - 1);
  EXPECT_EQ(
      run_int("(D)I", "dload_0\n d2i\n iconst_1\n iadd\n ireturn", {0, bits(std::numeric_limits<f64>::quiet_NaN())}),
      1);
  EXPECT_EQ(bits(1.5), call(compiled("(DD)D", "dload_0\n dload_2\n drem\n dreturn"), {0, bits(5.5), 0, bits(2.0)}));
}

TEST_F(Baseline, MoreOperandsThanRegisters) {
  std::string assembly;
  for (int i = 0; i < 12; ++i) assembly += "iload_0\n bipush " + std::to_string(i) + "\n iadd\n";
  for (int i = 0; i < 11; ++i) assembly += "isub\n ";
  assembly += "ireturn";
  i32 expected = 100 + 11;
  for (int i = 10; i >= 0; --i) expected = 100 + i - expected;
  EXPECT_EQ(run_int("(I)I", assembly.c_str(), {100}), expected);
}

TEST_F(Baseline, CallsReturnIntoCompiledCode) {
  Method* fibonacci = compiled("(I)I", R"(
      iload_0
      iconst_2
      if_icmpge more
      iload_0
      ireturn
    more:
      iload_0
      iconst_1
      isub
      invokestatic Loose.run (I)I
      iload_0
      iconst_2
      isub
      invokestatic Loose.run (I)I
      iadd
      ireturn
  )");
  EXPECT_EQ(call(fibonacci, {20}), 6765u);
}

TEST_F(Baseline, LoopsChangeOverAtABackwardBranch) {
  Method* sum = make("(I)I", sum_to);
  sum->body.load()->back_edges_left.store(10);
  EXPECT_EQ(static_cast<i32>(call(sum, {1000})), 499500);
  EXPECT_NE(sum->body.load()->compiled.load(), nullptr);
  EXPECT_TRUE(is_compiled(sum));
}

TEST_F(Baseline, HotMethodsAreCompiledAtTheirCalls) {
  Method* sum = make("(I)I", sum_to);
  sum->body.load()->calls_left.store(3);
  for (int i = 0; i < 3; ++i) {
    EXPECT_FALSE(is_compiled(sum));
    EXPECT_EQ(static_cast<i32>(call(sum, {10})), 45);
  }
  EXPECT_TRUE(is_compiled(sum));
}

// Two threads decode a method. The first thread has already compiled the method when the second thread stores the
// interpreter's entry that counts calls. The countdown of this entry has ended, so the next call must replace the
// entry.
TEST_F(Baseline, AnEntryStoredLateByADecoderIsReplaced) {
  Method* sum = compiled("(I)I", sum_to);
  sum->entry.store(interpreter::as_method_entry(interpreter::counted_entry(interpreter::interp_entry_interpreted)));
  ASSERT_FALSE(is_compiled(sum));
  EXPECT_EQ(interpreter::compiler()->compile(thread_, sum, false), interpreter::Compiler::Outcome::Installed);
  EXPECT_TRUE(is_compiled(sum));
}

TEST_F(Baseline, DivisionsByConstantsRoundTowardsZero) {
  const i32 dividends[] = {
      0, 1, -1, 2, -2, 6, 7, -7, 8, 99, -100, 12345678, -87654321, INT32_MAX, INT32_MAX - 1, INT32_MIN, INT32_MIN + 1};
  const i32 divisors[] = {2,       3,        5,         7,  8,  10, 11,  16,    641,           1000,
                          1 << 30, 6700417,  INT32_MAX, -2, -3, -7, -16, -1000, INT32_MIN + 1, 1,
                          -1,      INT32_MIN};
  for (i32 divisor : divisors) {
    Method* quotient = compiled("(I)I", fmt::format("iload_0\n ldc {}\n idiv\n ireturn", divisor).c_str());
    Method* remainder = compiled("(I)I", fmt::format("iload_0\n ldc {}\n irem\n ireturn", divisor).c_str());
    for (i32 dividend : dividends) {
      i64 wide = dividend;  // INT32_MIN / -1
      Slot argument = static_cast<u32>(dividend);
      EXPECT_EQ(static_cast<i32>(call(quotient, {argument})), static_cast<i32>(wide / divisor))
          << dividend << " / " << divisor;
      EXPECT_EQ(static_cast<i32>(call(remainder, {argument})), static_cast<i32>(wide % divisor))
          << dividend << " % " << divisor;
    }
  }
}

TEST_F(Baseline, SubroutinesAreLeftToTheInterpreter) {
  Method* method = make("()I", "jsr sub\n iconst_1\n ireturn\n sub:\n astore_0\n ret 0");
  EXPECT_EQ(interpreter::compiler()->compile(thread_, method, false), interpreter::Compiler::Outcome::Impossible);
}

}  // namespace
}  // namespace keyhole
