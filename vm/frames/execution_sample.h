// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Execution samples of a recording: the stack of a thread that runs Java code.
//
//   sampler (vm/tools/recording/execution_sampler.h)
//     ──safepoint::request_execution_sample──>  poll word of the thread
//
//   the thread, at its next poll:
//     interpreter, baseline code    the frame is saved         ──> record_execution_sample
//     entry of a method             the caller's is saved      ──> record_execution_sample_at_entry
//     code of the other tiers       the callers' are saved     ──> record_execution_sample_in_code
//
// X1: a thread records its own stack, at a poll. So its callers' frames are saved, and the sites of compiled frames can
//     be found.
// X2: a poll of compiled code saves no frame, and does not deoptimize to take a sample. The code that was compiled
//     while samples are recorded passes a site of its own instead, whose debug info lists the activations.
// X3: optimised code that was compiled before the recording began has no such site. Its poll deoptimizes, as it does
//     for a safepoint, and the interpreter takes the sample.
#pragma once

#include "runtime/threads/java_thread.h"
#include "vm/code/instruction.h"

namespace keyhole::interpreter {

// Records the stack of the calling thread, whose frames are saved.
void record_execution_sample(JavaThread* thread);
// Records the stack of the calling thread, which is about to enter `method`. The top frame is the caller's.
void record_execution_sample_at_entry(JavaThread* thread, Method* method);
// Records the stack of the calling thread, if a sample is requested. The thread is at a poll in the code of `method`;
// `caller` is the frame of the method's caller. Compiled code calls this function.
void record_execution_sample_in_code(JavaThread* thread, Frame* caller, Method* method, const Instruction* site);

}  // namespace keyhole::interpreter
