// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Reading bytecode: the opcodes, the columns of vm/bytecodes.def, instruction lengths and operands.
//
//   for (u32 bci = 0; bci < length; bci += bytecode::length_at(code, bci, length)) {
//     Opcode opcode = bytecode::opcode_at(code, bci);
//     ...
//   }
//
// A `wide` prefix and its instruction are one instruction at the prefix's bci; opcode_at returns WIDE, wide_opcode_at
// the opcode after it. Operand readers do not check: a reader of possibly malformed code checks `length_at` != 0 first.
#pragma once

#include <string_view>

#include "runtime/base/types.h"

namespace keyhole {

enum Opcode : u8 {
#define BYTECODE(opcode, NAME, mnemonic, operands, pops, pushes, flags, meaning) NAME = opcode,
#include "vm/bytecodes.def"
#undef BYTECODE
};

namespace bytecode {

inline constexpr u32 opcode_count = 202;

enum class OperandFormat : u8 {
  none,
  byte1,           // bipush: i8
  short2,          // sipush: i16
  constant1,       // ldc: u8 pool index
  constant2,       // u16 pool index
  local1,          // u8 local
  increment,       // iinc: u8 local, i8 amount
  branch2,         // i16 offset from the opcode's own bci
  branch4,         // i32 offset
  table_switch,    // padding to 4, i32 default, low, high, then offsets
  lookup_switch,   // padding to 4, i32 default, pair count, then (key, offset) sorted by key
  interface_call,  // u16 pool index, u8 argument slots, u8 0
  dynamic_call,    // u16 pool index, u16 0
  array_type,      // newarray: u8 BasicType 4..11
  multi_array,     // u16 pool index, u8 dimensions
  wide,            // opcode, u16 local (and i16 amount for iinc)
};

namespace flag {
inline constexpr u32 branches = 1, ends_block = 2, throws = 4, safepoint = 8, blocks = 16, pure = 32, writes_ref = 64,
                     calls = 128;
}  // namespace flag

struct Row {
  std::string_view mnemonic;
  OperandFormat operands;
  std::string_view pops, pushes;  // "*": see vm/bytecodes.def
  u32 flags;
  std::string_view meaning;
};

namespace detail {
using namespace flag;
using enum OperandFormat;
inline constexpr Row rows[opcode_count] = {
#define BYTECODE(opcode, NAME, mnemonic, operands, pops, pushes, flags, meaning) \
  {mnemonic, operands, pops, pushes, flags, meaning},
#include "vm/bytecodes.def"
#undef BYTECODE
};
}  // namespace detail

constexpr bool is_valid(u8 opcode) { return opcode < opcode_count; }
constexpr const Row& row(u8 opcode) { return detail::rows[opcode]; }
constexpr bool has(u8 opcode, u32 flags) { return (row(opcode).flags & flags) != 0; }

// Big-endian reads at any alignment.
inline u8 read_u8(const u8* at) { return at[0]; }
inline i8 read_i8(const u8* at) { return static_cast<i8>(at[0]); }
inline u16 read_u16(const u8* at) { return static_cast<u16>((at[0] << 8) | at[1]); }
inline i16 read_i16(const u8* at) { return static_cast<i16>(read_u16(at)); }
inline i32 read_i32(const u8* at) {
  return static_cast<i32>((u32{at[0]} << 24) | (u32{at[1]} << 16) | (u32{at[2]} << 8) | at[3]);
}

inline Opcode opcode_at(const u8* code, u32 bci) { return static_cast<Opcode>(code[bci]); }
inline Opcode wide_opcode_at(const u8* code, u32 bci) { return static_cast<Opcode>(code[bci + 1]); }

// The local of a load, store, iinc or ret: by operand, by `wide`, or in the opcode itself (iload_2).
inline u32 local_index(const u8* code, u32 bci) {
  u8 opcode = code[bci];
  if (opcode == WIDE) return read_u16(code + bci + 2);
  if (opcode >= ILOAD_0 && opcode <= ALOAD_3) return (opcode - ILOAD_0) & 3;
  if (opcode >= ISTORE_0 && opcode <= ASTORE_3) return (opcode - ISTORE_0) & 3;
  return code[bci + 1];
}

// bipush, sipush, iconst_*: the int pushed. iinc: the amount, `wide` or not.
inline i32 immediate(const u8* code, u32 bci) {
  switch (code[bci]) {
    case BIPUSH: return read_i8(code + bci + 1);
    case SIPUSH: return read_i16(code + bci + 1);
    case IINC: return read_i8(code + bci + 2);
    case WIDE: return read_i16(code + bci + 4);
    default: return code[bci] - ICONST_0;
  }
}

// Pool index of constant1, constant2, interface_call, dynamic_call and multi_array.
inline u32 constant_index(const u8* code, u32 bci) {
  return code[bci] == LDC ? read_u8(code + bci + 1) : read_u16(code + bci + 1);
}

// Target of branch2 and branch4.
inline u32 branch_target(const u8* code, u32 bci) {
  i32 offset = row(code[bci]).operands == OperandFormat::branch4 ? read_i32(code + bci + 1) : read_i16(code + bci + 1);
  return bci + static_cast<u32>(offset);
}

// Bytes of the instruction at bci, 0 when it is invalid or does not end before code_length.
inline u32 length_at(const u8* code, u32 bci, u32 code_length) {
  if (bci >= code_length || !is_valid(code[bci])) return 0;
  u64 left = code_length - bci;
  u64 bytes = 0;
  switch (row(code[bci]).operands) {
    case OperandFormat::none: bytes = 1; break;
    case OperandFormat::byte1:
    case OperandFormat::constant1:
    case OperandFormat::local1:
    case OperandFormat::array_type: bytes = 2; break;
    case OperandFormat::short2:
    case OperandFormat::constant2:
    case OperandFormat::increment:
    case OperandFormat::branch2: bytes = 3; break;
    case OperandFormat::multi_array: bytes = 4; break;
    case OperandFormat::branch4:
    case OperandFormat::interface_call:
    case OperandFormat::dynamic_call: bytes = 5; break;
    case OperandFormat::wide: {
      if (left < 2) return 0;
      u8 opcode = code[bci + 1];
      if (opcode == IINC) bytes = 6;
      else if (is_valid(opcode) && row(opcode).operands == OperandFormat::local1) bytes = 4;
      else return 0;
      break;
    }
    case OperandFormat::table_switch: {
      u64 head = ((bci + 4) & ~3u) - bci;
      if (left < head + 12) return 0;
      i64 low = read_i32(code + bci + head + 4), high = read_i32(code + bci + head + 8);
      if (low > high) return 0;
      bytes = head + 12 + 4 * static_cast<u64>(high - low + 1);
      break;
    }
    case OperandFormat::lookup_switch: {
      u64 head = ((bci + 4) & ~3u) - bci;
      if (left < head + 8) return 0;
      i32 pairs = read_i32(code + bci + head + 4);
      if (pairs < 0) return 0;
      bytes = head + 8 + 8 * static_cast<u64>(pairs);
      break;
    }
  }
  return bytes <= left ? static_cast<u32>(bytes) : 0;
}

// The two switches, as if they were one: (key, target) pairs and a default.
class Switch {
 public:
  Switch(const u8* code, u32 bci)
      : operands_(code + ((bci + 4) & ~3u)), bci_(bci), is_table_(opcode_at(code, bci) == TABLESWITCH) {}
  bool is_table() const { return is_table_; }
  u32 default_target() const { return target(read_i32(operands_)); }
  i32 low() const { return read_i32(operands_ + 4); }   // table_switch
  i32 high() const { return read_i32(operands_ + 8); }  // table_switch
  u32 count() const {
    return is_table_ ? static_cast<u32>(high()) - static_cast<u32>(low()) + 1
                     : static_cast<u32>(read_i32(operands_ + 4));
  }
  i32 key(u32 index) const {
    return is_table_ ? static_cast<i32>(static_cast<u32>(low()) + index) : read_i32(operands_ + 8 + 8 * index);
  }
  u32 target_at(u32 index) const { return target(read_i32(operands_ + (is_table_ ? 12 + 4 * index : 12 + 8 * index))); }

 private:
  u32 target(i32 offset) const { return bci_ + static_cast<u32>(offset); }
  const u8* operands_;
  u32 bci_;
  bool is_table_;
};

// Relations that readers rely on.
static_assert(((IFEQ + 1) ^ 1) - 1 == IFNE && ((IF_ICMPLT + 1) ^ 1) - 1 == IF_ICMPGE && ((IFGT + 1) ^ 1) - 1 == IFLE);
static_assert(ILOAD_3 - ILOAD_0 == 3 && LLOAD_0 - ILOAD_0 == 4 && ALOAD_0 - ILOAD_0 == 16 && ASTORE_0 - ISTORE_0 == 16);
static_assert(SALOAD - IALOAD == 7 && SASTORE - IASTORE == 7 && ARETURN - IRETURN == 4 && ALOAD - ILOAD == 4 &&
              ASTORE - ISTORE == 4);
static_assert(ICONST_5 - ICONST_M1 == 6 && JSR_W == opcode_count - 1 && MONITORENTER == 0xC2 && INVOKEDYNAMIC == 0xBA);

}  // namespace bytecode
}  // namespace keyhole
