// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Converts a recording's lock operations into a load for the simulated machine.
//
// L1: the load has the threads that acquired at least a tenth as many locks as the mean thread. Of each thread it takes
//     the same share of its acquisitions, from the first one on, and at most `most_locks` acquisitions in total. The
//     load begins when the program has two threads, or at the program's beginning if it never has two.
// L2: if the first acquisition of a thread follows the last acquisition of another thread, it begins when that thread
//     has ended. All other threads begin at once.
// L3: a wait is ended by the same notify as in the recording. A wait that timed out, or whose notify is not part of the
//     load, becomes a release, a sleep and an enter.
// L4: parking and sleeping become sleeps of the same length.
// L5: recording_cost is subtracted from each period of work.
// L6: if there are more threads than processors, a recorded period is longer than its work when the thread lost its
//     processor meanwhile. So a period that is longer than `suspicious_ns`, and longer than ten times the thread's
//     median, counts as this median. Periods inside and outside of locks have separate medians.
// L7: a virtual thread counts as one thread, whichever carriers it runs on. While it has no carrier, it does no work.
//     If it has parked, this time becomes a sleep (L4). Otherwise the time is dropped, because on the simulated machine
//     the thread would have a processor.
#pragma once

#include <string>

#include "vm/tools/compare/lock_load.h"

namespace keyhole::compare {

// Converts a recording. `problem`: empty, or why the file could not be read to its end.
LockLoad load_of(const std::string& recording, u32 processors, std::string& problem);

}  // namespace keyhole::compare
