// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Call sites of compiled code: from the pc of a frame in a call to the instruction and the debug info.
//
//    frame's pc ──> site ──> code ──> the instruction that the site stands for
//                                     the debug info: inlined activations, innermost first (debug_info.h)
//                                     the place after the call
//
// A frame has no reference to its code. find_site() searches the chain of the method's codes for the one that contains
// the site (compiled_code.h, C2).
#pragma once

#include "vm/code/debug_info.h"
#include "vm/code/instruction.h"

namespace keyhole {

struct CompiledCode;

// The pc of a frame in a call points here (compiled_code.h).
struct CompiledCallSite {
  Instruction call;
  Instruction resume;  // a = index of the instruction that the call stands for; b = optimised_site, or 0
};

// The call sites of one code. They are made with the code and freed with it.
struct Sites {
  const CompiledCallSite* call_sites;  // after the code
  u32 count;
  DebugInfo* debug_info;  // one for each site, if frames in these sites are Inlining; else null
  // The return addresses of the calls, ascending, as distances from the code's entry. The code there may be overwritten
  // with jumps.
  const u32* returns;
  u32 return_count;
};

namespace interpreter {

struct FoundSite {
  const CompiledCode* code;  // null: `pc` is not in a site of the method's codes
  usize index;
};
FoundSite find_site(const MethodCode* body, const Instruction* pc);

inline constexpr usize call_record_bytes = 16;
// Marks sites of code that owns native bytes besides its record (compiled_code.h, L3).
inline constexpr i32 optimised_site = 1;
// The status that a callee returns to code of the optimising tier (jit/code/registers.h, S1).
inline constexpr u32 status_returned = 0, status_exception = 1, status_deoptimize = 2;
// The value of CompiledCode::obsolete in obsolete code. It differs from every status, because code compares the two
// after a call.
inline constexpr u32 obsolete_word = 3;

// Is the frame in a call that its compiled code has made?
inline bool calls_from_code(const Frame* frame) {
  return frame->runs_bytecode() && operation_of(load_instruction(frame->pc + 1)) == Operation::resume_compiled;
}

}  // namespace interpreter
}  // namespace keyhole
