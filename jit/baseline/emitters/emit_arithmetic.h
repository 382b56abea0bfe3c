// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Emitter of arithmetic, conversions and comparisons (their semantics: vm/interpreter/handlers/semantics.h). The
// interpreter computes remainders of floats.
#pragma once

#include "jit/baseline/emitters/emitter.h"

namespace keyhole::baseline {

class ArithmeticEmitter : Emitter {
 public:
  explicit ArithmeticEmitter(Compilation& compilation) : Emitter(compilation) {}
  void emit(Operation operation, u64 word);

 private:
  // The two operands of an instruction. The left operand is in a register of its own, which will hold the result.
  struct Binary {
    Gp target;
    asmjit::Operand right;
  };
  Binary pop_binary(bool is_long, bool commutes);
  void push(Gp target, bool is_long);
  void binary(asmjit::InstId instruction, bool is_long, bool commutes);
  void multiply(bool is_long);
  void shift(asmjit::InstId instruction, bool is_long);
  void divide(bool is_long, bool remainder);
  bool divide_by_constant(bool remainder);
  void quotient_in_ecx(Gp dividend, i64 divisor);
  void float_binary(asmjit::InstId instruction, bool is_double);
  void compare_longs();
  void compare_floats(bool is_double, bool nan_is_greater);

  template <typename Emit> void in_place(u32 slots_in, u32 slots_out, Emit&& emit);
  void int_to_float(asmjit::InstId instruction, u32 slots_in, u32 slots_out);
  void float_to_int(asmjit::InstId instruction, u32 slots_in, bool is_long);
  void float_to_float(bool widens);
};

}  // namespace keyhole::baseline
