// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Accesses to the heap as points of a controlled VM (runtime/threads/points.h), at which a thread stops so that another
// thread can run.
//
//   handlers_controlled.cpp: a table of handlers      before_heap_access: which object, which offset, read or write?
//     getfield, putfield, iaload ...  ----------->      stops here, perhaps for long
//     then the plain handler                            describes the access if a script is to be printed
#pragma once

#include <string>

#include "runtime/base/controlled/strands.h"
#include "vm/interpreter/handlers/handlers.h"
#include "vm/interpreter/points/heap_access.h"

namespace keyhole::interpreter {

extern Handler controlled_table[operation_count];  // handlers/handlers_controlled.cpp
void fill_controlled_table();
// The entry of Thread.onSpinWait: lets another thread run, if another thread can run.
MAY_SAFEPOINT KEYHOLE_PRESERVE_NONE void interp_controlled_spin_wait(HANDLER_PARAMETERS);

// Method::entry of native methods in a VM with store buffers: empties the buffer, then starts the method.
MAY_SAFEPOINT KEYHOLE_PRESERVE_NONE void interp_controlled_native(HANDLER_PARAMETERS);

// Computes in advance what every event in the method needs: the method's hash, and whether quiet.def lists the method.
void prepare_place(const Method* method);
// Registers the functions that locate and describe schedule points. Called while a controlled VM starts.
void initialize_schedule_points();

// Called before the handler of an access to a field or an array, with the thread's state saved. If the handler will
// throw because of a null reference or an index out of bounds, the function has no effect.
void before_heap_access(JavaThread* thread, const Frame* frame, u64 word);
// Called before a method returns no value: it may be a constructor, which freezes the object's final fields.
void before_controlled_return(const Frame* frame);
// Called in each round of a loop in which the thread waits. Another thread can run at this point.
void yield_in_loop(JavaThread* thread);

// --- words of operations and values ----------------------------------------------------------------------------------

// "starts Thread-0", "locks a Queue"
std::string words_of(const JavaThread* thread, const controlled::Operation& operation);
// A field or an array element. `letter` is the first letter of its descriptor.
struct Variable {
  std::string name;
  char letter = 'I';
};
Variable variable_at(const Object* base, u64 offset);
// Describes a value in memory, whose type is given by the first letter of its descriptor.
std::string value_text(char letter, u64 address);

}  // namespace keyhole::interpreter
