// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests vm/bytecodes.def and its readers in vm/bytecodes.h.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "vm/bytecodes.h"

namespace keyhole {
namespace {

using bytecode::OperandFormat;

TEST(Bytecodes, RowsAreInOpcodeOrderWithDistinctMnemonics) {
  constexpr u8 opcodes[] = {
#define BYTECODE(opcode, NAME, mnemonic, operands, pops, pushes, flags, meaning) opcode,
#include "vm/bytecodes.def"
#undef BYTECODE
  };
  std::set<std::string_view> mnemonics;
  for (u32 i = 0; i < bytecode::opcode_count; ++i) {
    EXPECT_EQ(opcodes[i], i);
    EXPECT_TRUE(mnemonics.insert(bytecode::row(static_cast<u8>(i)).mnemonic).second)
        << bytecode::row(static_cast<u8>(i)).mnemonic;
  }
  EXPECT_FALSE(bytecode::is_valid(0xCA));
}

TEST(Bytecodes, EffectsUseTheTypeLetters) {
  for (u32 i = 0; i < bytecode::opcode_count; ++i) {
    const bytecode::Row& row = bytecode::row(static_cast<u8>(i));
    for (std::string_view effect : {row.pops, row.pushes}) {
      if (effect == "*") continue;
      EXPECT_EQ(effect.find_first_not_of("ilfda"), std::string_view::npos) << row.mnemonic;
    }
    if (bytecode::has(static_cast<u8>(i), bytecode::flag::pure)) {
      EXPECT_FALSE(bytecode::has(static_cast<u8>(i), bytecode::flag::throws | bytecode::flag::safepoint))
          << row.mnemonic;
    }
  }
}

TEST(Bytecodes, KnownOpcodes) {
  EXPECT_EQ(ISTORE, 0x36);
  EXPECT_EQ(IADD, 0x60);
  EXPECT_EQ(I2L, 0x85);
  EXPECT_EQ(GOTO, 0xA7);
  EXPECT_EQ(IRETURN, 0xAC);
  EXPECT_EQ(INVOKEVIRTUAL, 0xB6);
  EXPECT_EQ(MULTIANEWARRAY, 0xC5);
  EXPECT_EQ(JSR_W, 0xC9);
}

u32 length_of(std::initializer_list<int> bytes, u32 bci = 0) {
  std::vector<u8> code(bytes.begin(), bytes.end());
  return bytecode::length_at(code.data(), bci, static_cast<u32>(code.size()));
}

TEST(Bytecodes, Lengths) {
  EXPECT_EQ(length_of({NOP}), 1u);
  EXPECT_EQ(length_of({BIPUSH, 5}), 2u);
  EXPECT_EQ(length_of({INVOKEINTERFACE, 0, 1, 1, 0}), 5u);
  EXPECT_EQ(length_of({WIDE, ILOAD, 1, 0}), 4u);
  EXPECT_EQ(length_of({WIDE, IINC, 1, 0, 0, 1}), 6u);
  // A tableswitch has padding to a multiple of four from the start of the code, then the default offset, low 1, high 2,
  // and two offsets.
  EXPECT_EQ(length_of({TABLESWITCH, 0, 0, 0, 0, 0, 0, 20, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 9, 0, 0, 0, 9}), 24u);
  EXPECT_EQ(length_of({NOP, NOP, NOP, LOOKUPSWITCH, 0, 0, 0, 9, 0, 0, 0, 1, 0, 0, 0, 7, 0, 0, 0, 9}, 3), 17u);
}

TEST(Bytecodes, MalformedInstructionsHaveNoLength) {
  EXPECT_EQ(length_of({0xCB}), 0u);
  EXPECT_EQ(length_of({BIPUSH}), 0u);
  EXPECT_EQ(length_of({WIDE, IADD, 0, 0}), 0u);
  EXPECT_EQ(length_of({WIDE}), 0u);
  // High below low.
  EXPECT_EQ(length_of({TABLESWITCH, 0, 0, 0, 0, 0, 0, 20, 0, 0, 0, 2, 0, 0, 0, 1}), 0u);
  EXPECT_EQ(length_of({TABLESWITCH, 0, 0, 0, 0, 0, 0, 20, 0x80, 0, 0, 0, 0x7F, 0xFF, 0xFF, 0xFF}), 0u);  // 2^32 entries
  EXPECT_EQ(length_of({LOOKUPSWITCH, 0, 0, 0, 0, 0, 0, 9, 0xFF, 0xFF, 0xFF, 0xFF}), 0u);                 // -1 pairs
  EXPECT_EQ(length_of({NOP}, 1), 0u);
}

TEST(Bytecodes, Operands) {
  const u8 code[] = {ALOAD_2, WIDE,      IINC, 1,    2,    0xFF, 0xFE, SIPUSH, 0x80,
                     0x00,    ICONST_M1, GOTO, 0xFF, 0xF8, LDC,  0xFF, ISTORE, 200};
  EXPECT_EQ(bytecode::local_index(code, 0), 2u);
  EXPECT_EQ(bytecode::local_index(code, 1), 0x102u);
  EXPECT_EQ(bytecode::immediate(code, 1), -2);
  EXPECT_EQ(bytecode::immediate(code, 7), -32768);
  EXPECT_EQ(bytecode::immediate(code, 10), -1);
  EXPECT_EQ(bytecode::branch_target(code, 11), 3u);
  EXPECT_EQ(bytecode::constant_index(code, 14), 255u);
  EXPECT_EQ(bytecode::local_index(code, 16), 200u);
}

TEST(Bytecodes, SwitchesReadAlike) {
  const u8 table[] = {TABLESWITCH, 0, 0, 0, 0, 0, 0, 20, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0, 0, 0, 24, 0, 0, 0, 30};
  bytecode::Switch from_table(table, 0);
  EXPECT_EQ(from_table.count(), 2u);
  EXPECT_EQ(from_table.key(0), -1);
  EXPECT_EQ(from_table.key(1), 0);
  EXPECT_EQ(from_table.target_at(1), 30u);
  EXPECT_EQ(from_table.default_target(), 20u);
  const u8 lookup[] = {LOOKUPSWITCH, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 1, 0, 0, 0, 7, 0, 0, 0, 44};
  bytecode::Switch from_lookup(lookup, 0);
  EXPECT_EQ(from_lookup.count(), 1u);
  EXPECT_EQ(from_lookup.key(0), 7);
  EXPECT_EQ(from_lookup.target_at(0), 44u);
  EXPECT_EQ(from_lookup.default_target(), 9u);
}

}  // namespace
}  // namespace keyhole
