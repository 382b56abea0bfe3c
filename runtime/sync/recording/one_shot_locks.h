// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// OneShotLocks: coalesces the events of locks that are taken once each. A thread locks one new object after another, as
// Throwable.fillInStackTrace does. One count then replaces, for each object, two lock events, a numbering event and a
// death event.
//
//   object   lock_enter   lock_exit  |  taken, released and counted, under the number of a placeholder
//            64 pairs in a row of one site and class,     object (X, one-shot locks) ... lock_pairs ... lock_pairs
//            each with an object without a number
//
// W1: an object whose pair is counted has no number before the enter nor after the exit. So no event names it.
// W2: a pair is pending from its enter to its exit. In three cases the pending enter is recorded, with its own time:
//     the thread makes another recorded operation before the exit, the exit takes the slow path, or the object has a
//     number at the exit. So no pair is lost, and a recording names the holder for which another thread waits. The exit
//     of an object without a number reads no clock; if it is recorded after all, it has the time of its enter.
// W3: the same object twice in a row is not a one-shot lock: this pair and the next ones are recorded one by one.
// W4: before objects move or classes die, all pending enters and counts are recorded and forgotten.
// W5: continuations count no one-shot locks (R11 of coalescing.h).
#pragma once

#include <array>

#include "runtime/base/capabilities.h"
#include "runtime/sync/algorithm.h"
#include "runtime/threads/java_thread.h"

namespace keyhole::sync {

// The one-shot locks of one thread.
class OneShotLocks {
 public:
  // Called before the thread enters this object at this site. Returns true if the enter may stay pending, provided that
  // it takes the fast path. A pending enter is not recorded until its exit shows whether the pair can be counted. The
  // caller has checked that the recorder has not numbered the object.
  bool may_count(const Object* object, u32 site) const TOUCHES_OBJECTS;
  // Keeps an enter that took the fast path as the pending enter, which is not recorded yet. word: the header's lock
  // bits before and after the enter.
  void took(const Object* object, const LockRecord* record, u32 site, u64 time, u32 word) TOUCHES_OBJECTS;
  bool is_pending(const LockRecord* record) const { return pending_.record == record; }
  u64 time_of_pending() const { return pending_.time; }
  // Called when the exit that belongs to the pending enter took the fast path, too. Returns true if enter and exit are
  // counted as a pair. Otherwise this function has recorded the enter, and the caller has to record the exit.
  bool counts(JavaThread* thread, const Object* object) TOUCHES_OBJECTS;
  // Records the pending enter (W2). is_caller: true if `thread` itself calls, false if another thread has stopped
  // `thread` and calls.
  void record_pending(JavaThread* thread, bool is_caller) TOUCHES_OBJECTS;

  // Called for each enter and each exit that is recorded one by one.
  void recorded_enter(const LockRecord* record, u32 site, bool is_new) { recorded_ = {record, site, is_new}; }
  void recorded_exit(JavaThread* thread, const Object* object, const LockRecord* record) TOUCHES_OBJECTS;

  // Records the pending enter and all counts, and clears this OneShotLocks (W4). Called with the world stopped, or by
  // `thread` when it ends. is_caller: true if `thread` itself calls, false if another thread calls.
  void end(JavaThread* thread, bool is_caller) TOUCHES_OBJECTS;

 private:
  struct Site {
    u32 site = 0, klass_id = 0;
    u32 streak = 0;       // successive enter/exit pairs recorded one by one, each of an object not numbered before
    u32 placeholder = 0;  // the number of the placeholder
    u32 pairs = 0;        // enter/exit pairs counted and not recorded yet
    u64 since = 0, last = 0;
  };
  struct Pending {
    const LockRecord* record = nullptr;
    u32 site = 0, word = 0;
    u64 time = 0;
  };
  struct Recorded {
    const LockRecord* record = nullptr;
    u32 site = 0;
    bool is_new = false;
  };

  static u32 place_of(u32 site) { return site % 16; }
  bool is_of(const Site& each, const Object* object, u32 site) const TOUCHES_OBJECTS;
  void record_pairs(const JavaThread* thread, Site& each, bool is_caller) const;

  std::array<Site, 16> sites_;
  Pending pending_;
  Recorded recorded_;
  u32 last_counted_ = 0;  // recorder::address_key of the object whose pair was counted last
};

}  // namespace keyhole::sync
