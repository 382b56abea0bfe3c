// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// One method on its way from cells to machine code: the parts that all emitters share, and where the pass is.
//
//   Cells              the method, as the interpreter has it
//   Blocks             where jumps lead
//   OperandStack       operands: where each value is; OperandRegisters gets them into registers, ValueMover moves them
//   PinnedLocals       locals with a register of their own
//   SlowPaths          what is left to the interpreter, NullChecks to the machine
//   CallSites          calls
//   MacroAssembler     instructions
//
// C1: what is compiled never reaches a safepoint by itself: it has no calls to C++. O1 and O2: operand_registers.h.
#pragma once

#include "jit/baseline/call_sites.h"
#include "jit/baseline/null_checks.h"
#include "jit/baseline/operand_registers.h"

namespace keyhole::baseline {

struct Compilation {
  // `holder` knows where the code is going to be, and has a logger when there is to be a listing.
  Compilation(Method* method, const MethodCode* body, const Stubs& stubs, asmjit::CodeHolder& holder);
  Compilation(const Compilation&) = delete;

  // The cell at `number` of what `cells` is now: the parts know, and the listing.
  void begin_cell(u32 number);
  bool is_inlining() const { return cells != &method_cells; }
  void note_inlined(Method* callee);

  MacroAssembler a;
  const Cells method_cells;
  const Cells* cells = &method_cells;   // of a callee while that is inlined
  u32 cell = 0;
  bool is_reachable = true;
  const Stubs& stubs;
  FrameLayout frame;
  Blocks blocks;
  PinnedLocals locals;
  ValueMover values;
  OperandStack stack;
  OperandRegisters registers;
  SlowPaths slow_paths;
  NullChecks null_checks;
  CallSites calls;
  std::vector<Method*> inlined;         // CompiledCode::inlined
};

}  // namespace keyhole::baseline
