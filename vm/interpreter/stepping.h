// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Ticks: the positions in the execution of a controlled VM between which the stepper moves (vm/tools/step). There is a
// tick before each bytecode instruction of any thread, and at each point, which is before an operation that other
// threads can observe (runtime/threads/points.h).
//
//   stepping_table[operation]  ──>  ++ticks, reaches next_stop?  ──no──>  controlled_table[operation]
//                                            | yes
//                                            v
//                                     at_instruction: stops here, perhaps for long, with the state saved
//
// T1: an execution with the same script has the same ticks in every process, so a tick is a position in it.
// T2: superinstructions are executed part by part, so every bytecode instruction has a tick.
// T3: an instruction that is resolved runs twice and has two ticks; the argument `word` of at_instruction has
//     the operation, which distinguishes them.
#pragma once

#include "vm/interpreter/handlers/handlers.h"

namespace keyhole::interpreter::stepping {

extern bool is_on;
extern u64 ticks;
extern u64 next_stop;
extern void (*at_instruction)(JavaThread* thread, const Frame* frame, u64 word);

}  // namespace keyhole::interpreter::stepping

namespace keyhole::interpreter {

extern Handler stepping_table[operation_count];  // handlers/handlers_stepping.cpp
void fill_stepping_table();                      // after the controlled table

}  // namespace keyhole::interpreter
