// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Obsolete code: code that must not run any more, because a method that is compiled or inlined in it has another body
// (vm/link/redefinition.h), or because a new class invalidates one of its assumptions (assumptions.h). Its frames are
// deoptimized when they return to it:
//
//   entries            the code is retired (vm/code/compiled_code.h): no call or frame enters it
//   return addresses   after each call: jmp to the begin of the code
//   begin              frame = locals + max_locals; jmp Stubs::deoptimize_obsolete, which continues after the invoke in
//                      the interpreter
//
// Both jumps are written over instructions that no thread executes any more: code is reached only through its entries
// and by returns to it. The frame itself does not change, because interpreter and baseline code have the same frame.
// The call's operands are in their stack slots, and the call site names the instruction.
//
// Code of the optimising tier is not patched after its calls, because its instructions there are not known, and its
// frame owns native bytes. If redefinitions are expected, or the code has assumptions, it compares the status of each
// call with CompiledCode::obsolete, a word beside its sites, and deoptimizes when they differ. A call of the code to
// itself enters it at its own entry; that entry becomes a jump to Linkage::code_to_entry. Frames of a redefined
// method continue in the old body, whose Method they name by then (vm/interpreter/redefinition.cpp).
//
// O1: obsolete code stays in its method's list until no frame is in a call that it has made (sweeper.h), because call
//     sites are found through that list.
// O2: the method is recompiled when it has been called often enough again.
#pragma once

#include <span>

#include "vm/code/compiled_code.h"

namespace keyhole {

// Whether the code contains a method for which `changes` is true.
template <typename Changes> bool depends_on(const CompiledCode* code, Changes&& changes) {
  if (changes(code->method)) return true;
  for (u32 i = 0; i < code->inlined_count; ++i)
    if (changes(code->inlined[i])) return true;
  return false;
}

// Patches return addresses for deoptimization. The world is stopped, and the code has just retired. `deoptimize` is the
// address of the stub deoptimize_obsolete.
void patch_return_addresses(CompiledCode* code, uptr deoptimize);
// Makes all processors see what has been written before they execute it.
void synchronize_instructions();

}  // namespace keyhole
