// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The stepper's code inside the VM: runs to a goal, writes the state there, and makes checkpoints while it runs.
//
//   at a tick:  goal met? ----> write the state, send a message, wait for the next request
//               checkpoint due? --fork--> the old process stays here and forks workers on demand
//                                         the new one is the worker and goes on
//
// B1: a worker forked from a checkpoint has the checkpoint's private memory. The execution's shared memory and the
//     program's output file have changed since then, so the new worker resets them.
// B2: all processes of the VM are forked as children of the stepper, which waits for them. If the stepper dies, they
//     are killed.
// B3: the processes share nothing but the shared memory and the pipes, so a worker cannot affect a checkpoint
//     otherwise.
#pragma once

#include "runtime/base/controlled/execution.h"
#include "vm/tools/step/control.h"

namespace keyhole::step {

// Called in the child process that becomes the VM, before the VM boots.
void start_probe(Control* control, controlled::Execution* execution, const Pipes& pipes, int output_file);

}  // namespace keyhole::step
