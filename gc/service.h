// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The heap's service thread: a plan's concurrent phases (Plan::concurrent_step), between pauses and beside mutators.
//
//   pause                  thread that asked for it     service thread
//   leaves work behind
//   world goes on          after_pause: start, wake -->  step; poll; rest; step ... until there is no more
//   next pause <-- waits for a step at most ----------   stopped at its poll; the pause restarts the choice of work
//
// S1: a step runs managed and reaches no poll, so no pause begins within one.
// S2: it rests between two steps: mutators that wait for the heap lock come first.
// S3: the thread is started when a pause has left it something to do, and ends with the VM. Without it (the system
//     refuses one) the thread that asked for the pause does the work.
// S4: starting a thread may reach a safepoint. After a pause for an allocation that is not allowed, because the memory
//     that the pause returns is not an object yet. So such a pause only wakes the service thread if it runs already;
//     otherwise the next pause begins by starting it.
#pragma once

#include "runtime/base/capabilities.h"
#include "runtime/threads/java_thread.h"

namespace keyhole::gc::service {

// Called when mutators continue after a pause: starts or wakes the service thread for the work that the plan has left.
void after_pause(JavaThread* thread) MAY_SAFEPOINT;

// Like after_pause, for callers that must not stop: wakes the thread if there is one, but does not start it (S4).
void wake_nogc();

// Ends the thread when its step is over. For tests, which make many heaps.
void stop(JavaThread* thread) MAY_SAFEPOINT;

}  // namespace keyhole::gc::service
