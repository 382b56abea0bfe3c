// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Sorts events of locks into the order in which they must have happened.
//
//   as dated                             as it was
//   50  B  lock_enter    x               60  A  lock_exit     x
//   60  A  lock_exit     x               60  B  lock_enter    x
//   70  B  lock_exit     x               70  B  lock_exit     x
//
// Each processor dates its events by its own counter. On a virtual machine two of them may differ by more than a lock
// needs to go from one processor to the other, and then an enter comes before the exit that made room for it.
//
// O1: an enter (or the end of a wait) may be dated up to `clock_difference_nanoseconds` before the exit (or wait) by
//     which the holder gives up its last level. It is then moved after that exit, and gets its time.
// O2: a thread's events keep their order: the thread's events between the enter's old and new place move with the
//     enter.
// O3: an enter that O1 does not move keeps its place, because no difference of clocks explains it.
// O4: the exit is searched only among the next `most_entries_between` entries. A damaged file may say that each of two
//     threads waits for a lock that the other thread holds; moving each enter after the other exit would never end. So
//     one of the enters keeps its place.
#pragma once

#include <vector>

#include "runtime/recorder/recording.h"

namespace keyhole::recorder {

inline constexpr i64 clock_difference_nanoseconds = 2000;
inline constexpr i64 most_entries_between = 4096;

// Moves enters after the exits that they must follow. `entries` are sorted by their times, before and afterwards.
void put_enters_after_exits(std::vector<Entry>& entries);

}  // namespace keyhole::recorder
