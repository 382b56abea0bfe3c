// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The locks that threads wait for, and their owners: for thread dumps, deadlock detection and java.lang.management.
//
//   BLOCKED on a monitor                                 --> the thread that owns it
//   parked, LockSupport.getBlocker is an                 --> its exclusiveOwnerThread
//   AbstractOwnableSynchronizer (ReentrantLock ...)
//
// A thread waits for at most one other thread, so the graph is a set of chains, and a deadlock is a cycle. All
// functions but wait_names() require that the world is stopped.
#pragma once

#include <vector>

#include "runtime/threads/java_thread.h"

namespace keyhole::natives {

// Classes and fields that must be looked up before the world is stopped.
struct WaitNames {
  u32 park_blocker = 0;                   // Thread.parkBlocker
  Klass* ownable_synchronizer = nullptr;  // null: not loaded, so nobody waits for one
  u32 exclusive_owner = 0;
};
WaitNames wait_names();

struct Wait {
  JavaThread* thread = nullptr;
  Object* object = nullptr;  // a monitor's, or a synchronizer; null: it waits for neither
  bool is_monitor = false;
  JavaThread* owner = nullptr;  // null: nobody, or the thread itself
};
Wait wait_of(JavaThread* thread, const WaitNames& names) TOUCHES_OBJECTS;
// Finds the deadlocks, each once.
std::vector<std::vector<Wait>> find_cycles(const WaitNames& names, bool monitors_only = false) TOUCHES_OBJECTS;

// The blocker of a parked thread, or null.
Object* park_blocker(const JavaThread* thread, JavaThreadStatus status, const WaitNames& names) TOUCHES_OBJECTS;
inline Object* park_blocker(const JavaThread* thread, const WaitNames& names) TOUCHES_OBJECTS {
  return park_blocker(thread, thread->status.load(std::memory_order_relaxed), names);
}
// The thread that holds an AbstractOwnableSynchronizer exclusively, or null.
JavaThread* exclusive_owner(const Object* synchronizer, const WaitNames& names) TOUCHES_OBJECTS;
// An AbstractOwnableSynchronizer that has an owner. There is no list of them, so a walk of the heap finds them.
struct HeldSynchronizer {
  Object* object;
  JavaThread* owner;
};
std::vector<HeldSynchronizer> held_synchronizers(const WaitNames& names);
std::vector<JavaThread*> threads_by_age();

// The thread's time on processors. May be called at any time; 0 when the thread has just ended.
i64 cpu_nanoseconds(const JavaThread* thread);
i64 user_nanoseconds(const JavaThread* thread);

}  // namespace keyhole::natives
