// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Coalesced lock events: a thread that takes and releases one uncontended lock again and again counts the pairs, and
// records the count from time to time, instead of two events for each pair. So snippets stay inlined while locks are
// recorded (recorded_fast_path.h). coalescer_table.h holds the thread that coalesces each object's events.
//
//   ... lock_enter  lock_exit  |  pairs counted by the snippet | lock_pairs ... | lock_pairs  lock_enter  lock_exit
//     recorded by the slow path     no event, no clock           each few 100 us    another thread wants the lock
//
//                          64 pairs in a row, fast
//   recorded one by one  ------------------------------>  coalesced
//                        <------------------------------
//                         another thread wants the lock; the thread does something that no snippet does, with this
//                         object or while it holds it; the object moves; the recording ends; the pairs become rare
//
// R7: if coalescing ends while the thread holds the lock, the enters of its open levels are recorded, with the time of
//     the end. So later events, of other threads and of the algorithm, come after events that name the holder.
// R8: if a handshake ends coalescing, the recorded events get a time before the handshake began, by the clock of the
//     requesting thread. So they come before that thread's next events, although the clocks of two processors may
//     differ.
// R9: a coalesced pair leaves the lock in the state before the pair. So pictures (picture/) stay correct between any
//     two events.
// R10: a thread's counts are written by the thread itself, or by another thread that has stopped it by a safepoint or a
//      handshake.
// R11: continuations do not coalesce. An enter of a lock that compiled code had eliminated (enter_held) makes no
//      Operation: the thread holds the object already, or no other thread has ever seen it.
#pragma once

#include "runtime/base/capabilities.h"
#include "runtime/sync/algorithm.h"
#include "runtime/sync/recording/coalescer_table.h"
#include "runtime/sync/recording/one_shot_locks.h"
#include "runtime/sync/sync_world.h"
#include "runtime/threads/java_thread.h"

namespace keyhole::sync::coalescing {

using Coalescers = CoalescerTable<SyncWorld, 4096>;

// Allows or forbids that threads begin to coalesce lock events. allow(false) does not stop threads that coalesce
// already: call end_all afterwards, with the world stopped.
void allow(bool allowed);

// The scope of a recorded operation, in which the calling thread takes an object's lock or changes the object.
// The constructor takes step O1 of coalescer_table.h, end_that_of_other() O2, took() O3 and the destructor O4. Between
// the call of end_that_of_other() and the end of the scope no other thread coalesces events of this object. `number` is
// the number of the object.
class Operation {
 public:
  Operation(JavaThread* thread, u32 number);
  // If another thread coalesces events of the object, ends that thread's coalescing (coalescer_table.h O2). Called
  // before the operation changes the object or its lock.
  void end_that_of_other() MAY_SAFEPOINT {
    if (operation_.meets_coalescer()) [[unlikely]]
      end_by_handshake();
  }
  // Called when the thread has taken the lock, at this site (coalescer_table.h O3).
  void took(const Object* object, u32 site);

 private:
  void end_by_handshake() MAY_SAFEPOINT;

  JavaThread* const thread_;
  const u32 number_;
  Coalescers::Operation operation_;
};

// Called when the thread has released the lock by the snippet, and recorded the exit. The thread may begin to coalesce
// the object's events.
void exited(JavaThread* thread, Object* object, u32 number, const Algorithm& row) TOUCHES_OBJECTS;

// Returns the table in which the thread counts its one-shot locks, or null if the thread does not count one-shot locks
// now.
OneShotLocks* one_shot_of(const JavaThread* thread);

// The calling thread records its counts and stops coalescing: end() for `object`, end_held() for all objects that the
// thread holds, end_own() for all objects. `beginning` is the lock record of an enter that is in progress. The thread
// does not hold that level yet, so end() does not record the level as open (R7).
void end(JavaThread* thread, const Object* object, const LockRecord* beginning = nullptr) TOUCHES_OBJECTS;
void end_held(JavaThread* thread) TOUCHES_OBJECTS;
void end_own(JavaThread* thread) TOUCHES_OBJECTS;
// Called when the thread's count of pairs (enter and exit) of the object's lock has reached its limit. Records the
// count and begins the next count. Returns false if the thread does not coalesce the object's events, or if it now
// takes the lock too rarely for coalescing.
bool renew(JavaThread* thread, const Object* object) TOUCHES_OBJECTS;

// World stopped, before objects move: all threads stop coalescing, and all counts are recorded.
void end_all();
void thread_exits(JavaThread* thread);

}  // namespace keyhole::sync::coalescing
