// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Requests from other threads: throw (Thread.stop), pause (Thread.suspend) and continue (Thread.resume).
//
//   requester: a safepoint; sets asynchronous_exception or suspended, and asynchronous_bit in the target's poll word
//   target:    where Java code polls, and on return from sleep, park and Object.wait: answer()
//
// R1: the fields change only with the world stopped, or by their owner while it is managed. So the target passes no
//     poll between the request and the requester's return, and reads the fields without synchronization.
// R2: a thread calls answer() only where it holds no lock of the VM, because a suspended thread may sleep for ever. It
//     keeps its Java locks, as in HotSpot. A target that runs code of the VM stops at its next poll of Java code, so it
//     may finish its instruction first. A compilation can take longer than the requester waits, so the target also
//     calls answer() right after a compilation.
// R3: a target that queues for a monitor or waits on one gives the monitor back until it is resumed
//     (runtime/sync/suspended_owner.h). It may sleep on its monitor parker then, so resumption unparks it.
// R4: a thread that has accessed a page that its file lacks (mapped_files.h) sets the bit itself. answer() leaves it
//     set until take_fault() has cleared the mark: only the interpreter can throw that error (raise_memory_fault).
#pragma once

#include "runtime/base/capabilities.h"
#include "runtime/threads/java_thread.h"

namespace keyhole::asynchronous {

// Requests an exception of a platform thread. It replaces one that was requested before and not thrown yet.
void request_exception(JavaThread* target, Object* exception) WORLD_STOPPED;
void request_suspension(JavaThread* target) WORLD_STOPPED;
void request_resumption(JavaThread* target) WORLD_STOPPED;

// Called by the thread itself, InVM. An exception that is requested meanwhile waits for the next poll of Java code.
void sleep_while_suspended(JavaThread* thread) MAY_SAFEPOINT;
// Called by the thread itself, InVM: sleeps while it is suspended. Returns true if the requested exception is now
// pending; it has then replaced any other pending exception.
bool answer_slow(JavaThread* thread) MAY_SAFEPOINT;
bool is_requested(const JavaThread* thread);
inline bool answer(JavaThread* thread) MAY_SAFEPOINT { return is_requested(thread) && answer_slow(thread); }

}  // namespace keyhole::asynchronous
