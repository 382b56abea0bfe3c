// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The events of parking and sleeping: the object that LockSupport.park was given (a lock of java.util.concurrent, say),
// the line of the program that led there, and the thread that holds the object exclusively.
#pragma once

#include "runtime/recorder/recorder.h"
#include "runtime/threads/java_thread.h"

namespace keyhole::natives {

// Records `park` and `park_owner` for the calling thread, which is about to park.
void record_park(JavaThread* thread) TOUCHES_OBJECTS;
inline void record_park_if_on(JavaThread* thread) TOUCHES_OBJECTS {
  if (recorder::is_on(recorder::Family::threads)) [[unlikely]]
    record_park(thread);
}
// Records `sleep` for the calling thread, which is about to sleep.
void record_sleep(JavaThread* thread);
inline void record_sleep_if_on(JavaThread* thread) {
  if (recorder::is_on(recorder::Family::threads)) [[unlikely]]
    record_sleep(thread);
}

}  // namespace keyhole::natives
