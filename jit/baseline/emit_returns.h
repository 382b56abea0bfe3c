// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Returns. The result goes to rdx, its home's address to r13. return_to_interpreter also needs the new top operand when
// there is no result.
#pragma once

#include "jit/baseline/emit_sync.h"

namespace keyhole::baseline {

class ReturnEmitter : Emitter {
 public:
  ReturnEmitter(Compilation& compilation, LockEmitter& locks) : Emitter(compilation), locks_(locks) {}
  void emit(Operation operation, u64 word);
  // When the cell is a return: emitted here again, with its operand where it is.
  bool emit_in_place(u32 cell);

 private:
  LockEmitter& locks_;
};

}  // namespace keyhole::baseline
