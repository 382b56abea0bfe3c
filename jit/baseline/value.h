// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Value: an operand at compile time: the place of its value, and known facts about the value.
#pragma once

#include "jit/baseline/registers.h"

namespace keyhole::baseline {

struct Value {
  enum class Kind : u8 {
    Spilled,   // in its slot on the Java stack
    Unused,    // the lower half of a long or double, which is never read
    Register,  // in the register `number`: 0..15, or xmm_base + 0..15
    Constant,  // the constant `bits`
    Local,     // the local `number`, which is not loaded yet
  };
  Kind kind = Kind::Spilled;
  u32 number = 0;
  i64 bits = 0;
  u32 slot = 0;  // its place in the stack
  // the value is an int, and the upper half of its register is 0; if false, the upper half of an int is undefined
  bool zero_extended = false;
  bool not_null = false;
  u32 exact_class = 0;  // the class of a new object; 0: not known

  bool is_constant() const { return kind == Kind::Constant; }
  bool is_int_constant() const { return kind == Kind::Constant && bits == static_cast<i32>(bits); }
  bool is_zero() const { return kind == Kind::Constant && bits == 0; }
  bool is_in_general_register() const { return kind == Kind::Register && !is_vector(number); }
  bool is_in_vector_register() const { return kind == Kind::Register && is_vector(number); }
  // Returns the Value for this operand after it has been stored in its stack slot.
  Value in_stack_slot() const {
    return {.kind = Kind::Spilled, .slot = slot, .not_null = not_null, .exact_class = exact_class};
  }
};

}  // namespace keyhole::baseline
