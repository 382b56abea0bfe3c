// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Requests from other threads: throw (Thread.stop), pause (Thread.suspend) and continue (Thread.resume).
//
//   requester: a safepoint; sets asynchronous_exception or suspended, and asynchronous_bit in the target's poll word
//   target:    where Java code polls, and on return from sleep, park and Object.wait: answer()
//
// R1: the requester writes the two fields only while the world is stopped, and the target only while it is managed. A
//     managed thread does not run while the world is stopped. So a managed target reads the fields without
//     synchronization, and its next poll after the safepoint sees the request.
// R2: a thread calls answer() only where it holds no lock of the VM, because a suspended thread may sleep for ever. It
//     keeps its Java locks, as in HotSpot. A target that runs code of the VM stops only at its next poll of Java code,
//     so it may finish its current bytecode first. A compilation can take longer than the requester waits, so the
//     target also calls answer() right after a compilation.
// R3: if a suspended target gets a monitor for which it has queued, or on which it has waited, it releases the monitor
//     until it is resumed (runtime/sync/suspended_owner.h). It may sleep on its monitor parker then, so a resumption
//     unparks it.
// R4: asynchronous_bit is also set when the thread itself accesses a page that a mapped file lacks: the handler of
//     SIGBUS sets the bit and memory_fault (mapped_files.h). Only the interpreter can throw the InternalError:
//     raise_memory_fault() calls take_fault(), which clears memory_fault. Until then answer() does not clear the bit.
#pragma once

#include "runtime/base/capabilities.h"
#include "runtime/threads/java_thread.h"

namespace keyhole::asynchronous {

// Requests an exception of a platform thread. It replaces one that was requested before and not thrown yet.
void request_exception(JavaThread* target, Object* exception) WORLD_STOPPED;
void request_suspension(JavaThread* target) WORLD_STOPPED;
void request_resumption(JavaThread* target) WORLD_STOPPED;

// Called by the thread itself, InVM: sleeps until the thread is resumed. If another thread requests an exception during
// this sleep, the exception is thrown at the thread's next poll of Java code.
void sleep_while_suspended(JavaThread* thread) MAY_SAFEPOINT;
// Called by the thread itself, InVM: sleeps while the thread is suspended. Returns true if a requested exception is now
// pending; it has then replaced any other pending exception.
bool answer_slow(JavaThread* thread) MAY_SAFEPOINT;
bool is_requested(const JavaThread* thread);
inline bool answer(JavaThread* thread) MAY_SAFEPOINT { return is_requested(thread) && answer_slow(thread); }

}  // namespace keyhole::asynchronous
