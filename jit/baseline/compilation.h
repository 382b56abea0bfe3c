// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Compilation: the state of the compilation of one method: the parts that all emitters share, and the current bytecode.
//
//   Instructions              the method's pre-decoded instructions; comments call one of them a bytecode
//   Blocks             jump targets
//   OperandStack       place of each operand; OperandRegisters loads operands into registers, ValueMover moves them
//   PinnedLocals       locals with a register of their own
//   SlowPaths          work left to the interpreter; NullChecks: null checks left to the machine
//   CallSites          calls
//   MacroAssembler     instructions
//
// C1: compiled code reaches no safepoint, because it does not call C++. Rules O1 and O2 are in operand_registers.h.
#pragma once

#include "jit/baseline/call_sites.h"
#include "jit/baseline/null_checks.h"
#include "jit/baseline/operand_registers.h"

namespace keyhole::baseline {

// Profiling: whether the code counts in MethodData: never, during a profiling interval, or always (emit_profile.h).
enum class Profiling : u8 { None, Always, ForInterval };

struct Compilation {
  // `holder` has the final address of the code, and a logger if a listing is requested.
  Compilation(Method* method, const MethodCode* body, const Stubs& stubs, asmjit::CodeHolder& holder,
              Profiling profiling = Profiling::None);
  Compilation(const Compilation&) = delete;

  // Makes bytecode `number` of `instructions` the current bytecode, for all parts and the listing.
  void begin_instruction(u32 number);
  bool is_inlining() const { return instructions != &method_instructions; }
  void note_inlined(Method* callee);

  const Profiling profiling;
  MacroAssembler a;
  const Instructions method_instructions;
  const Instructions* instructions = &method_instructions;  // while a callee is inlined: the callee's instructions
  u32 instruction = 0;
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
  std::vector<Method*> inlined;  // CompiledCode::inlined
};

}  // namespace keyhole::baseline
