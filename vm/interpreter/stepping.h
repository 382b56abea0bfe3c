// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Ticks of a controlled VM that is stepped through (vm/tools/step): a tick is the execution of a bytecode instruction
// by any thread, or a point before which a thread stands (runtime/threads/points.h).
//
//   stepping_table[operation]  ──>  ++ticks, reaches next_stop?  ──no──>  controlled_table[operation]
//                                            | yes
//                                            v
//                                     at_instruction: stops here, perhaps for long, with the state saved
//
// T1: an execution with the same script has the same ticks in every process, so a tick is a position in it.
// T2: superinstructions are executed part by part, so every bytecode instruction has a tick.
// T3: an instruction that is resolved runs twice and has two ticks; the argument `operation` of at_instruction
//     distinguishes them.
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
