// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Records the state that threads and locks have when a recording begins in a running VM, by events that the threads
// would have recorded themselves:
//
//   thread                            events
//   holds a monitor                   lock_held: with its levels, and the current line of the frame that holds it
//   is blocked on a monitor           lock_contended, lock_owner, thread_state
//   waits in Object.wait              wait_begin, thread_state
//   is parked                         park, park_owner, thread_state
//   is a mounted virtual thread       mounted, for its carrier
//   otherwise                         thread_state
//
// J1: all events have times after recording_joins, and a thread's own later events come after them.
// J2: locks that native code holds (JNI's MonitorEnter) have no lock_held, because no frame holds them. Their
//     owners are recorded if another thread waits for them.
// J3: recording_joins says that operations on the fast path are not recorded from then on. So the recording may
//     lack the exit of a lock_held. When the recording ends, or is dumped, record_owners_of_awaited_locks() says who
//     holds each awaited lock then. A VM that was started with -XX:StartRecording records all operations, and has no
//     recording_joins.
#pragma once

#include "classlib/natives/java.base/lang/thread_waits.h"
#include "runtime/base/capabilities.h"

namespace keyhole::recording {

// The world must be stopped for record_state_of_threads() and record_owners_of_awaited_locks().
void record_state_of_threads(const natives::WaitNames& names) TOUCHES_OBJECTS;
void record_owners_of_awaited_locks(const natives::WaitNames& names) TOUCHES_OBJECTS;

}  // namespace keyhole::recording
