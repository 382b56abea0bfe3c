// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests entry stubs: their targets, also when these change during calls; calls without a stub.
#include "jit/code/entry_stubs.h"

#include <gmock/gmock.h>

#include <thread>

#include "jit/code/method_codes.h"
#include "tests/jit/baseline/compiler_fixture.h"
#include "vm/interpreter/interpreter.h"

namespace keyhole {
namespace {

// A callee with two branches, so that it is called and not inlined.
constexpr const char* choose = "iload_0\n ifeq other\n iload_0\n iload_1\n iadd\n ireturn\n other:\n iload_1\n ireturn";

class EntryStubs : public testing::CompilerTest {
 protected:
  // Returns the target of the jump at `stub`.
  static uptr target_of(uptr stub) {
    const u8* bytes = reinterpret_cast<const u8*>(stub);
    EXPECT_EQ(stub % 8, 0u);
    EXPECT_EQ(bytes[0], 0xE9);
    i32 distance;
    memcpy(&distance, bytes + 1, sizeof distance);
    return stub + 5 + static_cast<uptr>(i64{distance});
  }
  static uptr from_code(const Method* method) { return reinterpret_cast<uptr>(method->entry_from_code.load()); }
};

TEST_F(EntryStubs, AStubLeadsWhereCallsFromCodeLead) {
  Method* callee = make("(II)I", choose);
  Method* caller = compiled("(II)I", "iload_0\n iload_1\n invokestatic Loose.run (II)I\n ireturn", callee);
  uptr stub = entry_stubs::of(callee);
  EXPECT_TRUE(code_cache::contains(stub));
  EXPECT_EQ(target_of(stub), reinterpret_cast<uptr>(interpreter::first_entry_from_code()));
  EXPECT_EQ(static_cast<i32>(call(caller, {30, 12})), 42);

  EXPECT_EQ(interpreter::compiler()->compile(thread_, callee, false), interpreter::Compiler::Outcome::Installed);
  CompiledCode* code = callee->body.load()->compiled.load();
  EXPECT_EQ(target_of(stub), code->entry);
  EXPECT_EQ(static_cast<i32>(call(caller, {30, 12})), 42);

  method_codes::retire(code, Retired::Unused);
  EXPECT_EQ(target_of(stub), reinterpret_cast<uptr>(interpreter::first_entry_from_code()));
  EXPECT_EQ(static_cast<i32>(call(caller, {30, 12})), 42);
  EXPECT_EQ(entry_stubs::of(callee), stub);
}

// E1: while code calls through a stub, another thread changes the stub's target as fast as it can.
TEST_F(EntryStubs, AStubMayChangeWhileItIsCalled) {
  Method* callee = compiled("(II)I", choose);
  CompiledCode* first = callee->body.load()->compiled.load();
  first->unresolved_left = 0;
  EXPECT_EQ(interpreter::compiler()->compile(thread_, callee, false), interpreter::Compiler::Outcome::Installed);
  CompiledCode* second = callee->body.load()->compiled.load();
  ASSERT_NE(first, second);
  Method* caller = compiled("(II)I", R"(
    again:
      iload_1
      iload_1
      iload_0
      invokestatic Loose.run (II)I
      iload_0
      isub
      isub
      ifne wrong
      iinc 0 -1
      iload_0
      ifgt again
      iconst_1
      ireturn
    wrong:
      iconst_0
      ireturn
  )",
                            callee);
  uptr stub = entry_stubs::of(callee);
  const MethodEntry entries[] = {interpreter::first_entry_from_code(),
                                 reinterpret_cast<MethodEntry>(uptr{first->entry}),
                                 reinterpret_cast<MethodEntry>(uptr{second->entry})};
  callee->entry = interpreter::as_method_entry(interpreter::interp_entry_interpreted);  // where code_to_entry leads
  std::atomic<bool> is_done = false;
  std::thread changer([&] {
    for (int i = 0; i < 1'000'000; ++i) {
      callee->entry_from_code = entries[i % 3];
      entry_stubs::follow(callee);
    }
    is_done = true;
  });
  do EXPECT_EQ(static_cast<i32>(call(caller, {10'000, 7})), 1);
  while (!is_done);
  changer.join();
  EXPECT_EQ(target_of(stub), from_code(callee));
}

TEST_F(EntryStubs, WithoutRoomCodeCallsThroughTheMethod) {
  Method* callee = make("(II)I", choose);
  auto emitted_call = [&] {
    testing::Parts parts(make("(II)I", choose));
    baseline::Call call{.instruction = 0, .word = 0, .depth = 2, .arguments = 2, .result = 'I'};
    parts.all.calls.begin(call);
    parts.all.calls.call_known(call, callee);
    return parts.emitted();
  };
  std::vector<std::unique_ptr<char[]>> others;  // only their addresses matter
  auto other = [&] {
    others.push_back(std::make_unique<char[]>(sizeof(Method)));
    return reinterpret_cast<const Method*>(others.back().get());
  };
  while (entry_stubs::of(other()) != 0) continue;
  EXPECT_THAT(emitted_call(), ::testing::HasSubstr("call qword ptr [rdx+"));
  entry_stubs::prepare();
  EXPECT_THAT(emitted_call(), ::testing::Not(::testing::HasSubstr("call qword ptr")));
  for (const auto& method : others) entry_stubs::release(reinterpret_cast<const Method*>(method.get()));
}

// The next method reuses the stub of a method that has been freed.
TEST_F(EntryStubs, AStubIsUsedAgain) {
  Method* gone = make("(II)I", choose);
  entry_stubs::prepare();
  uptr stub = entry_stubs::of(gone);
  EXPECT_NE(stub, 0u);
  interpreter::compiler()->release(gone);
  EXPECT_EQ(*reinterpret_cast<const u8*>(stub), 0xCC);
  EXPECT_EQ(entry_stubs::of(make("(II)I", choose)), stub);
}

}  // namespace
}  // namespace keyhole
