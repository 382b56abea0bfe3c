// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// All waits of threads, with their owners and wakers, from one pass over a recording.
//
//   kind      from                          to                      owner                woken by
//   monitor   lock_contended                lock_enter              lock_owner           -
//   object    wait_begin                    the next thread_state   -                    the thread that records that
//             of the waiter, or wait_end                                                 state, if it is another one
//   park      thread_state, unmounted:      the next thread_state   park_owner           the last unpark before the end
//             parked                        or mounted
//   sleep     thread_state: sleeping        the next thread_state   -                    -
//
// W1: a wait without an end in the recording lasts until `end`, and `has_ended` is false.
// W2: a parked thread waits for the object of its last event `park`, if no other state of the thread came between.
// W3: nobody records that a thread acquires a lock of java.util.concurrent. A thread that has waited for one and
//     continues counts as its owner until another park_owner says otherwise.
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
  u32 site = 0;        // a text: the place where the thread waits
  u32 owner_site = 0;  // a text: the place where the owner had acquired the monitor
  u32 event = 0;       // the number of the event with which it begins
  u32 woken_by = 0;    // a thread; 0: unknown, or nobody
  u32 queued = 0;      // the threads that already waited for the same object
  u64 overtaken = 0;   // monitor: how often other threads acquired it meanwhile

  i64 length() const { return end - begin; }
  bool is_for_lock() const { return kind == Kind::monitor || (kind == Kind::park && owner != 0); }
};

struct Hold {  // of a monitor
  u32 thread = 0, levels = 0, site = 0, event = 0;
  i64 since = 0;
};
struct HoldFacts {  // of one object's monitor
  u64 enters = 0;   // by the outermost level; coalesced pairs included
  u64 timed = 0;    // enters whose holds have a length
  i64 total = 0;    // of those
  i64 longest_begin = 0, longest = -1;
  u32 longest_thread = 0, longest_site = 0, longest_event = 0;
};
struct NotifyFacts {  // of one object
  u32 last_thread = 0, last_site = 0, last_event = Wait::no_event;
  bool has_woken = false;  // a thread was waiting at the last one
};

struct WaitFacts {
  std::vector<Wait> waits;  // ordered by their ends; those that have not ended come last
  std::unordered_map<u32, HoldFacts> holds;
  std::unordered_map<u32, Hold> held;                  // at the end, by object
  std::unordered_map<u32, NotifyFacts> notified;       // by object
  std::unordered_map<u32, u32> synchronizer_owners;    // at the end, by object (W3)
  std::unordered_map<u32, std::pair<i64, i64>> lives;  // by thread: its first and last event, or its end
  i64 begin = 0, end = 0;
};

// Events after `end` are not read.
WaitFacts wait_facts_of(const recorder::Recording& recording, i64 end);

}  // namespace keyhole::recording
