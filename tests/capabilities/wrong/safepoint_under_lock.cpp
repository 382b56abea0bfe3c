// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A thread may stop at a safepoint while it holds a lock of the VM. Another thread that waits for the lock does not
// poll, so the safepoint would wait for that thread forever.
#include "runtime/base/mutex.h"
#include "runtime/threads/safepoint.h"
#include "runtime/threads/thread_state.h"

namespace keyhole {

Mutex mutex{LockRank::heap};

void polls(JavaThread* thread) MAY_SAFEPOINT {
  MutexLock guard(mutex);
  safepoint::poll(thread);  // error: cannot call function 'poll' while the scope 'NO_SAFEPOINT' is held
}

void blocks(JavaThread* thread) MAY_SAFEPOINT {
  MutexLock guard(mutex);
  NativeScope native(thread);  // error: cannot call function 'NativeScope' while the scope 'NO_SAFEPOINT' is held
}

}  // namespace keyhole
