// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// What each thread was kept from running by, from when to when.
//
//   events   contended x    owner A             enter x      wait_begin y  waiting      blocked   wait_end y
//   thread   ~~~~~~~~~~|== blocked on x, owner A ==|~~~~~~~~~|=== waiting on y ===|= blocked on y =|~~~~~~~
//
// S1: from lock_contended to the next lock_enter of that object by the thread it is blocked, whatever its state says:
//     it may spin.
// S2: at other times its state says what it does. A thread whose state is blocked between wait_begin and wait_end has
//     been woken and wants the lock again.
// S3: a thread lives from its first event, or the first about it, to thread_end, or to the state terminated. Where no
//     slice says otherwise, it runs, or could.
//     A virtual thread is parked from unmounted, which says so, to mounted, and ends with unmounted, terminated.
// S4: a collector thread, which has no state, sleeps between its works.
#pragma once

#include <array>
#include <vector>

#include "runtime/recorder/recording.h"

namespace keyhole::look {

enum class Doing : u8 { running, blocked, waiting, parked, sleeping };
inline constexpr std::array<std::string_view, 5> doing_names = {"running", "blocked", "waiting", "parked", "sleeping"};

struct Slice {
  i64 begin, end;            // nanoseconds
  u32 thread;
  Doing doing;
  u32 object = 0;            // blocked, waiting: on which
  u32 owner = 0;             // blocked: who held it when that began, 0 = unknown
  u32 site = 0;              // the text of where it is kept
  u32 owner_site = 0;        // ... and of where the owner took the lock
  u32 event = 0;             // the number of the event with which it begins
  // Of several short ones, drawn as one: the shares of its time, in 255ths, that the thread was blocked, waiting,
  // parked, sleeping; the rest of it ran. The fields above are those of the longest. Otherwise all 0.
  std::array<u8, 4> shares{};

  i64 length() const { return end - begin; }
};

struct Life {                // of a thread
  u32 id;
  i64 begin, end;
  u64 events = 0;
};

struct Slices {
  std::vector<Slice> all;  // in the order of their beginnings; none of them running
  std::vector<Life> threads; // in the order of their beginnings
};

Slices slices_of(const recorder::Recording& recording);

}  // namespace keyhole::look
