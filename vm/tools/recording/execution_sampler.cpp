// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs the execution sampler's thread.
#include "vm/tools/recording/execution_sampler.h"

#include <time.h>

#include <utility>

#include "runtime/base/flags.h"
#include "runtime/base/mutex.h"
#include "runtime/base/print.h"
#include "runtime/recorder/recorder.h"
#include "runtime/threads/safepoint.h"
#include "runtime/threads/thread_state.h"
#include "runtime/threads/threads.h"

namespace keyhole::recording {

namespace {

Mutex sampler_mutex{LockRank::execution_sampler};
bool sampler_runs GUARDED_BY(sampler_mutex) = false;  // E1

bool is_wanted() { return recorder::is_on(recorder::Family::samples) && flags::ExecutionSampleInterval != 0; }

// E1: the sampler decides to end under the mutex, so a recording that starts meanwhile either keeps this sampler, or
// finds that none runs.
bool ends() {
  MutexLock guard(sampler_mutex);
  sampler_runs = is_wanted();
  return !sampler_runs;
}

void request(JavaThread* target) {
  ThreadState state = target->state.load(std::memory_order_relaxed);
  bool runs_java = state == ThreadState::InJava || state == ThreadState::InVM;
  if (runs_java && !target->vm_internal) safepoint::request_execution_sample(target);
}

void sample(JavaThread* thread) MAY_SAFEPOINT {
  constexpr i64 milliseconds_of_second = 1000, nanoseconds_of_millisecond = 1'000'000;
  const i64 interval = flags::ExecutionSampleInterval;
  const timespec length{.tv_sec = interval / milliseconds_of_second,
                        .tv_nsec = interval % milliseconds_of_second * nanoseconds_of_millisecond};
  while (!ends()) {
    {
      BlockedScope blocked(thread);
      clock_nanosleep(CLOCK_MONOTONIC, 0, &length, nullptr);
    }
    threads::for_each_current(request);
  }
}

}  // namespace

void start_execution_sampler(JavaThread* thread) {
  if (!is_wanted()) return;
  {
    MutexLock guard(sampler_mutex);
    if (std::exchange(sampler_runs, true)) return;
  }
  auto prepare = [](JavaThread* started, void*) { started->vm_name = "Execution Sampler"; };
  if (threads::start(0, /*daemon=*/true, /*vm_internal=*/true, prepare, nullptr, sample) != nullptr) return;
  MutexLock guard(sampler_mutex);
  sampler_runs = false;
  print_text(stderr, "[warning] thread {} cannot start the execution sampler: the recording has no samples\n",
             thread->id);
}

}  // namespace keyhole::recording
