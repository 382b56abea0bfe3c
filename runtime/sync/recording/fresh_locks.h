// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Fresh objects: a thread takes the lock of one new object after the other, each once, as Throwable.fillInStackTrace
// does. Number, two events and death of each would say nothing that one number does not say.
//
//   object   lock_enter   lock_exit  |  taken and released, and counted, under the number of a stand-in
//            64 pairs of a site and class in a row, each      object (X, fresh ones) ... lock_pairs ... lock_pairs
//            with an object that has had no number
//
// W1: what is counted has no number, before it is taken and after it was released: no event names it.
// W2: from enter to exit the pair is pending. As soon as its thread does anything else that is told, or the exit is no
//     fast path, or the object has a number then, the enter is told, with the time that it had: so no pair is lost, and
//     who makes another thread wait is known.
//     An exit reads no clock as long as nobody knows the object: one that is told all the same has the enter's time.
// W3: one object twice in a row is none that is taken once: it is told, and so are the next ones.
// W4: before objects move or classes die all is told and forgotten.
// W5: not those of continuations, as with runs (R11 of lock_runs.h).
#pragma once

#include <array>

#include "runtime/base/capabilities.h"
#include "runtime/sync/algorithm.h"
#include "runtime/threads/java_thread.h"

namespace keyhole::sync {

// A thread's.
class FreshLocks {
 public:
  // Whether its next enter, of this object and at this site, may be pending if it is a fast path. The object's number
  // is not known to the thread.
  bool may_count(const Object* object, u32 site) const TOUCHES_OBJECTS;
  // It was. word: the header's lock bits before and after.
  void took(const Object* object, const LockRecord* record, u32 site, u64 time, u32 word) TOUCHES_OBJECTS;
  bool is_pending(const LockRecord* record) const { return pending_.record == record; }
  u64 time_of_pending() const { return pending_.time; }
  // Its exit was a fast path, too. False: it is to be told, after the enter, which has been told here.
  bool counts(JavaThread* thread, const Object* object) TOUCHES_OBJECTS;
  // W2. Not by the thread itself if it is stopped.
  void tell_pending(JavaThread* thread, bool is_caller) TOUCHES_OBJECTS;

  // A pair that was told.
  void told_enter(const LockRecord* record, u32 site, bool is_new) { told_ = {record, site, is_new}; }
  void told_exit(JavaThread* thread, const Object* object, const LockRecord* record) TOUCHES_OBJECTS;

  // W4. World stopped, or by the thread itself, which ends.
  void end(JavaThread* thread, bool is_caller) TOUCHES_OBJECTS;

 private:
  struct Site {
    u32 site = 0, klass_id = 0;
    u32 streak = 0;      // pairs told in a row, of objects that had no number
    u32 stand_in = 0;    // its number
    u32 pairs = 0;       // counted and not told
    u64 since = 0, last = 0;
  };
  struct Pending {
    const LockRecord* record = nullptr;
    u32 site = 0, word = 0;
    u64 time = 0;
  };
  struct Told {
    const LockRecord* record = nullptr;
    u32 site = 0;
    bool is_new = false;
  };

  static u32 place_of(u32 site) { return site % 16; }
  bool is_of(const Site& each, const Object* object, u32 site) const TOUCHES_OBJECTS;
  void tell_pairs(const JavaThread* thread, Site& each, bool is_caller) const;

  std::array<Site, 16> sites_;
  Pending pending_;
  Told told_;
  u32 last_counted_ = 0;   // by address; of the objects counted the last one
};

}  // namespace keyhole::sync
