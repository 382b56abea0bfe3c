// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Call sites: emits calls from compiled code, and describes them in the method's CompiledCode.
//
// A call has all operands in their stack slots, sets the frame's pc to the site's pair of instructions, and calls the callee;
// a return is a `ret` (vm/code/compiled_code.h has the rules of the native stack). The pairs of instructions are after
// the code.
//
//     callee                       target
//     the method itself            its own entry
//     a statically known method    its entry stub (jit/code/entry_stubs.h)
//     any other                    its entry_from_code
#pragma once

#include <vector>

#include "jit/baseline/pinned_locals.h"
#include "jit/baseline/value.h"
#include "jit/code/gdb_interface.h"
#include "vm/code/compiled_code.h"
#include "vm/interpreter/method_data.h"

namespace keyhole::baseline {

// Returns the number of slots of a result, given the first character of its descriptor.
constexpr u32 slots_of_result(char type) { return type == 'V' ? 0 : type == 'J' || type == 'D' ? 2 : 1; }

// Call: describes a call that is being compiled.
struct Call {
  u32 instruction;  // index of the invoke
  u64 word;
  u32 depth;                       // number of operands before the call, its arguments included
  u32 arguments;                   // number of slots of the arguments
  char result;                     // type of the result, as in its descriptor
  Value receiver = {};             // the first argument
  TypeProfile* profile = nullptr;  // profile of the receiver's class; null: the class is not counted

  u32 receiver_slot() const { return depth - arguments; }
  u32 result_slots() const { return slots_of_result(result); }
};

class CallSites {
 public:
  CallSites(MacroAssembler& a, const FrameLayout& frame, PinnedLocals& locals, const Instructions& instructions)
      : a_(a), frame_(frame), locals_(locals), instructions_(instructions) {}

  // Sets the entry that recursive calls target.
  void set_own_entry(const Label& entry) { own_entry_ = entry; }

  // Sets r13, rdi and the frame's pc as the callee expects them. `appended` is the number of arguments that are in
  // memory above the compile-time stack.
  void begin(const Call& call, u32 appended = 0);
  void call_known(const Call& call, const Method* target);
  void call_method_in_rdx(const Call& call);
  // Emits the call of the target. At every return rcx has the address of the top operand's stack slot. The caller
  // computes the address of its locals from rcx, which is faster than saving it in the call record.
  void call_code(const Call& call, const asmjit::Operand& target);

  // --- after the code -----------------------------------------------------------------------------------------------
  void emit_sites();
  // Describes the call sites in `code`. `address` is the code's final address.
  void describe(CompiledCode& code, uptr address, const asmjit::CodeHolder& holder);
  const std::vector<gdb::Call>& unwind_ranges() const { return unwind_ranges_; }

 private:
  struct Site {
    u32 instruction;
    Label instructions;
    u64 word;
  };

  MacroAssembler& a_;
  const FrameLayout& frame_;
  PinnedLocals& locals_;
  const Instructions& instructions_;
  Label own_entry_;
  std::vector<Site> sites_;
  std::vector<u32> returns_;  // Sites::returns
  std::vector<gdb::Call> unwind_ranges_;
};

}  // namespace keyhole::baseline
