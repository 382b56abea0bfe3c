// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Value mover: moves values between registers and memory. Uses rax to move a value from memory to memory.
#pragma once

#include <vector>

#include "jit/baseline/pinned_locals.h"
#include "jit/baseline/value.h"

namespace keyhole::baseline {

class ValueMover {
 public:
  ValueMover(MacroAssembler& a, const FrameLayout& frame, PinnedLocals& locals)
      : a_(a), frame_(frame), locals_(locals) {}

  void load(Gp target, const Value& value);
  void load(Xmm target, const Value& value);
  // Stores the value into stack slot `slot`.
  void store(u32 slot, const Value& value);
  void store_all(const std::vector<Value>& values);  // stores each value into its own stack slot

  // Whether the value is in memory: it is neither a constant, nor in an operand register, nor in the register of a
  // pinned local.
  bool is_in_memory(const Value& value) const;
  Mem memory_of(const Value& value, u32 bytes) const;
  // Whether the value is in a vector register, as an operand or as a pinned local.
  bool is_in_vector(const Value& value) const;

 private:
  MacroAssembler& a_;
  const FrameLayout& frame_;
  PinnedLocals& locals_;
};

}  // namespace keyhole::baseline
