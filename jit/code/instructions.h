// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Instructions: the pre-decoded instructions of one method as compilers read them. They are a copy with
// superinstructions taken apart, because the interpreter rewrites the original. A parameter `instruction` is an
// instruction's index.
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
  // The instruction itself, which the interpreter runs.
  const Instruction* address(u32 instruction) const { return body_->instructions() + instruction; }

  u32 bci(u32 instruction) const { return body_->bcis[instruction]; }
  Opcode opcode(u32 instruction) const;
  // The descriptor of the field, method or call site that the instruction refers to.
  std::string_view descriptor(u32 instruction) const;
  // Whether the method has subroutines (jsr). Such a method is not compiled, because one instruction could be reached
  // with different types in a slot.
  bool has_subroutines() const;

  u32 target_of(u32 instruction) const {
    return instruction_at(instruction, interpreter::operand_b(words_[instruction]));
  }
  std::vector<u32> switch_targets(u32 instruction) const;  // the default comes first
  // The instruction of a branch's target. `distance` is in bytes.
  static u32 instruction_at(u32 from, i32 distance) {
    return from + static_cast<u32>(distance / static_cast<i32>(sizeof(Instruction)));
  }

 private:
  Method* method_;
  const MethodCode* body_;
  std::vector<u64> words_;
};

}  // namespace keyhole
