// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Starts and ends a java.lang.Thread in the VM.
//
//   Thread.start0      made -> listed, status Runnable, eetop set -> runs Thread.run
//   end_java_thread    uncaught exception -> its handler; Thread.exit(); status Terminated, eetop 0, join()ers notified
#pragma once

#include <string_view>

#include "runtime/threads/handles.h"

namespace keyhole::natives {

// Ends the calling thread for Java: a pending exception out of `run` (or main) goes to the thread's uncaught exception
// handler. Afterwards nothing is pending, and the thread may still call Java but is no longer alive to it.
void end_java_thread(JavaThread* thread) MAY_SAFEPOINT;

// Makes a java.lang.Thread for the calling thread, which has none or one that has ended. A null name gives a name with
// a number. False: an exception is pending or there is no memory; the thread may then have an incomplete object.
[[nodiscard]] bool become_java_thread(JavaThread* thread, Handle group, const char* name) MAY_SAFEPOINT;

// Records the thread's current name, by which readers of the recording know it.
void name_in_recording(const JavaThread* thread) TOUCHES_OBJECTS;

// The JavaThread of a java.lang.Thread, or null when it is not alive. Valid until the caller's next safepoint poll.
JavaThread* thread_of(const Object* java_thread) TOUCHES_OBJECTS;

// Starts a daemon thread of the system group with priority 9, which runs `body`. Java sees the thread unless it is
// hidden; if Java sees it, `body` must not return. False: an exception is pending.
[[nodiscard]] bool start_vm_thread(JavaThread* thread, std::string_view name, void (*body)(JavaThread*),
                                   bool is_hidden = false) MAY_SAFEPOINT;

}  // namespace keyhole::natives
