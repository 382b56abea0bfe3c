// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Execution sampler: a thread that requests execution samples while they are recorded (vm/frames/execution_sample.h).
//
//   every ExecutionSampleInterval: each thread in Java code or in the VM ──request──> it records its stack at its next
//                                                                                     poll
//
// A thread that is blocked, or in native code, is not sampled, because it runs no Java code.
//
// E1: there is at most one sampler. It ends itself when samples are not recorded any more, so that a VM without a
//     recording has no such thread and no wake-ups.
#pragma once

#include "runtime/threads/java_thread.h"

namespace keyhole::recording {

// Starts the sampler's thread if samples are recorded and no sampler runs.
void start_execution_sampler(JavaThread* thread) MAY_SAFEPOINT;

}  // namespace keyhole::recording
