// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The shape of a method's code: the starts of instructions and of basic blocks.
//
// A block begins at bci 0, at each branch target, after each branch, at each handler and at both ends of each protected
// range; so a block is covered by the same handlers throughout. In a method with jsr each instruction is a block of
// its own: subroutine contexts (vm/verify/subroutines.h) then change at block borders only.
#pragma once

#include <vector>

#include "vm/bytecodes.h"
#include "vm/metadata/method.h"

namespace keyhole {

// Faults of code that need no types.
enum class ShapeFault : u8 {
  None,
  EmptyCode,
  BadInstruction,
  BadTarget,
  BadHandlerRange,
  BadHandler,
};

class CodeShape {
 public:
  // False when the code is malformed: then fault() and fault_bci() say why. For a bad handler fault_bci() is its index.
  bool scan(const Method* method);

  bool starts_at(u32 bci) const { return bci < marks_.size() && (marks_[bci] & start) != 0; }
  bool leads_at(u32 bci) const { return (marks_[bci] & leader) != 0; }
  // Is it the target of a backward branch? Loops poll there.
  bool is_loop_head(u32 bci) const { return (marks_[bci] & loop_head) != 0; }
  bool has_subroutines() const { return has_subroutines_; }
  ShapeFault fault() const { return fault_; }
  u32 fault_bci() const { return fault_bci_; }

 private:
  static constexpr u8 start = 1, leader = 2, loop_head = 4;
  std::vector<u8> marks_;
  bool has_subroutines_ = false;
  ShapeFault fault_ = ShapeFault::None;
  u32 fault_bci_ = 0;
};

// The instruction that runs at bci: after a `wide` prefix the widened one.
inline Opcode effective_opcode(const u8* code, u32 bci) {
  Opcode opcode = bytecode::opcode_at(code, bci);
  return opcode == WIDE ? bytecode::wide_opcode_at(code, bci) : opcode;
}

inline bool is_subroutine_call(u8 opcode) { return opcode == JSR || opcode == JSR_W; }

// Calls visit(target) for each place that the instruction at bci may branch to, except for `ret` and for falling
// through.
template <typename Visitor> void for_each_branch_target(const u8* code, u32 bci, Visitor&& visit) CALLS_VISITOR {
  switch (bytecode::row(code[bci]).operands) {
    case bytecode::OperandFormat::branch2:
    case bytecode::OperandFormat::branch4: visit(bytecode::branch_target(code, bci)); break;
    case bytecode::OperandFormat::table_switch:
    case bytecode::OperandFormat::lookup_switch: {
      bytecode::Switch table(code, bci);
      visit(table.default_target());
      for (u32 index = 0, count = table.count(); index < count; ++index) visit(table.target_at(index));
      break;
    }
    default: break;
  }
}

}  // namespace keyhole
