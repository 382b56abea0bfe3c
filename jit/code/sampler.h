// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Sampler: a thread that arms the safepoint polls of threads in Java code. In the slow path of its next poll, a thread
// reports the methods that it executes to the policy. Compiled code needs no counters and no additional instructions
// for this.
//
//   sampler    ──request_sample──>  poll word of each managed thread
//   the thread    at its next poll: top frame and two callers ──> Policy::note_sample
//
// The sampler wakes up every millisecond while the process uses the processor and some method may become hot. It wakes
// up only every ten milliseconds if no sample of the last 200 ms was news. A sample is no news if its method is queued,
// compiled or refused, or was not sampled twice within a tenth of a second. Fewer wake-ups help spin locks: a wake-up
// takes a virtual processor away for up to 17 us, which is longer than threads spin. So a thread that spins on this
// processor, or waits for an owner on it, gives up spinning too early. When the process has hardly worked for some
// ticks, the sampler sleeps on the clock of the process's processor time, which does not advance in an idle process. So
// an idle VM has no wake-ups (SamplingPace).
//
//   every ms ──nothing new for 200 ms──> every 10 ms ──something new──> every ms
//   either ──idle ticks in a row──> asleep until the process has worked for a millisecond ──> either
#pragma once

#include "runtime/threads/java_thread.h"

namespace keyhole::tiers {

class Policy;

// SamplingPace: chooses the time of the next wake-up from the processor time used since the last wake-up.
class SamplingPace {
 public:
  static constexpr i64 tick_nanoseconds = 1'000'000, slow_tick_nanoseconds = 10'000'000;
  static constexpr i64 patience_nanoseconds = 200'000'000;
  static constexpr u32 idle_ticks_before_sleep = 8;

  enum class Next : u8 { Tick, WhenBusy };
  // Decides whether the sampler wakes up after a tick, or only when the process is busy again. `elapsed` is the time
  // since the last wake-up, and `worked` the processor time that the process has used since then.
  Next next(i64 elapsed, i64 worked);
  // Returns the nanoseconds until the next wake-up. `last_news` is the time of the latest sample that may make a method
  // hot (Policy::last_news).
  static i64 tick(i64 now, i64 last_news) {
    return now - last_news < patience_nanoseconds ? tick_nanoseconds : slow_tick_nanoseconds;
  }

 private:
  u32 idle_ticks_ = 0;
};

// Starts the sampler's thread. Called once.
void start_sampler(JavaThread* thread, Policy& policy) MAY_SAFEPOINT;

}  // namespace keyhole::tiers
