// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Finding out what is hot without counting: the sampler's thread arms the polls of threads that are in Java code, and
// their slow path tells the policy what they execute. Code pays nothing for it.
//
//   sampler    ──request_sample──>  poll word of each managed thread
//   the thread    at its next poll: top frame and two callers ──> Policy::note_sample
//
// The thread wakes up once per millisecond while the process uses the processor and something may become hot. When only
// methods were on top that the policy is done with, or that were not seen twice within a tenth of a second, it wakes up
// every ten milliseconds: a wake-up takes up to 17 us of a virtual processor, and who spins for less, there or waiting
// for somebody there, spins in vain. After some ticks in which the process hardly worked, the sampler sleeps on the
// clock of the process's processor time, which stands still in an idle process: an idle VM has no wake-ups
// (SamplingPace).
//
//   every ms ──nothing new for 200 ms──> every 10 ms ──something new──> every ms
//   either ──idle ticks in a row──> asleep until the process has worked for a millisecond ──> either
#pragma once

#include "runtime/threads/java_thread.h"

namespace keyhole::tiers {

class Policy;

// When to wake up next, from what the process did since the last time.
class SamplingPace {
 public:
  static constexpr i64 tick_nanoseconds = 1'000'000, slow_tick_nanoseconds = 10'000'000;
  static constexpr i64 patience_nanoseconds = 200'000'000;
  static constexpr u32 idle_ticks_before_sleep = 8;

  enum class Next : u8 { Tick, WhenBusy };
  // `worked`: processor time of the process since the last wake-up, `elapsed` ago.
  Next next(i64 elapsed, i64 worked);
  // How long to sleep until then. `last_news`: when something that may become hot was on top last.
  static i64 tick(i64 now, i64 last_news) {
    return now - last_news < patience_nanoseconds ? tick_nanoseconds : slow_tick_nanoseconds;
  }

 private:
  u32 idle_ticks_ = 0;
};

// Starts the sampler's thread. Once.
void start_sampler(JavaThread* thread, Policy& policy) MAY_SAFEPOINT;

}  // namespace keyhole::tiers
