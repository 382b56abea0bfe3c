// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The stepper's part in the VM: runs to a goal, writes the state there, and makes checkpoints on its way.
//
//   at a tick:  goal met? ----> write the state, send a message, wait for the next request
//               checkpoint due? --fork--> the old process stays here and forks workers on demand
//                                         the new one is the worker and goes on
//
// B1: a checkpoint and its workers have the same state at its tick, but for the execution's shared memory and the
//     program's output, which a new worker sets back.
// B2: processes are forked as children of the stepper, which waits for them all. They end with it.
// B3: nothing outside of shared memory and pipes is shared: what a worker does has no effect on a checkpoint.
#pragma once

#include "runtime/base/controlled/execution.h"
#include "vm/tools/step/control.h"

namespace keyhole::step {

// Called in the process that becomes the VM, before it boots.
void start_probe(Control* control, controlled::Execution* execution, const Pipes& pipes, int output_file);

}  // namespace keyhole::step
