// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The compilation of one method: the parts that all emitters share, and the position of the pass.
//
//   Cells              the method, as the interpreter has it
//   Blocks             where jumps lead
//   OperandStack       operands: where each value is; OperandRegisters gets them into registers, ValueMover moves them
//   PinnedLocals       locals with a register of their own
//   SlowPaths          work left to the interpreter; NullChecks: to the machine
//   CallSites          calls
//   MacroAssembler     instructions
//
// C1: compiled code never reaches a safepoint by itself: it does not call C++. O1 and O2: operand_registers.h.
#pragma once

#include "jit/baseline/call_sites.h"
#include "jit/baseline/null_checks.h"
#include "jit/baseline/operand_registers.h"

namespace keyhole::baseline {

// Whether the code counts in MethodData (emit_profile.h).
enum class Profiling : u8 { None, Always, ForInterval };

struct Compilation {
  // `holder` knows the code's future address, and has a logger when a listing is wanted.
  Compilation(Method* method, const MethodCode* body, const Stubs& stubs, asmjit::CodeHolder& holder,
              Profiling profiling = Profiling::None);
  Compilation(const Compilation&) = delete;

  // Makes `number` of the current `cells` the current cell, for the parts and the listing.
  void begin_cell(u32 number);
  bool is_inlining() const { return cells != &method_cells; }
  void note_inlined(Method* callee);

  const Profiling profiling;
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
