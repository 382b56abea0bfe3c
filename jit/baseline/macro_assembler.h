// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Macro assembler: extends asmjit's assembler with sequences of instructions that many emitters need.
#pragma once

#include "jit/baseline/header_word.h"
#include "jit/code/code_holder.h"

namespace keyhole::baseline {

class MacroAssembler : public x86::Assembler {
 public:
  explicit MacroAssembler(asmjit::CodeHolder& holder) : x86::Assembler(&holder) { CodeHolder::check(*this); }
  // Whether this compilation makes a listing with comments (-XX:+PrintAssembly).
  bool is_listing() const { return code()->logger() != nullptr; }

  void load_constant(Gp target, u64 bits);
  void load_address(Gp target, const void* address) { load_constant(target, reinterpret_cast<u64>(address)); }

  // Truncates a result of type boolean, byte, char or short. Emits nothing for other types.
  void narrow(Gp value, char type);

  void load_klass_id(Gp target, Gp object);  // 32 bits
  void load_klass_of_id(Gp target, Gp id);
  void load_klass(Gp target, Gp object, Gp scratch);
  // Writes the header of a new object. Scratch: rdx.
  void write_header(Gp object, u32 klass_id);
  // Emits the barrier after a store of a reference. Scratch: rdx.
  void store_barrier(Mem stored);
};

}  // namespace keyhole::baseline
