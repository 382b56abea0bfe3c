// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Waiting for another thread that is linking or initialising a class.
//
// R1: a thread never becomes managed again while it holds the lock: that can take as long as a collection, and a thread
//     for which the collection waits may need the lock. So waiting ends with the lock released, then managed, then
//     locked again; a change in between is not lost, because `changes` counts them.
#include "vm/link/class_state.h"

#include "runtime/base/mutex.h"
#include "runtime/threads/thread_state.h"

namespace keyhole {
namespace {
Mutex state_mutex{LockRank::class_states};
ConditionVariable state_moved;
u64 changes GUARDED_BY(state_mutex) = 0;
}  // namespace

// These three are not analysed: only this file knows the mutex; the scope object stands for it.
ClassStateLock::ClassStateLock(JavaThread* thread) NO_THREAD_SAFETY_ANALYSIS : thread_(thread) { state_mutex.lock(); }
ClassStateLock::~ClassStateLock() NO_THREAD_SAFETY_ANALYSIS { state_mutex.unlock(); }

void ClassStateLock::wait() NO_THREAD_SAFETY_ANALYSIS {
  state_mutex.assert_held();
  u64 seen = changes;
  state_mutex.unlock();
  {
    BlockedScope blocked(thread_);
    MutexLock guard(state_mutex);
    while (changes == seen) state_moved.wait(state_mutex);
  }
  state_mutex.lock();
}

void ClassStateLock::notify_all() {
  state_mutex.assert_held();
  ++changes;
  state_moved.notify_all();
}

}  // namespace keyhole
