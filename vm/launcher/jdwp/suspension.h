// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// How often the debugger has suspended each thread. A thread with a count above 0 sleeps at its next poll of Java code
// (runtime/threads/asynchronous.h); one that is in a native method, or waits, stops when it comes back.
//
// S1: counts change with the world stopped. A thread of the agent, and whatever Java cannot see, is never suspended.
// S2: a thread that starts while all are suspended begins with that count (started()).
#pragma once

#include "runtime/threads/java_thread.h"

namespace keyhole::jdwp::suspension {

// (s) all of them: by a managed thread, whose raw Object* are stale afterwards.
void suspend_all(JavaThread* thread);
void resume_all(JavaThread* thread);
void suspend(JavaThread* thread, u64 thread_object_id);
void resume(JavaThread* thread, u64 thread_object_id);
// The debugger has gone.
void forget_all(JavaThread* thread);

// World stopped.
i32 count_of(const JavaThread* target);
bool is_visible(const JavaThread* target);   // alive, and a thread for Java

// By the thread itself (s), where no lock of the VM is held: it begins, it has ended; it sleeps while it is suspended.
void started(JavaThread* thread);
void ended(JavaThread* thread);
void suspend_self(JavaThread* thread);
void stay(JavaThread* thread);

}  // namespace keyhole::jdwp::suspension
