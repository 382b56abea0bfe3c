// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Waiting for another thread that is linking or initialising a class.
//
// R1: a thread never becomes managed again while it holds the lock: that can take as long as a collection, and whoever the
//     collection waits for may want the lock. So waiting ends with the lock released, then managed, then locked again; a
//     change in between is not lost, because `changes` counts them.
#include "vm/link/class_state.h"

#include <condition_variable>
#include <mutex>

#include "runtime/threads/thread_state.h"

namespace keyhole {
namespace {
std::mutex state_mutex;
std::condition_variable state_moved;
u64 changes = 0;   // under state_mutex
}  // namespace

ClassStateLock::ClassStateLock(JavaThread* thread) : thread_(thread) { state_mutex.lock(); }
ClassStateLock::~ClassStateLock() { state_mutex.unlock(); }

void ClassStateLock::wait() {
  u64 seen = changes;
  state_mutex.unlock();
  {
    BlockedScope blocked(thread_);
    std::unique_lock guard(state_mutex);
    while (changes == seen) state_moved.wait(guard);
  }
  state_mutex.lock();
}

void ClassStateLock::notify_all() {
  ++changes;
  state_moved.notify_all();
}

}  // namespace keyhole
