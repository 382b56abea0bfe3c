// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes in one pass over a recording all waits of threads, each with the lock's owner and the thread that ended the
// wait.
//
//   kind      from                          to                      owner                woken by
//   monitor   lock_contended                lock_enter              lock_owner           -
//   object    wait_begin                    the next thread_state   -                    the thread that records that
//             of the waiter, or wait_end                                                 state, if it is another one
//   park      thread_state, unmounted:      the next thread_state   park_owner           the last unpark before the end
//             parked                        or mounted
//   sleep     thread_state: sleeping        the next thread_state   -                    -
//
// W1: if the recording has no end of a wait, the wait lasts until `end`, and its `has_ended` is false.
// W2: a parked thread waits for the object of its last event `park`, unless the thread was in another state since that
//     event.
// W3: locks of java.util.concurrent have owners by synchronizer_acquired and synchronizer_released. A recording that
//     begins in a running VM lacks these events. There, a thread that continues after it waited for such a lock counts
//     as the lock's owner until an event park_owner names another thread. If a lock has no owner when a thread parks
//     for it (a fair lock that was just handed over), the next thread that acquires it counts as the owner of the wait.
// W4: a recording that begins in a running VM has an event recording_joins, and lacks the lock operations of the fast
//     path. In such a recording, an event lock_owner corrects `held`, and no hold is timed. At the end, lock_owner and
//     park_owner name the owners of all locks that threads wait for.
#pragma once

#include <unordered_map>
#include <vector>

#include "runtime/recorder/recording.h"

namespace keyhole::recording {

struct Wait {
  enum class Kind : u8 { monitor, object, park, sleep };
  static constexpr u32 no_event = ~0u;

  i64 begin = 0, end = 0;  // nanoseconds
  u32 thread = 0;
  Kind kind = Kind::sleep;
  bool timed = false, has_ended = false;
  u32 object = 0;      // 0: none, or unknown
  u32 owner = 0;       // 0: unknown
  u32 site = 0;        // number of a text: the source line where the thread waits
  u32 owner_site = 0;  // number of a text: the source line where the owner acquired the lock
  u32 event = 0;       // number of the event that begins the wait
  u32 woken_by = 0;    // the thread that ended the wait; 0: unknown, or nobody
  u32 queued = 0;      // number of threads that already waited for the object when this wait began
  u64 overtaken = 0;   // number of repeated acquisitions by other threads during the wait

  i64 length() const { return end - begin; }
  bool is_for_lock() const { return kind == Kind::monitor || (kind == Kind::park && owner != 0); }
};

struct Hold {  // the fact that one thread holds a lock: a monitor, or a lock of java.util.concurrent
  u32 thread = 0, levels = 0, site = 0, event = 0;
  i64 since = 0;
};
struct HoldFacts {  // of one object's lock
  u64 enters = 0;   // number of outermost acquisitions, including those of coalesced pairs
  u64 timed = 0;    // number of acquisitions whose hold time is known
  i64 total = 0;    // sum of these known hold times
  i64 longest_begin = 0, longest = -1;
  u32 longest_thread = 0, longest_site = 0, longest_event = 0;

  i64 average() const { return timed == 0 ? 0 : total / static_cast<i64>(timed); }
};
struct NotifyFacts {  // of one object
  u32 last_thread = 0, last_site = 0, last_event = Wait::no_event;
  bool has_woken = false;  // the last notify of this object found a waiting thread
};

struct WaitFacts {
  std::vector<Wait> waits;  // ordered by end time; waits without an end come last
  std::unordered_map<u32, HoldFacts> holds;
  std::unordered_map<u32, Hold> held;                // by object: the hold of its lock that lasts at the end
  std::unordered_map<u32, NotifyFacts> notified;     // by object
  std::unordered_map<u32, u32> synchronizer_owners;  // by object: the owner at the end of the recording (W3)
  // by thread: the times of the first and the last event that it recorded, or that changed its state
  std::unordered_map<u32, std::pair<i64, i64>> lives;
  i64 begin = 0, end = 0;
  bool lacks_fast_paths = false;  // W4
};

// Ignores events after `end`.
WaitFacts wait_facts_of(const recorder::Recording& recording, i64 end);

}  // namespace keyhole::recording
