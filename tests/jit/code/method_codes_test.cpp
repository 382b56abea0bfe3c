// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests several versions of one method's code: the version that calls and frames enter, and the end of retired
// versions.
#include "jit/code/method_codes.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "tests/jit/baseline/compiler_fixture.h"
#include "vm/interpreter/interpreter.h"

namespace keyhole {
namespace {

using interpreter::where_to_continue;

constexpr const char* sum_up = R"(
    iconst_0
    istore_1
  again:
    iload_1
    iload_0
    iadd
    istore_1
    iinc 0 -1
    iload_0
    ifgt again
    iload_1
    ireturn
)";

class MethodCodes : public testing::CompilerTest {
 protected:
  static CompiledCode* newest(const Method* method) { return method->body.load()->compiled.load(); }
  // Compiles the method again, as if enough unresolved instructions had been executed.
  static CompiledCode* recompile(Method* method) {
    newest(method)->unresolved_left = 0;
    EXPECT_EQ(interpreter::compiler()->compile(thread_, method, false), interpreter::Compiler::Outcome::Installed);
    return newest(method);
  }
  static uptr called_from_code(const Method* method) { return reinterpret_cast<uptr>(method->entry_from_code.load()); }
  // Returns, for each instruction of the method, the address at which an interpreted frame would continue there. The
  // frame needs no contents except its method and its kind.
  static std::vector<uptr> continuations(Method* method) {
    Frame frame = {};
    frame.method = method;
    frame.kind = FrameKind::Interpreted;
    const MethodCode* body = method->body.load();
    std::vector<uptr> found;
    for (u32 i = 0; i < body->instruction_count; ++i)
      found.push_back(where_to_continue(&frame, body->instructions() + i));
    return found;
  }
  static bool leads_into(const std::vector<uptr>& addresses, const CompiledCode* code) {
    return std::any_of(addresses.begin(), addresses.end(),
                       [&](uptr address) { return address - code->entry < code->code_bytes; });
  }
};

TEST_F(MethodCodes, NewerCodeTakesThePlaceOfOlder) {
  Method* method = compiled("(I)I", sum_up);
  CompiledCode* first = newest(method);
  EXPECT_TRUE(leads_into(continuations(method), first));
  CompiledCode* second = recompile(method);
  ASSERT_NE(first, second);
  EXPECT_EQ(first->retired.load(), Retired::Replaced);
  EXPECT_EQ(second->previous, first);  // the old code is kept until no frame is in it
  EXPECT_EQ(newest_in_use(method->body.load()), second);
  EXPECT_EQ(called_from_code(method), second->entry);
  EXPECT_TRUE(leads_into(continuations(method), second));
  EXPECT_FALSE(leads_into(continuations(method), first));
  EXPECT_EQ(static_cast<i32>(call(method, {4})), 10);
}

TEST_F(MethodCodes, WithoutTheNewestTheOlderCodeGoesOn) {
  Method* method = compiled("(I)I", sum_up);
  CompiledCode* first = newest(method);
  CompiledCode* second = recompile(method);
  first->retired = Retired::No;  // makes `first` callable again, as if a lower tier had compiled it
  EXPECT_FALSE(leads_into(continuations(method), first));
  method_codes::retire(second, Retired::Unused);
  EXPECT_EQ(newest_in_use(method->body.load()), first);
  EXPECT_EQ(called_from_code(method), first->entry);
  EXPECT_TRUE(method_codes::is_installed(method));
  EXPECT_TRUE(leads_into(continuations(method), first));
  EXPECT_FALSE(leads_into(continuations(method), second));
  EXPECT_EQ(static_cast<i32>(call(method, {5})), 15);
}

// The newest code has no entry at an instruction, but an older version has one.
TEST_F(MethodCodes, AFrameGoesOnInOlderCodeWhereTheNewestHasNoEntry) {
  Method* method = compiled("(I)I", sum_up);
  CompiledCode* first = newest(method);
  CompiledCode* second = recompile(method);
  first->retired = Retired::No;
  std::fill_n(second->entries, method->body.load()->instruction_count + 1, 0u);
  EXPECT_TRUE(leads_into(continuations(method), first));
  method_codes::retire(first, Retired::Replaced);
  EXPECT_THAT(continuations(method), ::testing::Each(0u));
}

TEST_F(MethodCodes, WithoutCodeCallsAreCountedAgain) {
  Method* method = compiled("(I)I", sum_up);
  CompiledCode* code = newest(method);
  method_codes::retire(code, Retired::Unused);
  EXPECT_EQ(newest_in_use(method->body.load()), nullptr);
  EXPECT_FALSE(method_codes::is_installed(method));
  EXPECT_EQ(method->entry_from_code.load(), interpreter::first_entry_from_code());
  EXPECT_THAT(continuations(method), ::testing::Each(0u));
  for (int i = 0; i < 2 * flags::Tier3InvocationThreshold; ++i) EXPECT_EQ(static_cast<i32>(call(method, {6})), 21);
  EXPECT_NE(newest_in_use(method->body.load()), nullptr);
  EXPECT_TRUE(code->is_retired());
}

}  // namespace
}  // namespace keyhole
