// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Machine code of graphs against the interpreter: results, and what is left at each guard and poll.
#include <functional>

#include "runtime/sync/synchronizer.h"
#include "tests/jit/lowered/lowered_fixture.h"

asm(R"(
.text
.globl leave_for_tests, enter_slowly_for_tests
leave_for_tests:
  mov %rdx, (%r13)
  mov %r13, %rdx
  mov %r12, %rcx
  mov $7, %eax
  ret
enter_slowly_for_tests:
  mov $8, %eax
  ret
)");

namespace keyhole {
namespace {

using testing::Outcome;

class LowerTest : public testing::LoweredTest {
 protected:
  static void expect_same_from_each_guard(Method* method, const std::function<std::vector<Slot>()>& arguments,
                                          const Outcome& expected) {
    for (usize number = 0;; ++number) {
      auto graph = build(method);
      if (number == guards_of(*graph).size()) return;
      make_fail(*graph, number);
      uptr code = compile(*graph);
      ASSERT_NE(code, 0u) << refusal_;
      EXPECT_EQ(call(code, method, arguments()), expected) << "guard " << number << "\n" << graph::print(*graph);
    }
  }
};

TEST_F(LowerTest, VectorsDoWhatTheInterpreterDoes) {
  std::map<std::string, u32> refused;
  u32 compiled = 0, returned = 0;
  for_each_vector([&](const testing::Vector& vector, Method* method, std::span<const Slot> arguments) {
    Outcome expected = interpret(method, arguments);
    graph::Built made = graph::build(method);
    if (made.graph == nullptr) return;
    uptr code = compile(*made.graph);
    if (code == 0) {
      ++refused[refusal_];
      return;
    }
    ++compiled;
    EXPECT_EQ(call(code, method, arguments), expected) << vector.instruction << "\n" << graph::print(*made.graph);
    if (!has_left_) ++returned;
    graph::optimise(*made.graph);
    EXPECT_EQ(call(compile(*made.graph), method, arguments), expected) << vector.instruction << ", optimised";
    std::vector<Slot> same(arguments.begin(), arguments.end());
    expect_same_from_each_guard(method, [&] { return same; }, expected);
  });
  for (auto& [reason, count] : refused) RecordProperty(reason, static_cast<int>(count));
  EXPECT_LE(refused.size(), 1u) << "calls";
  EXPECT_GE(compiled, 250u);
  EXPECT_GE(returned, compiled * 3 / 4) << "the others leave";
}

TEST_F(LowerTest, LoopsOverArraysLeaveAtEachGuard) {
  Method* method = make("([II)J", R"(
      .locals 6
      lconst_0
      lstore_2
      iconst_0
      istore 4
    again:
      iload 4
      iload_1
      if_icmpge done
      lload_2
      aload_0
      iload 4
      iaload
      i2l
      ladd
      lstore_2
      aload_0
      iload 4
      lload_2
      l2i
      iastore
      iinc 4 1
      goto again
    done:
      lload_2
      lreturn
  )");
  Method* make_array = make("(I)[I", "iload_0\nnewarray int\nareturn\n");
  auto arguments = [&](i32 count) {   // an array of its own for each run, which changes it
    std::vector<Slot> length{5};
    return std::vector<Slot>{interpret(make_array, length).result, static_cast<u32>(count)};
  };
  for (i32 count : {0, 1, 5, 6}) {
    Outcome expected = interpret(method, arguments(count));
    ASSERT_EQ(expected.exception.empty(), count <= 5) << expected;
    auto graph = build(method);
    uptr code = compile(*graph);
    ASSERT_NE(code, 0u) << refusal_;
    EXPECT_EQ(call(code, method, arguments(count)), expected);
    EXPECT_EQ(has_left_, count > 5);
    EXPECT_EQ(call(code, method, arguments(count), /*is_armed=*/true), expected);
    EXPECT_EQ(has_left_, count > 0) << "its poll is armed";
    expect_same_from_each_guard(method, [&] { return arguments(count); }, expected);
  }
}

TEST_F(LowerTest, ArithmeticOnEdgesOfItsRange) {
  u32 compared = 0;
  for_each_arithmetic([&](Method* method, std::span<const std::vector<Slot>> edges) {
    auto graph = build(method);
    uptr code = compile(*graph);
    ASSERT_NE(code, 0u) << refusal_;
    for (const std::vector<Slot>& arguments : edges) {
      EXPECT_EQ(call(code, method, arguments), interpret(method, arguments))
          << method->external_name() << graph::print(*graph);
      ++compared;
    }
  });
  EXPECT_GE(compared, 3000u);
}

TEST_F(LowerTest, BranchesOnThreeWayComparisons) {
  for (auto [compare, letter] : {std::pair{"lcmp", 'l'}, {"fcmpl", 'f'}, {"fcmpg", 'f'}, {"dcmpl", 'd'}, {"dcmpg", 'd'}}) {
    bool is_wide = letter != 'f';
    const char* descriptor = letter == 'l' ? "(JJ)I" : letter == 'f' ? "(FF)I" : "(DD)I";
    for (const char* branch : {"ifeq", "ifne", "iflt", "ifge", "ifgt", "ifle"}) {
      Method* method = make(descriptor, fmt::format("{0}load 0\n{0}load {1}\n{2}\n{3} yes\niconst_0\nireturn\n"
                                                    "yes:\niconst_1\nireturn\n",
                                                    letter, is_wide ? 2 : 1, compare, branch));
      auto graph = build(method);
      uptr code = compile(*graph);
      ASSERT_NE(code, 0u) << refusal_;
      for (Slot left : edges_of(letter)) {
        for (Slot right : edges_of(letter)) {
          std::vector<Slot> arguments = is_wide ? std::vector<Slot>{0, left, 0, right} : std::vector<Slot>{left, right};
          EXPECT_EQ(call(code, method, arguments), interpret(method, arguments)) << compare << " " << branch;
        }
      }
    }
  }
}

// Recursive, and left with one or two of its locks held.
TEST_F(LowerTest, LocksAreHeldWhereItLeaves) {
  Method* method = make("([II)I", R"(
      .locals 3
      aload_0
      monitorenter
      aload_0
      iload_1
      iaload
      istore_2
      aload_0
      monitorenter
      iload_2
      bipush 7
      iload_1
      idiv
      iadd
      aload_0
      monitorexit
      aload_0
      monitorexit
      ireturn
  )");
  Method* make_array = make("(I)[I", "iload_0\nnewarray int\nareturn\n");
  std::vector<Slot> five{5};
  u64 array = interpret(make_array, five).result;
  for (i32 index : {1, 0, 4, 5}) {
    std::vector<Slot> arguments{array, static_cast<u32>(index)};
    Outcome expected = interpret(method, arguments);
    auto graph = build(method);
    uptr code = compile(*graph);
    ASSERT_NE(code, 0u) << refusal_;
    EXPECT_EQ(call(code, method, arguments), expected) << index;
    EXPECT_EQ(has_left_, index == 0 || index == 5);
    EXPECT_FALSE(sync::holds_lock(testing::vm_thread(), object_of(array))) << index;
    expect_same_from_each_guard(method, [&] { return arguments; }, expected);
  }
}

}  // namespace
}  // namespace keyhole
