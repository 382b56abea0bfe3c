// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs: a thread that takes and releases one free lock again and again is told by the number of pairs, at times that it
// dates, not pair by pair. So snippets stay inlined while locks are recorded (recorded_fast_path.h). Who has a run of
// which object, and that it is known in time: lock_run_claims.h.
//
//   ... lock_enter  lock_exit  |  pairs counted by the snippet | lock_pairs ... | lock_pairs  lock_enter  lock_exit
//        told by the slow path    no event, no clock              each few 100 us    somebody else wants the lock
//
//                       64 pairs in a row, fast
//   told one by one  ------------------------------>  a run
//                    <------------------------------
//                     another thread wants the lock; an operation of this thread that no snippet does, on this object
//                     or while it holds it; the object moves; the recording ends; the pairs have become rare
//
// R7: a run that ends while the thread holds the lock tells the enters that are not released yet, dated then. So for
//     all events of other threads and of algorithms the holder is known.
// R8: what ends by a handshake is dated before the handshake began, by the clock of who asked for it: before its own
//     events, though the clocks of two processors may differ.
// R9: pairs of a run leave the lock as they found it: between any two events, pictures (picture/) stay true.
// R10: a run is written by its thread, and by whoever has stopped it: the world is stopped, or in a handshake with it.
// R11: continuations have no runs. Locks that compiled code has left out (enter_held) need no Operation: the thread
//      holds the object already, or no other thread has ever seen it.
#pragma once

#include "runtime/base/capabilities.h"
#include "runtime/sync/algorithm.h"
#include "runtime/sync/recording/fresh_locks.h"
#include "runtime/sync/recording/lock_run_claims.h"
#include "runtime/sync/sync_world.h"
#include "runtime/threads/java_thread.h"

namespace keyhole::sync::lock_runs {

using Claims = LockRunClaims<SyncWorld, 4096>;

// Allowed while locks are recorded. Forbidding ends no run: end_all comes after it, world stopped.
void allow(bool allowed);

// The calling thread does something to the object and tells so: operations O of lock_run_claims.h.
class Operation {
 public:
  Operation(JavaThread* thread, u32 number);
  // lock_run_claims.h O2. Before anything is done to the object.
  void end_run_of_other() MAY_SAFEPOINT {
    if (claims_.meets_run()) [[unlikely]] end_by_handshake();
  }
  // lock_run_claims.h O3. The thread holds the lock, at this site.
  void took(const Object* object, u32 site);

 private:
  void end_by_handshake() MAY_SAFEPOINT;

  JavaThread* const thread_;
  const u32 number_;
  Claims::Operation claims_;
};

// The calling thread has released the lock by the snippet, and told so. May begin a run.
void exited(JavaThread* thread, Object* object, u32 number, const Algorithm& row) TOUCHES_OBJECTS;

// What it counts of fresh objects. Null: nothing.
FreshLocks* fresh_of(const JavaThread* thread);

// Of the calling thread: the run of this object, of all objects that it holds, of all objects, ends and is told.
// `beginning`: the record of an enter that is about to be made.
void end(JavaThread* thread, const Object* object, const LockRecord* beginning = nullptr) TOUCHES_OBJECTS;
void end_held(JavaThread* thread) TOUCHES_OBJECTS;
void end_own(JavaThread* thread) TOUCHES_OBJECTS;
// The run has counted as many pairs as it may, and is told. False: the object has no such run.
bool renew(JavaThread* thread, const Object* object) TOUCHES_OBJECTS;

// World stopped, before objects move: all runs end and are told.
void end_all();
void thread_exits(JavaThread* thread);

}  // namespace keyhole::sync::lock_runs
