// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Obsolete code: code that must not run any more. Either a method that is compiled or inlined in it has another body
// (vm/link/redefinition.h), or a new class invalidates one of its assumptions (assumptions.h). A frame of obsolete
// baseline code is deoptimized when its callee returns to it:
//
//   entries            the code is retired (vm/code/compiled_code.h): no call or frame enters it
//   return addresses   after each call: jmp to the begin of the code
//   begin              frame = locals + max_locals; jmp Stubs::deoptimize_obsolete, which continues after the invoke in
//                      the interpreter
//
// The two jumps overwrite instructions that no thread will execute: no thread enters retired code, and each return to
// it now meets a jump. The frame itself does not change, because interpreter and baseline code use the same frame
// layout. At a call all operands are in their stack slots, and the call site has the index of the instruction.
//
// Return addresses in code of the optimising tier are not patched, because the instructions after its calls are not
// known, and its frames own native stack bytes, which only the code can free. Instead, such code compares the status of
// each call with CompiledCode::obsolete, a word beside its call sites, and deoptimizes when they differ. Code does so
// only if it has assumptions or if redefinitions are expected. A recursive call targets the code's own entry, so this
// entry is overwritten with a jump to Linkage::code_to_entry. Frames of a redefined method continue in the old body; by
// then they refer to the old body's Method (vm/interpreter/redefinition.cpp).
//
// O1: obsolete code stays in its method's chain of codes while a frame is in a call made by the code (sweeper.h),
//     because the call sites of frames are found through the chain.
// O2: the method's call counter starts again from 0, and the method is recompiled when the counter reaches the
//     threshold.
#pragma once

#include <span>

#include "vm/code/compiled_code.h"

namespace keyhole {

// Whether `changes` returns true for the code's method, or for a method that is inlined in the code.
template <typename Changes> bool depends_on(const CompiledCode* code, Changes&& changes) {
  if (changes(code->method)) return true;
  for (u32 i = 0; i < code->inlined_count; ++i)
    if (changes(code->inlined[i])) return true;
  return false;
}

// Patches the code so that its frames deoptimize when their callees return. The world is stopped, and the code has just
// retired. `deoptimize` is the address of the stub deoptimize_obsolete.
void patch_return_addresses(CompiledCode* code, uptr deoptimize);
// Makes all processors that run threads of the VM discard fetched instructions, so that they execute the patched code.
void synchronize_instructions();

}  // namespace keyhole
