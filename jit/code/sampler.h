// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Sampler: a thread that arms the safepoint polls of threads in Java code. Their slow path reports to the policy what
// they execute. Code needs no counters and no extra instructions.
//
//   sampler    ──request_sample──>  poll word of each managed thread
//   the thread    at its next poll: top frame and two callers ──> Policy::note_sample
//
// The sampler wakes up every millisecond while the process uses the processor and a method may become hot. It wakes up
// every ten milliseconds when all samples lately were of methods that are queued, compiled or refused, or that were not
// sampled twice within a tenth of a second. The reason: each wake-up takes a virtual processor away for up to 17 us,
// and spins are shorter. A thread that spins on this processor, or for a thread on it, gives up in vain. After some
// ticks in which the process hardly worked, the sampler sleeps on the clock of the process's processor time, which
// stands still in an idle process. So an idle VM has no wake-ups (SamplingPace).
//
//   every ms ──nothing new for 200 ms──> every 10 ms ──something new──> every ms
//   either ──idle ticks in a row──> asleep until the process has worked for a millisecond ──> either
#pragma once

#include "runtime/threads/java_thread.h"

namespace keyhole::tiers {

class Policy;

// Chooses the next wake-up from the work of the process since the last one.
class SamplingPace {
 public:
  static constexpr i64 tick_nanoseconds = 1'000'000, slow_tick_nanoseconds = 10'000'000;
  static constexpr i64 patience_nanoseconds = 200'000'000;
  static constexpr u32 idle_ticks_before_sleep = 8;

  enum class Next : u8 { Tick, WhenBusy };
  // The next wake-up. The last one was `elapsed` ago, and the process has used the processor for `worked` since.
  Next next(i64 elapsed, i64 worked);
  // Nanoseconds until the next wake-up. `last_news` is Policy::last_news.
  static i64 tick(i64 now, i64 last_news) {
    return now - last_news < patience_nanoseconds ? tick_nanoseconds : slow_tick_nanoseconds;
  }

 private:
  u32 idle_ticks_ = 0;
};

// Starts the sampler's thread. Call it once.
void start_sampler(JavaThread* thread, Policy& policy) MAY_SAFEPOINT;

}  // namespace keyhole::tiers
