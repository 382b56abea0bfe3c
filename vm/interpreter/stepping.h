// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
// Ticks: the positions in the execution of a controlled VM between which the stepper moves (vm/tools/step). There is a
// tick before each bytecode instruction of any thread. There is also a tick before each operation that other threads
// can observe (a point: runtime/threads/points.h).
//
//   stepping_table[operation]  ──>  ++ticks, reaches next_stop?  ──no──>  controlled_table[operation]
//                                            | yes
//                                            v
//                                     at_instruction: stops here, perhaps for long, with the state saved
//
// T1: an execution with the same script has the same ticks in every process, so a tick is a position in it.
// T2: superinstructions are executed part by part, so every bytecode instruction has a tick.
// T3: an instruction is dispatched twice and has two ticks when it is resolved. The argument `word` of at_instruction
//     holds the unresolved operation at the first tick, and the quick operation at the second.
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
