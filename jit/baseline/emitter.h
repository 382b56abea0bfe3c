// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// What every emitter has: short names for the parts of the compilation (compilation.h).
//
// An emitter is a category of operations (vm/code/operations.def): `emit(operation, word)` emits the current
// cell, or has the interpreter run it.
#pragma once

#include "jit/baseline/compilation.h"

namespace keyhole::baseline {

using interpreter::metadata_at;
using interpreter::operand_a;
using interpreter::operand_b;

class Emitter {
 protected:
  explicit Emitter(Compilation& compilation);

  const Cells& cells() const { return *compilation_.cells; }
  u32 cell() const { return compilation_.cell; }
  // No code is made for the cell: the interpreter's handler runs it.
  void interpret(Operation operation);
  // ... and nothing follows.
  void always_side_exit();
  // Steps the cell when this thread must stop.
  void poll();
  // Stores a reference, with the collector's barrier. Scratch: rax, rdx; `to` may use rcx.
  void store_reference(Mem to, const Value& value);

  Compilation& compilation_;
  MacroAssembler& a_;
  const FrameLayout& frame_;
  Blocks& blocks_;
  PinnedLocals& locals_;
  ValueMover& values_;
  OperandStack& stack_;
  OperandRegisters& registers_;
  SlowPaths& slow_paths_;
  NullChecks& null_checks_;
};

}  // namespace keyhole::baseline
