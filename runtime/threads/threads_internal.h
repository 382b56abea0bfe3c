// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Shared by the files of runtime/threads: the only instance of the safepoint protocol, the list of threads, the two
// locks.
//
//   operation lock   one safepoint or handshake at a time; waiters are Blocked, because the holder waits for them
//   list lock        held for one walk or one link, never across waiting
// The list does not change while a safepoint is in progress.
#pragma once

#include "runtime/base/mutex.h"
#include "runtime/base/platform/hardware_world.h"
#include "runtime/threads/continuations/continuation_lists.h"
#include "runtime/threads/safepoint_protocol.h"

namespace keyhole::threads::internal {

using Protocol = SafepointProtocol<HardwareWorld, JavaThread>;
extern Protocol protocol;
extern Mutex operation_mutex;
extern Mutex list_mutex;
extern JavaThread* first_thread GUARDED_BY(list_mutex);  // platform threads
extern ContinuationLists continuations GUARDED_BY(list_mutex);

template <typename Visitor> void for_each_carrier_locked(Visitor&& visit) {
  MutexLock guard(list_mutex);
  for (JavaThread* thread = first_thread; thread != nullptr; thread = thread->next) visit(thread->carrier);
}

void lock_operations(JavaThread* thread) MAY_SAFEPOINT ACQUIRE(operation_mutex);
void unlock_operations() RELEASE(operation_mutex);

// Calls change() under the list lock while no safepoint is in progress. `managed` is the calling thread if it is
// managed; it may then stop at a safepoint here. Otherwise `managed` is null.
template <typename Change> void change_list(JavaThread* managed, Change change) {
  for (;;) {
    {
      MutexLock guard(list_mutex);
      if (!protocol.in_progress()) {
        change();
        return;
      }
    }
    // A safepoint waits for managed threads to stop. So a managed caller stops here, instead of waiting for the end of
    // the safepoint while it is managed.
    if (managed != nullptr) protocol.poll_slow(managed);
    else protocol.wait_until_resumed();
  }
}

// Sets the initial state of a platform thread or a continuation.
void begin(JavaThread* thread);
void run_detach_hooks(JavaThread* thread);
// Clears the thread's references; it has no roots afterwards.
void clear_roots(JavaThread* thread);

}  // namespace keyhole::threads::internal
