// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The times at which each thread was kept from running, with the reason.
//
//   events   contended x    owner A             enter x      wait_begin y  waiting      blocked   wait_end y
//   thread   ~~~~~~~~~~|== blocked on x, owner A ==|~~~~~~~~~|=== waiting on y ===|= blocked on y =|~~~~~~~
//
// S1: a thread is blocked from lock_contended to its next lock_enter of that object, whatever its state says, because
//     it may spin.
// S2: at other times its state decides. A thread whose state is blocked between wait_begin and wait_end has
//     been woken and wants the lock again.
// S3: a thread exists from the first event that it records or that names it, to thread_end or the state `terminated`.
//     Outside of slices it is runnable. A virtual thread is parked between `unmounted` and `mounted`, and ends with an
//     `unmounted` in the state `terminated`.
// S4: a collector thread has no recorded state; it sleeps between its shares of work.
// S5: a thread of the VM or the class library (own_threads.h) that is runnable counts as sleeping, except while it
//     compiles: most of these threads wait inside the VM, which no state says.
// S6: a parked thread waits for the object of its last event `park`, and for the owner of its last `park_owner`.
#pragma once

#include <array>
#include <vector>

#include "runtime/recorder/recording.h"

namespace keyhole::look {

enum class Doing : u8 { running, blocked, waiting, parked, sleeping };
inline constexpr std::array<std::string_view, 5> doing_names = {"running", "blocked", "waiting", "parked", "sleeping"};

struct Slice {
  i64 begin, end;  // nanoseconds
  u32 thread;
  Doing doing;
  u32 object = 0;      // blocked, waiting, parked: the object
  u32 owner = 0;       // blocked, parked: the owner at the beginning, 0 = unknown
  u32 site = 0;        // a text: the place where it is blocked
  u32 owner_site = 0;  // a text: the place where the owner acquired the lock
  u32 event = 0;       // the number of the event with which it begins
  // In a slice merged from several short ones: the shares of its time, in 255ths, during which the thread was blocked,
  // waiting, parked, sleeping; it ran during the rest. The other fields are those of the longest slice. Otherwise 0.
  std::array<u8, 4> shares{};

  i64 length() const { return end - begin; }
};

struct Life {  // of a thread
  u32 id;
  i64 begin, end;
  u64 events = 0;
};

struct Slices {
  std::vector<Slice> all;     // ordered by their beginnings; none of them is running
  std::vector<Life> threads;  // ordered by their beginnings
};

Slices slices_of(const recorder::Recording& recording);

}  // namespace keyhole::look
