// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The mutex of class states, and the one list of waiters (class_waiters.h).
#include "vm/link/class_state.h"

#include "runtime/base/mutex.h"
#include "runtime/threads/java_world.h"
#include "vm/link/loading/class_waiters.h"

namespace keyhole {
namespace {
Mutex state_mutex{LockRank::class_states};

ClassWaitersOf<JavaWorld> waiters GUARDED_BY(state_mutex);
}  // namespace

// These three are exempt from the thread safety analysis: no other file knows the mutex; the scope object stands for
// it.
ClassStateLock::ClassStateLock(JavaThread* thread) NO_THREAD_SAFETY_ANALYSIS : thread_(thread) { state_mutex.lock(); }
ClassStateLock::~ClassStateLock() NO_THREAD_SAFETY_ANALYSIS { state_mutex.unlock(); }

void ClassStateLock::wait() NO_THREAD_SAFETY_ANALYSIS {
  state_mutex.assert_held();
  waiters.wait(thread_, state_mutex);
}

void ClassStateLock::notify_all() {
  state_mutex.assert_held();
  waiters.notify_all();
}

}  // namespace keyhole
