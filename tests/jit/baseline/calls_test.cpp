// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests calls from compiled code: the calls that are inlined, and the data that the code records about the others.
#include "jit/baseline/inlining.h"
#include "tests/jit/baseline/compiler_fixture.h"

namespace keyhole::baseline {
namespace {

using interpreter::load_instruction;
using interpreter::operation_of;

class Calls : public testing::CompilerTest {
 protected:
  static const CompiledCode& code_of(const Method* method) { return *method->body.load()->compiled.load(); }
};

constexpr const char* add = "iload_0\n iload_1\n iadd\n ireturn";
constexpr const char* call_twice = R"(
    iload_0
    iload_1
    invokestatic Loose.run (II)I
    iload_1
    invokestatic Loose.run (II)I
    ireturn
)";

TEST_F(Calls, OnlyShortMethodsWithoutBranchesAreInlined) {
  EXPECT_TRUE(can_be_inlined(make("(II)I", add)));
  EXPECT_FALSE(can_be_inlined(make("(II)I", "iload_0\n ifeq other\n iload_1\n ireturn\n other:\n iload_0\n ireturn")));
  EXPECT_FALSE(can_be_inlined(make("(II)I", "iload_0\n istore_1\n iload_1\n ireturn")));  // stores into a local
  std::string longer = "iload_0\n";
  for (int i = 0; i < 10; ++i) longer += "iload_1\n iadd\n";
  EXPECT_FALSE(can_be_inlined(make("(II)I", (longer + "ireturn").c_str())));
  EXPECT_FALSE(can_be_inlined(make("(II)I", call_twice)));  // itself, too deep
}

TEST_F(Calls, AnInlinedCallIsNoCall) {
  Method* callee = make("(II)I", add);
  Method* caller = compiled("(II)I", call_twice, callee);
  EXPECT_EQ(static_cast<i32>(call(caller, {30, 6})), 42);
  EXPECT_EQ(code_of(caller).sites.count, 0u);
  ASSERT_EQ(code_of(caller).inlined_count, 1u);  // the callee is listed once, however often it is called
  EXPECT_EQ(code_of(caller).inlined[0], callee);
}

TEST_F(Calls, ACallHasASiteAndAPlaceToReturnTo) {
  Method* callee = compiled("(II)I",
                            "iload_0\n ifeq other\n iload_0\n iload_1\n iadd\n ireturn\n"
                            " other:\n iload_1\n ireturn");
  Method* caller = compiled("(II)I", call_twice, callee);
  EXPECT_EQ(static_cast<i32>(call(caller, {30, 6})), 42);
  const CompiledCode& code = code_of(caller);
  EXPECT_EQ(code.inlined_count, 0u);
  ASSERT_EQ(code.sites.count, 2u);
  ASSERT_EQ(code.sites.return_count, 2u);
  EXPECT_LT(code.sites.returns[0], code.sites.returns[1]);
  for (u32 site = 0; site < 2; ++site) {
    EXPECT_EQ(operation_of(load_instruction(&code.sites.call_sites[site].call)), Operation::invokestatic);
    EXPECT_EQ(operation_of(load_instruction(&code.sites.call_sites[site].resume)), Operation::resume_compiled);
  }
}

TEST_F(Calls, ResultsOfAllKindsComeBack) {
  Method* wide = compiled("(II)J",
                          "iload_0\n ifeq other\n iload_0\n i2l\n ldc2_w 10000000000L\n lmul\n lreturn\n"
                          " other:\n lconst_0\n lreturn");
  Method* next = compiled("(II)J",
                          "iload_0\n iload_1\n invokestatic Loose.run (II)J\n"
                          " lconst_1\n ladd\n lreturn",
                          wide);
  EXPECT_EQ(call(next, {3, 0}), 30'000'000'001u);
  Method* floating = compiled("(II)D", "iload_0\n ifeq other\n iload_0\n i2d\n dreturn\n other:\n dconst_0\n dreturn");
  next = compiled("(II)D", "iload_0\n iload_1\n invokestatic Loose.run (II)D\n dconst_1\n dadd\n dreturn", floating);
  EXPECT_EQ(__builtin_bit_cast(f64, call(next, {3, 0})), 4.0);
}

}  // namespace
}  // namespace keyhole::baseline
