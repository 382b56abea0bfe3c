// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Frame maps: which slots of a frame hold live references at a bytecode index.
//
// One lazily run dataflow over a method's bytecode computes, for every bci that is a safepoint, the types of locals and operands and the
// liveness of locals; the result is cached in Method::frame_maps. A dead slot is no reference, whatever stands in it. Code
// that does not type-check has no map: the same dataflow rejects it with VerifyError.
//
// Slots are numbered: locals 0 .. max_locals-1, then operands from max_locals, bottom first.
#pragma once

#include "vm/link/method.h"

namespace keyhole {

// Calls visit(slot index) for each slot that holds a live reference before the instruction at `bci`. With `in_call`, the operands
// that the invoke at bci passes are left out: they are the callee's locals by then.
// Never fails at run time for a method that is executing; does not allocate in the Java heap, so it may run at a safepoint.
void for_each_live_reference(Method* method, u32 bci, bool in_call, void (*visit)(u32 slot, void* context), void* context);

// Number of operand slots before the instruction at bci (for OSR and deoptimisation).
u32 operand_depth(Method* method, u32 bci);

// Type-checks all methods of `klass` (JVMS 4.10.2, by inference). Empty, or the text of the VerifyError.
std::string verify_class(JavaThread* thread, InstanceKlass* klass);

}  // namespace keyhole
