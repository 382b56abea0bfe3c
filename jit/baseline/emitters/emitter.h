// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Emitter: base class of all emitters, with short names for the parts of the compilation (compilation.h).
//
// Each emitter is for one category of operations (vm/code/operations.def). `emit(operation, word)` emits code
// for the current bytecode, or lets the interpreter run it.
#pragma once

#include "jit/baseline/compilation.h"

namespace keyhole::baseline {

using interpreter::metadata_at;
using interpreter::operand_a;
using interpreter::operand_b;

class Emitter {
 protected:
  explicit Emitter(Compilation& compilation);

  const Instructions& instructions() const { return *compilation_.instructions; }
  u32 instruction() const { return compilation_.instruction; }
  // Emits an interpreter fallback in place of code for the bytecode.
  void interpret(Operation operation);
  // Emits a fallback after which the frame does not return to this code.
  void always_side_exit();
  // Emits a poll: if the poll is armed, the interpreter executes the bytecode.
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
