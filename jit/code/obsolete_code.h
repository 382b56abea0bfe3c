// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Code that must not run any more, because a method that is in it has another body (vm/link/redefinition.h), or
// because a class is linked of which it assumed that there is none (vm/link/class_hierarchy.h).
//
//   entries it is retired (vm/code/compiled_code.h) nobody comes in calls behind each call: jmp to the beginning
//   of the code who is in it comes out here beginning frame = locals + max_locals; jmp Stubs::deoptimize_obsolete
//   continues after the invoke, interpreted
//
// Both are written over instructions that nobody executes any more: all of the code is reached through its entries, or
// behind a call. Frames stay what they are, because both tiers have the same; so do the call's operands, which are in
// their stack slots, and its call site, which names the cell.
//
// Code of the optimising tier is not overwritten behind its calls: nobody knows its instructions there, and its frame
// owns native bytes. Where redefinitions are expected, or when it has assumptions, it compares the call's status with
// CompiledCode::obsolete there, a word beside its sites, and leaves by itself where they differ.
// It calls itself at its own entry, which becomes a jump to where the interpreter's calls lead. Frames that are in a
// redefined method continue in the old body, whose Method they name by then (vm/interpreter/redefinition.cpp).
//
// O1: obsolete code stays in its method's list until no frame is in a call that it has made (sweeper.h): call sites are
//     found through that list.
// O2: the method is recompiled when it has been called often enough again.
#pragma once

#include <span>

#include "vm/code/compiled_code.h"

namespace keyhole {

// Does the code depend on a method of which `changes` says so?
template <typename Changes> bool depends_on(const CompiledCode* code, Changes&& changes) {
  if (changes(code->method)) return true;
  for (u32 i = 0; i < code->inlined_count; ++i) if (changes(code->inlined[i])) return true;
  return false;
}

// World stopped, and the code has just retired. `deoptimize`: the stub's address.
void patch_return_addresses(CompiledCode* code, uptr deoptimize);
// What has been written is seen by all processors before they execute it.
void synchronize_instructions();

}  // namespace keyhole
