// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Emitter of returns, as jit/code/registers.h defines them: the result in rdx, the address of its stack slot in rcx,
// status_returned in eax.
#pragma once

#include "jit/baseline/emitters/emit_sync.h"

namespace keyhole::baseline {

class ReturnEmitter : Emitter {
 public:
  ReturnEmitter(Compilation& compilation, LockEmitter& locks) : Emitter(compilation), locks_(locks) {}
  void emit(Operation operation, u64 word);
  // If the bytecode at a jump's target is a return, emits the return in place of the jump. The operand stays where it
  // is.
  bool emit_in_place(u32 instruction);

 private:
  LockEmitter& locks_;
};

}  // namespace keyhole::baseline
