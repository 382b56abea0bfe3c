// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Instructions: the pre-decoded instructions of one method as compilers read them. They are a copy, because the
// interpreter rewrites its instructions while it runs. In the copy, superinstructions are split into their parts.
// Parameters named `instruction` are indices of instructions.
#pragma once

#include <vector>

#include "vm/code/instruction.h"

namespace keyhole {

class Instructions {
 public:
  Instructions(Method* method, const MethodCode* body);

  Method* method() const { return method_; }
  const MethodCode* body() const { return body_; }
  u32 count() const { return body_->instruction_count; }
  u64 word(u32 instruction) const { return words_[instruction]; }
  interpreter::Operation operation(u32 instruction) const { return interpreter::operation_of(words_[instruction]); }
  // Returns the address of the instruction that the interpreter executes. word() is a copy of the word at this address.
  // If the interpreter has a superinstruction there, the copy has the plain operation instead.
  const Instruction* address(u32 instruction) const { return body_->instructions() + instruction; }

  u32 bci(u32 instruction) const { return body_->bcis[instruction]; }
  Opcode opcode(u32 instruction) const;
  // Returns the descriptor of the field, method or call site that the instruction refers to.
  std::string_view descriptor(u32 instruction) const;
  // Whether the method has subroutines (jsr). Such methods are not compiled, because a slot may have different types
  // when an instruction of a subroutine is reached from different callers.
  bool has_subroutines() const;

  u32 target_of(u32 instruction) const {
    return instruction_at(instruction, interpreter::operand_b(words_[instruction]));
  }
  std::vector<u32> switch_targets(u32 instruction) const;  // the default comes first
  // Returns the index of the instruction to which a branch at index `from` jumps. `distance` is the branch's distance
  // in bytes.
  static u32 instruction_at(u32 from, i32 distance) {
    return from + static_cast<u32>(distance / static_cast<i32>(sizeof(Instruction)));
  }

 private:
  Method* method_;
  const MethodCode* body_;
  std::vector<u64> words_;
};

}  // namespace keyhole
