// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The time that a queued thread spins before it parks, for algorithms without adaptive spinning: those with direct
// hand-over.
//
// A thread spins for half of the time that parking costs. Spinning up to the cost of parking takes at most twice as
// long as an optimal decision (the ski rental argument). A hand-over by futex costs between 1.6 us (two context
// switches on one processor) and some 10 us (waking a sleeping processor); a PAUSE costs between 10 and 140 cycles. So
// the time is fixed, and the number of reads is measured.
#pragma once

#include "runtime/base/types.h"

namespace keyhole::sync {

inline constexpr i64 spin_nanoseconds = 5'000;

// -XX:SpinPauses, or the number of reads with a PAUSE that take spin_nanoseconds on this machine; 0 on one processor.
u32 spin_reads();

}  // namespace keyhole::sync
