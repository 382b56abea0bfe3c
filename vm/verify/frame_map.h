// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Frame maps: which slots of a frame hold live references at a bytecode index.
//
// A dataflow over a method's bytecode, run on demand, computes for every bci that is a safepoint the types of locals
// and operands and the liveness of locals; the result is cached in Method::frame_maps. A dead slot does not count as a
// reference. Code that does not type-check has no map: the same dataflow rejects it with VerifyError.
//
// Slots are numbered: locals 0 .. max_locals-1, then operands from max_locals, bottom first.
#pragma once

#include <string>

#include "vm/metadata/method.h"

namespace keyhole {

// Calls visit(slot index) for each slot that holds a live reference before the instruction at `bci`. With `in_call`,
// the arguments of the invoke at bci are omitted: they are the callee's locals by then. Never fails at run time for a
// method that is executing; does not allocate in the Java heap, so it may run at a safepoint. `locals`, those of a
// frame, matter only to methods with subroutines (jsr): the same bci can then have different types, distinguished by
// the return addresses in the frame. A return address in a slot is the bci after the jsr.
void for_each_live_reference(Method* method, u32 bci, bool in_call, void (*visit)(u32 slot, void* context),
                             void* context, const Slot* locals = nullptr);

// Is local 0 live to the end of the method? In a synchronized method it is, because optimised code unlocks that object
// at its end.
inline bool keeps_receiver(const Method* method) { return method->is_synchronized() && !method->is_static(); }

// Makes dead locals count as live, because a debugger may read them. Set before the first map is made.
inline bool keep_dead_locals = false;

// The number of operand slots before the instruction at bci (for on-stack replacement and deoptimization).
u32 operand_depth(Method* method, u32 bci);
// The same number, or -1 when no path leads to bci.
i32 operand_depth_if_reachable(Method* method, u32 bci);

// Empty when the method's frame maps can be computed, else why its code is ill-typed. Runs and caches the dataflow.
std::string frame_maps_fault(Method* method);

// Frees the cached maps: the method's class is being unloaded.
void release_frame_maps(Method* method);

}  // namespace keyhole
