// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A recording's locks as a load for the simulated machine.
//
// L1: of the threads, those that took a tenth as many locks as the mean, or more. Of each the same share of its locks,
//     from its first one, so that all together are at most `most_locks`. The load begins when there are two threads, if
//     there ever are.
// L2: a thread that came when another had taken its last lock begins when that has ended; all others begin at once.
// L3: a wait ends by the notify that ended it. One that ran out, or that nothing in the load ended, is a release, a
//     sleep, and a lock.
// L4: where a thread parked or slept, the load sleeps as long.
// L5: recording_cost is taken off each stretch of work.
// L6: with more threads than processors a stretch is longer than its work when the thread has lost its processor in
//     it. So one that is longer than `suspicious_ns`, and than ten times the median of its thread's, counts as this
//     median. Stretches inside locks and outside have medians of their own.
// L7: a virtual thread is a thread, on whatever carriers. While it has none it does no work: it sleeps, if it parked
//     (L4), or the time is left out, because there it would have a processor.
#pragma once

#include <string>

#include "vm/tools/compare/lock_load.h"

namespace keyhole::compare {

// `problem`: empty, or why the file could not be read to its end.
LockLoad load_of(const std::string& recording, u32 processors, std::string& problem);

}  // namespace keyhole::compare
