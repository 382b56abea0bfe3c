// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The sites of code: its calls, and what is known about a frame that is in one.
//
//    frame's pc ──> site ──> code ──> the cell that the site stands for
//                                     the inlined activations, innermost first (vm/frames/layout/virtual_frame.h)
//                                     where the code continues after the callee's return
//
// A frame does not name the code that it runs. Its site leads there, through the chain of its method's codes
// (compiled_code.h, C2).
#pragma once

#include "vm/code/debug_info.h"
#include "vm/code/instruction.h"

namespace keyhole {

struct CompiledCode;

// The pc of a frame in a call points here (compiled_code.h).
struct CompiledCallSite {
  Cell call;
  Cell resume;   // a = which cell of the method the call stands for; b = optimised_site, or 0
};

// Made with the code, freed with it.
struct Sites {
  const CompiledCallSite* cells;   // behind the code
  u32 count;
  DebugInfo* debug_info;            // of each site, when frames that are in one are Inlining; else null
  // The place behind each call, ascending, as distance from the code's entry: it may be overwritten with a jump.
  const u32* returns;
  u32 return_count;
};

namespace interpreter {

struct FoundSite {
  const CompiledCode* code;   // null: `pc` is no site of the method's codes
  usize index;
};
FoundSite find_site(const MethodCode* body, const Cell* pc);

inline constexpr usize call_record_bytes = 16;
// Of code that owns native bytes beside its record (compiled_code.h, L3).
inline constexpr i32 optimised_site = 1;
// The status that a callee returns to code of the optimising tier (jit/code/registers.h, S1).
inline constexpr u32 status_returned = 0, status_exception = 1, status_deoptimize = 2;
// The value of CompiledCode::obsolete in obsolete code. It equals no status: code compares the two after a call.
inline constexpr u32 obsolete_word = 3;

// Is the frame in a call that its compiled code has made?
inline bool calls_from_code(const Frame* frame) {
  return frame->runs_bytecode() && operation_of(load_cell(frame->pc + 1)) == Operation::resume_compiled;
}

}  // namespace interpreter
}  // namespace keyhole
