// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Emitter of branches and switches. A backward branch polls when it is taken. Before the comparison, all remaining
// operands are stored to their stack slots and all pinned locals are loaded, so the state is the same on both paths.
#pragma once

#include "jit/baseline/emitters/emit_profile.h"
#include "jit/baseline/emitters/emit_returns.h"

namespace keyhole::baseline {

class BranchEmitter : Emitter {
 public:
  BranchEmitter(Compilation& compilation, ProfileEmitter& profile, ReturnEmitter& returns)
      : Emitter(compilation), profile_(profile), returns_(returns) {}
  void emit(Operation operation, u64 word);
  // Emits lcmp, fcmp* or dcmp* together with the following branch on the result: one comparison for two bytecodes.
  bool emit_fused(Operation operation);
  // Whether the bytecode polls. With -XX:GCStressSafepointInterval the interpreter executes bytecodes that poll.
  static bool polls(Operation operation, u64 word);
  void interpret_poll(Operation operation);

 private:
  // Jump: describes the jump of the branch at bytecode `instruction`. The flags are already set.
  struct Jump {
    x86::CondCode condition;
    u32 instruction, target;
    bool is_backward;
  };
  void jump(u32 target, bool is_backward);
  void jump_if(const Jump& jump, bool is_fused);
  void count_down_iteration();
  void branch(Operation operation);
  void compare(const Value& left, const Value& right, u32 bytes);
  x86::CondCode compare_floats(Value left, Value right, Operation operation, x86::CondCode condition);
  void table_switch(const interpreter::TableSwitch* table);
  void lookup_switch(const interpreter::LookupSwitch* table);
  void search_keys(const interpreter::LookupSwitch* table, u32 low, u32 high, Label otherwise);
  void emit_switch(Operation operation, u64 word);
  void prepare_to_go_to(u32 target);
  Label reach(u32 target);

  ProfileEmitter& profile_;
  ReturnEmitter& returns_;
};

}  // namespace keyhole::baseline
