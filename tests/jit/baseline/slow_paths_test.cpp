// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests slow paths: their stores, the place where they continue, and instructions that share one.
#include "tests/jit/baseline/compiler_fixture.h"

namespace keyhole::baseline {
namespace {

class SlowPathsOfInstructions : public testing::CompilerTest {
 protected:
  static Method* method() {
    static Method* made = make("(II)I", "iload_0\n iload_1\n iadd\n ireturn");
    return made;
  }
  std::string stack_slot(i32 slot) const {
    return fmt::format("qword ptr [r14+{}]", parts.all.frame.stack_slot_distance(slot));
  }
  std::string slow_code() {
    parts.emitted();
    parts.all.slow_paths.emit(unresolved_left);
    return parts.emitted();
  }

  testing::Parts parts{method()};
  std::atomic<i32> unresolved_left{64};
};

TEST_F(SlowPathsOfInstructions, AFallbackStoresTheOperandsAsBeforeTheInstruction) {
  Gp operand = parts.all.registers.allocate();
  parts.all.stack.push_register(operand);
  parts.all.begin_instruction(2);
  parts.all.stack.pop();
  parts.all.a.jz(parts.all.slow_paths.fallback());
  parts.all.stack.push_int_constant(1);
  std::string text = slow_code();
  EXPECT_NE(text.find(fmt::format("mov {}, rsi;", stack_slot(0))), std::string::npos) << text;
  EXPECT_EQ(text.find(", 1;"), std::string::npos) << text;
}

TEST_F(SlowPathsOfInstructions, AnInstructionHasOneFallbackAndOneSideExit) {
  SlowPaths& paths = parts.all.slow_paths;
  parts.all.begin_instruction(0);
  u32 step = paths.fallback_path(), leave = paths.side_exit_path();
  EXPECT_NE(step, leave);
  EXPECT_EQ(paths.fallback_path(), step);
  EXPECT_EQ(paths.side_exit_path(), leave);
  parts.all.begin_instruction(1);
  EXPECT_FALSE(paths.has_fallback());
  EXPECT_NE(paths.fallback_path(), step);
}

TEST_F(SlowPathsOfInstructions, AnInlinedInstructionHasASideExitInsteadOfAFallback) {
  SlowPaths& paths = parts.all.slow_paths;
  paths.begin_inlining(2);
  paths.begin_instruction(0);
  EXPECT_EQ(paths.fallback_path(), paths.side_exit_path());
  EXPECT_FALSE(paths.has_fallback());
  paths.end_inlining();
}

TEST_F(SlowPathsOfInstructions, DirtyLocalsAreWrittenBackFirst) {
  testing::Parts looping(make("(I)I",
                              "iconst_0\n istore_1\n"
                              " top:\n iinc 1 1\n iload_1\n iload_0\n if_icmplt top\n iload_1\n ireturn"));
  ASSERT_TRUE(looping.all.locals.is_pinned(1));
  looping.all.locals.set_written(1);
  looping.all.begin_instruction(2);
  looping.all.a.jz(looping.all.slow_paths.fallback());
  looping.emitted();
  looping.all.slow_paths.emit(unresolved_left);
  std::string text = looping.emitted();
  EXPECT_NE(text.find("mov qword ptr [r14+8], "), std::string::npos) << text;
}

TEST_F(SlowPathsOfInstructions, AnInterpretedInstructionHasItsOperandsInTheFrame) {
  parts.all.stack.push_int_constant(1);
  parts.all.begin_instruction(2);
  parts.all.slow_paths.always_fallback(true);
  EXPECT_TRUE(parts.all.slow_paths.is_always_interpreted());
  EXPECT_EQ(parts.all.stack.peek().kind, Value::Kind::Spilled);
  // The slow path of an unresolved instruction decrements a counter.
  EXPECT_NE(slow_code().find("dec dword ptr [rax];"), std::string::npos);
}

TEST(OperandSnapshots, KeepOnlyOperandsThatAreNotInTheirStackSlots) {
  constexpr u32 depth = 500;
  std::vector<Value> stack(depth);
  stack[depth - 2] = {.kind = Value::Kind::Unused, .slot = depth - 2};
  stack[depth - 1] = {.kind = Value::Kind::Constant, .bits = 7, .slot = depth - 1};
  OperandSnapshots snapshots;
  for (u32 taken = 0; taken < 3; ++taken) {
    OperandSnapshot snapshot = snapshots.take(stack);
    EXPECT_EQ(snapshot.depth, depth);
    EXPECT_EQ(snapshot.first, taken);
    ASSERT_EQ(snapshot.count, 1u);
    EXPECT_EQ(snapshots.outside_slots(snapshot)[0].slot, depth - 1);
  }
}

TEST_F(SlowPathsOfInstructions, ColdPartsComeBehindTheCode) {
  parts.all.slow_paths.add_cold([this] { parts.all.a.int3(); });
  EXPECT_EQ(parts.emitted(), "");
  EXPECT_EQ(slow_code(), "int3;");
}

}  // namespace
}  // namespace keyhole::baseline
