// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Waiting for another thread that is linking or initialising a class.
//
// R1: a thread never becomes managed again while it holds the lock: that can take as long as a collection, and a thread
//     for which the collection waits may need the lock. So waiting ends with the lock released, then managed, then
//     locked again; a change in between is not lost, because it takes the waiter out of the list.
// R2: waiters sleep like those for a monitor: the initialiser that a virtual thread waits for may itself be unmounted,
//     and a carrier that slept here would be missing for it. A waiter that was told is gone at once.
#include "vm/link/class_state.h"

#include <atomic>
#include <utility>

#include "runtime/base/mutex.h"
#include "runtime/threads/java_world.h"

namespace keyhole {
namespace {
Mutex state_mutex{LockRank::class_states};

struct Waiter {
  JavaThread* thread;
  Waiter* next;
  std::atomic<bool> is_told{false};
};
Waiter* waiters GUARDED_BY(state_mutex) = nullptr;
}  // namespace

// These three are not analysed: only this file knows the mutex; the scope object stands for it.
ClassStateLock::ClassStateLock(JavaThread* thread) NO_THREAD_SAFETY_ANALYSIS : thread_(thread) { state_mutex.lock(); }
ClassStateLock::~ClassStateLock() NO_THREAD_SAFETY_ANALYSIS { state_mutex.unlock(); }

void ClassStateLock::wait() NO_THREAD_SAFETY_ANALYSIS {
  state_mutex.assert_held();
  Waiter waiter{thread_, waiters};
  waiters = &waiter;
  state_mutex.unlock();
  {
    BlockedScope blocked(thread_);
    while (!waiter.is_told.load(std::memory_order_acquire)) JavaWorld::park(thread_, forever);
  }
  state_mutex.lock();
}

void ClassStateLock::notify_all() {
  state_mutex.assert_held();
  for (Waiter* waiter = std::exchange(waiters, nullptr); waiter != nullptr;) {
    JavaThread* thread = waiter->thread;
    Waiter* next = waiter->next;
    waiter->is_told.store(true, std::memory_order_release);   // R2
    JavaWorld::unpark(thread);
    waiter = next;
  }
}

}  // namespace keyhole
