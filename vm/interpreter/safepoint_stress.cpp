// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// -XX:GCStressSafepointInterval: a table whose handlers arm the thread, then run the operation, so that each poll takes
// its slow path.
//
//   arm_and_run                 poll_and_retry                        again_unstressed (slow_handlers.cpp)
//   armed, plain handler  --->  counts; at the nth, a collection  --->  disarmed; same instruction, plain handler:
//     polls: slow                                                       polls: passes, unless there is a real request
//                                                                       next instruction through the table: armed again
// After the poll the plain handler runs with the thread disarmed. A thread that stayed armed would poll at this
// instruction for ever. A superinstruction that should poll runs as its plain parts, because the thread is armed.
#include "vm/interpreter/handlers/handlers.h"

namespace keyhole::interpreter {

namespace {

KEYHOLE_PRESERVE_NONE void arm_and_run(HANDLER_PARAMETERS) {
  safepoint::arm_stress(thread);
  GO((plain_table[word & 0xFFFF]));
}

}  // namespace

const Handler stress_table[operation_count] = {
#define OPERATION(name, ...) arm_and_run,
#include "vm/code/operations.def"
#undef OPERATION
};

}  // namespace keyhole::interpreter
