// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Cells: the pre-decoded instructions of one method as compilers read them. They are a copy with superinstructions
// taken apart, because the interpreter rewrites the original. A parameter `cell` is an instruction's index.
#pragma once

#include <vector>

#include "vm/code/instruction.h"

namespace keyhole {

class Cells {
 public:
  Cells(Method* method, const MethodCode* body);

  Method* method() const { return method_; }
  const MethodCode* body() const { return body_; }
  u32 count() const { return body_->cell_count; }
  u64 word(u32 cell) const { return words_[cell]; }
  interpreter::Operation operation(u32 cell) const { return interpreter::operation_of(words_[cell]); }
  // The instruction itself, which the interpreter runs.
  const Cell* address(u32 cell) const { return body_->cells() + cell; }

  u32 bci(u32 cell) const { return body_->bcis[cell]; }
  Opcode opcode(u32 cell) const;
  // The descriptor of the field, method or call site that the instruction refers to.
  std::string_view descriptor(u32 cell) const;
  // Whether the method has subroutines (jsr). Such a method is not compiled, because one instruction could be reached
  // with different types in a slot.
  bool has_subroutines() const;

  u32 target_of(u32 cell) const { return cell_at(cell, interpreter::operand_b(words_[cell])); }
  std::vector<u32> switch_targets(u32 cell) const;  // the default comes first
  // The cell of a branch's target. `distance` is in bytes.
  static u32 cell_at(u32 from, i32 distance) {
    return from + static_cast<u32>(distance / static_cast<i32>(sizeof(Cell)));
  }

 private:
  Method* method_;
  const MethodCode* body_;
  std::vector<u64> words_;
};

}  // namespace keyhole
