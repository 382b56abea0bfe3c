// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs the sampler's thread.
#include "jit/code/sampler.h"

#include <time.h>

#include <algorithm>

#include "jit/code/policy.h"
#include "runtime/base/log.h"
#include "runtime/base/platform/hardware_world.h"
#include "runtime/threads/safepoint.h"
#include "runtime/threads/thread_state.h"
#include "runtime/threads/threads.h"

namespace keyhole::tiers {

// A process that uses less than a tenth of one processor counts as idle. The sampler itself, and threads that only
// check the time now and then, together use less than that.
SamplingPace::Next SamplingPace::next(i64 elapsed, i64 worked) {
  idle_ticks_ = worked * 10 < elapsed ? idle_ticks_ + 1 : 0;
  if (idle_ticks_ < idle_ticks_before_sleep) return Next::Tick;
  idle_ticks_ = 0;
  return Next::WhenBusy;
}

namespace {

Policy* the_policy = nullptr;  // set before the thread starts

i64 processor_nanoseconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return time.tv_sec * 1'000'000'000 + time.tv_nsec;
}

void sleep_for(clockid_t clock, i64 nanoseconds) {
  timespec time{.tv_sec = 0, .tv_nsec = nanoseconds};
  clock_nanosleep(clock, 0, &time, nullptr);
}

void arm(JavaThread* target) {
  ThreadState state = target->state.load(std::memory_order_relaxed);
  bool is_managed = state == ThreadState::InJava || state == ThreadState::InVM;
  if (is_managed && !target->vm_internal) safepoint::request_sample(target);
}

void sample(JavaThread* thread) MAY_SAFEPOINT {
  SamplingPace pace;
  i64 now = hardware::now_nanoseconds(), worked = processor_nanoseconds();
  // Sampling begins with fast ticks, because the start of the sampler counts as news: it has the effect of a sample
  // that may make a method hot (sampler.h).
  const i64 started = now;
  for (;;) {
    i64 last = now, last_worked = worked;
    {
      BlockedScope blocked(thread);
      sleep_for(CLOCK_MONOTONIC, SamplingPace::tick(now, std::max(the_policy->last_news(), started)));
      now = hardware::now_nanoseconds();
      worked = processor_nanoseconds();
      if (pace.next(now - last, worked - last_worked) == SamplingPace::Next::WhenBusy) {
        KEYHOLE_LOG(trace, jit_sampling, "idle");
        sleep_for(CLOCK_PROCESS_CPUTIME_ID, SamplingPace::tick_nanoseconds);
        now = hardware::now_nanoseconds();
        worked = processor_nanoseconds();
      }
    }
    threads::for_each_current(arm);
    the_policy->end_expired_intervals(thread, now);
    if (tier() != nullptr) tier()->retire_failing();
  }
}

}  // namespace

void start_sampler(JavaThread* thread, Policy& policy) {
  the_policy = &policy;
  auto prepare = [](JavaThread* started, void*) { started->vm_name = "Sampler"; };
  if (threads::start(0, true, true, prepare, nullptr, sample) == nullptr)
    KEYHOLE_LOG(warning, jit_sampling, "no thread for sampling: thread {} finds nothing hot", thread->id);
}

}  // namespace keyhole::tiers
