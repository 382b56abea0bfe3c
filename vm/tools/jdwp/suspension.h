// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Counts the debugger's suspensions of each thread. A thread with a count above 0 sleeps at its next safepoint poll in
// Java code (runtime/threads/asynchronous.h). A thread that is in a native method or waits stops when it returns to
// Java code.
//
// S1: counts change only while the world is stopped. The agent's thread and threads hidden from Java are never
//     suspended.
// S2: a virtual thread has its own count. If it is mounted when it is suspended, it sleeps on its carrier, which cannot
//     mount another virtual thread meanwhile. If it is unmounted, it sleeps as soon as it is mounted.
// S3: if all threads are suspended when a thread starts, the new thread begins with the count of these suspensions
//     (started()).
#pragma once

#include "runtime/base/capabilities.h"
#include "runtime/threads/java_thread.h"

namespace keyhole::jdwp::suspension {

// Called by a managed thread.
void suspend_all(JavaThread* thread) MAY_SAFEPOINT;
void resume_all(JavaThread* thread) MAY_SAFEPOINT;
void suspend(JavaThread* thread, u64 thread_object_id) MAY_SAFEPOINT;
void resume(JavaThread* thread, u64 thread_object_id) MAY_SAFEPOINT;
// Resumes all threads. Called when the debugger has disconnected.
void forget_all(JavaThread* thread) MAY_SAFEPOINT;

// Returns the suspension count of a thread. The world must be stopped.
i32 count_of(const JavaThread* target);
bool is_visible(const JavaThread* target);  // whether the thread is alive and visible to Java

// Called by a thread when it begins and when it ends. The thread must hold no lock of the VM, because it sleeps in here
// while it is suspended.
void started(JavaThread* thread) MAY_SAFEPOINT;
void ended(JavaThread* thread) MAY_SAFEPOINT;
void suspend_self(JavaThread* thread) MAY_SAFEPOINT;
void stay(JavaThread* thread) MAY_SAFEPOINT;

}  // namespace keyhole::jdwp::suspension
