// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Finding out what is hot without counting: the sampler's thread arms the polls of threads that are in Java code, and
// their slow path tells the policy what they execute. Code pays nothing for it.
//
//   sampler    ──request_sample──>  poll word of each managed thread
//   the thread    at its next poll: top frame and two callers ──> Policy::note_sample
//
// The thread wakes up once per millisecond while the process uses the processor. After some milliseconds in which it
// hardly did, the sampler sleeps on the clock of the process's processor time, which stands still in an idle process:
// an idle VM has no wake-ups (SamplingPace).
//
//   busy ──idle ticks in a row──> asleep until the process has worked for a millisecond ──> busy
#pragma once

#include "runtime/threads/java_thread.h"

namespace keyhole::tiers {

class Policy;

// When to wake up next, from what the process did since the last time.
class SamplingPace {
 public:
  static constexpr i64 tick_nanoseconds = 1'000'000;
  static constexpr u32 idle_ticks_before_sleep = 8;

  enum class Next : u8 { Tick, WhenBusy };
  // `worked`: processor time of the process since the last wake-up, `elapsed` ago.
  Next next(i64 elapsed, i64 worked);

 private:
  u32 idle_ticks_ = 0;
};

// Starts the sampler's thread. Once.
void start_sampler(JavaThread* thread, Policy& policy) MAY_SAFEPOINT;

}  // namespace keyhole::tiers
