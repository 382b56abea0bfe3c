// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Slices: the time intervals in which a thread could not run, each with the reason.
//
//   events   contended x    owner A             enter x      wait_begin y  waiting      blocked   wait_end y
//   thread   ~~~~~~~~~~|== blocked on x, owner A ==|~~~~~~~~~|=== waiting on y ===|= blocked on y =|~~~~~~~
//
// S1: a thread is blocked from lock_contended to its next lock_enter of the same object. Its recorded state is ignored
//     during that time, because a spinning thread has the state runnable.
// S2: at other times, the thread's recorded state decides. If the state is blocked between wait_begin and wait_end, the
//     thread has been woken and waits to reacquire the lock.
// S3: a thread exists from the first event that it records or that names it, to thread_end or the state `terminated`.
//     Outside of slices it is runnable. A virtual thread is parked between `unmounted` and `mounted`, and ends with an
//     `unmounted` in the state `terminated`.
// S4: a collector thread has no recorded state. It counts as sleeping between its pieces of work.
// S5: a runnable thread of the VM or the class library (own_threads.h) counts as sleeping, except while it compiles.
//     Most of these threads wait inside the VM, where their state remains runnable.
// S6: a parked thread waits for the object of its last event `park`, and for the owner of its last `park_owner`. If the
//     lock was free at that time, and had no owner, the next thread that acquires it counts as the owner.
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
  u32 owner = 0;       // blocked, parked: the lock's owner when the slice begins, 0 = unknown
  u32 site = 0;        // number of a text: the source line where the thread is blocked
  u32 owner_site = 0;  // number of a text: the source line where the owner acquired the lock
  u32 event = 0;       // number of the event that begins the slice
  // In a slice merged from several short slices: the shares of its time, in 255ths, during which the thread was
  // blocked, waiting, parked, sleeping. The thread ran during the rest. The other fields are those of the longest slice
  // merged. In an exact slice, the shares are 0.
  std::array<u8, 4> shares{};

  i64 length() const { return end - begin; }
};

struct Life {  // of a thread
  u32 id;
  i64 begin, end;
  u64 events = 0;
};

struct Slices {
  std::vector<Slice> all;     // ordered by begin time; no slice has the state running
  std::vector<Life> threads;  // ordered by their beginnings
};

Slices slices_of(const recorder::Recording& recording);

}  // namespace keyhole::look
