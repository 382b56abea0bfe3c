// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Counts the debugger's suspensions of each thread. A thread with a count above 0 sleeps at its next poll of Java code
// (runtime/threads/asynchronous.h); one in a native method or waiting stops when it returns.
//
// S1: counts change with the world stopped. The agent's thread, and threads hidden from Java, are never suspended.
// S2: a virtual thread has a count of its own. Mounted, it sleeps on its carrier, which cannot mount another one;
//     unmounted, it sleeps there as soon as it is mounted.
// S3: a thread that starts while all are suspended begins with that count (started()).
#pragma once

#include "runtime/base/capabilities.h"
#include "runtime/threads/java_thread.h"

namespace keyhole::jdwp::suspension {

// Called by a managed thread.
void suspend_all(JavaThread* thread) MAY_SAFEPOINT;
void resume_all(JavaThread* thread) MAY_SAFEPOINT;
void suspend(JavaThread* thread, u64 thread_object_id) MAY_SAFEPOINT;
void resume(JavaThread* thread, u64 thread_object_id) MAY_SAFEPOINT;
// Called when the debugger has disconnected.
void forget_all(JavaThread* thread) MAY_SAFEPOINT;

// The suspension count of a thread. World stopped.
i32 count_of(const JavaThread* target);
bool is_visible(const JavaThread* target);  // alive, and a thread for Java

// Called by the thread itself when it begins and when it has ended, without a lock of the VM. It sleeps while it is
// suspended.
void started(JavaThread* thread) MAY_SAFEPOINT;
void ended(JavaThread* thread) MAY_SAFEPOINT;
void suspend_self(JavaThread* thread) MAY_SAFEPOINT;
void stay(JavaThread* thread) MAY_SAFEPOINT;

}  // namespace keyhole::jdwp::suspension
