// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests operands at compile time: their places, the code that loads them into registers, and the stores to their stack
// slots.
#include "tests/jit/baseline/compiler_fixture.h"

namespace keyhole::baseline {
namespace {

using Kind = Value::Kind;

TEST(RegisterAllocator, APoppedRegisterIsKeptUntilTheInstructionIsDone) {
  RegisterAllocator registers;
  u32 first = *registers.allocate_general();
  registers.push(first);
  registers.begin_instruction();
  registers.pop(first);
  EXPECT_FALSE(registers.is_in_slot(first));
  EXPECT_NE(*registers.allocate_general(), first);
  registers.begin_instruction();
  EXPECT_EQ(*registers.allocate_general(), first);
}

TEST(RegisterAllocator, ThereAreNoMoreThanThereAre) {
  RegisterAllocator registers;
  for (usize i = 0; i < std::size(operand_registers); ++i) EXPECT_TRUE(registers.allocate_general().has_value());
  EXPECT_FALSE(registers.allocate_general().has_value());
  EXPECT_TRUE(is_vector(*registers.allocate_vector()));
}

class Operands : public testing::CompilerTest {
 protected:
  static Method* method() {
    static Method* made = make("(II)I", "iload_0\n ireturn");
    return made;
  }
  std::string stack_slot(i32 slot) const {
    return fmt::format("qword ptr [r14+{}]", parts.all.frame.stack_slot_distance(slot));
  }
  Gp push_new_register() {
    Gp target = registers.allocate();
    stack.push_register(target);
    return target;
  }

  testing::Parts parts{method()};
  OperandStack& stack = parts.all.stack;
  OperandRegisters& registers = parts.all.registers;
};

TEST_F(Operands, AFlushStoresEachInItsStackSlot) {
  stack.push_int_constant(5);
  push_new_register();
  stack.push_stack_slots(1);
  stack.push_unused();
  stack.flush();
  EXPECT_EQ(parts.emitted(), fmt::format("mov {}, 5; mov {}, rsi;", stack_slot(0), stack_slot(1)));
  for (const Value& value : stack.values()) EXPECT_EQ(value.kind, Kind::Spilled);
  stack.flush();
  EXPECT_EQ(parts.emitted(), "");
}

TEST_F(Operands, WhatIsKnownOfAnObjectOutlivesItsRegister) {
  stack.push_new(registers.allocate(), 7);
  stack.flush();
  EXPECT_TRUE(stack.peek().not_null);
  EXPECT_EQ(stack.peek().exact_class, 7u);
}

TEST_F(Operands, TheDeepestGoesToItsStackSlotForOneThatIsNeeded) {
  for (usize i = 0; i < std::size(operand_registers); ++i) push_new_register();
  stack.begin_instruction();
  registers.reserve(1, 1);
  EXPECT_EQ(parts.emitted(), fmt::format("mov {}, rsi;", stack_slot(0)));
  EXPECT_EQ(stack.values()[0].kind, Kind::Spilled);
  EXPECT_EQ(stack.before()[0].kind, Kind::Spilled);  // a slow path need not store the operand again
  EXPECT_EQ(registers.allocate().id(), x86::rsi.id());
  EXPECT_FALSE(registers.has_failed());
  registers.allocate();
  EXPECT_TRUE(registers.has_failed());
}

TEST_F(Operands, ARegisterThatIsInTwoSlotsIsCopiedBeforeItIsChanged) {
  Gp shared = push_new_register();
  stack.push_register(shared);
  stack.begin_instruction();
  registers.reserve(1, 1);
  Value popped = stack.pop();
  EXPECT_FALSE(stack.owns(popped));
  EXPECT_NE(registers.in_own_register(popped).id(), shared.id());
  EXPECT_EQ(parts.emitted(), "mov rdi, rsi;");
  EXPECT_TRUE(stack.owns(stack.pop()));
}

TEST_F(Operands, ALocalIsReadWhenItIsNeededOrAboutToChange) {
  stack.push({.kind = Kind::Local, .number = 1});
  stack.push({.kind = Kind::Local, .number = 0});
  EXPECT_EQ(parts.emitted(), "");
  stack.spill_aliases_of(1);
  EXPECT_EQ(parts.emitted(), fmt::format("mov rax, qword ptr [r14+8]; mov {}, rax;", stack_slot(0)));
  stack.begin_instruction();
  registers.in_register(stack.pop());
  EXPECT_EQ(parts.emitted(), "mov rsi, qword ptr [r14];");
}

TEST_F(Operands, ARightOperandIsMemoryOrAnImmediateWhereItCanBe) {
  stack.push_int_constant(3);
  stack.push_stack_slots(1);
  stack.begin_instruction();
  EXPECT_TRUE(registers.as_operand(stack.pop(), 4).isMem());
  EXPECT_TRUE(registers.as_operand(stack.pop(), 4).isImm());
  EXPECT_EQ(parts.emitted(), "");
}

// An inlined method has popped its arguments. The slow path of the inlined call makes the real call, so it needs these
// arguments.
TEST_F(Operands, TheStateBeforeAnInlinedCallIsThatOfTheInvoke) {
  stack.push_int_constant(1);
  stack.push_int_constant(2);
  stack.begin_inlining();
  stack.push_int_constant(3);
  stack.begin_instruction();
  ASSERT_EQ(stack.before().size(), 2u);
  EXPECT_EQ(stack.before()[1].bits, 2);
  stack.end_inlining();
  stack.begin_instruction();
  EXPECT_EQ(stack.before().size(), 3u);
}

}  // namespace
}  // namespace keyhole::baseline
