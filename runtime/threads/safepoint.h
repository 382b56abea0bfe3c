// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Safepoints: every Java thread stopped at a poll, or in a state that touches no objects.
//
//   coordinator                                   mutator
//   1 take the operation lock (itself a safe
//     state: it waits as Blocked)
//   2 set poll of each current thread, full fence
//   3 wait until each is safe or parked here      poll != 0 -> poll_slow: state = Blocked, wait for the end
//   4 run the operation
//   5 clear polls, wake all                       state = what it was, go on
//
// One operation at a time; new threads cannot become managed while one is in progress. Java code polls at backward
// branches and method entries. docs/safepoints.md says why it does not poll at returns.
#pragma once

#include "runtime/base/capabilities.h"
#include "runtime/threads/java_thread.h"
#include "runtime/threads/no_safepoint.h"

namespace keyhole::safepoint {

// Runs operation(context) on the calling thread, which must be InVM, with all other threads stopped. If the operation
// moves objects, the caller's own raw pointers are stale afterwards.
void run(JavaThread* thread, const char* name, void (*operation)(void* context), void* context) MAY_SAFEPOINT;
// Runs a function object as the operation. An operation marked WORLD_STOPPED has the capability MUTATOR, because it
// runs while the world is stopped.
template <typename Operation> MAY_SAFEPOINT void run(JavaThread* thread, const char* name, Operation& operation) {
  auto call = [](void* context) REQUIRES(MUTATOR) { (*static_cast<Operation*>(context))(); };
  run(thread, name, call, &operation);
}
bool in_progress();

// Totals of safepoints since the start.
struct Totals {
  u64 count = 0;
  // stopping_nanoseconds: the sum of the times from a request until all threads have stopped. stopped_nanoseconds: the
  // sum of the times from a request to the end of its operation.
  i64 stopping_nanoseconds = 0, stopped_nanoseconds = 0;
};
Totals totals();

// The slow half of a poll: waits for a safepoint in progress, runs handshakes addressed to this thread, and, under
// GCStressSafepointInterval, asks the heap for a collection. May move objects.
void poll_slow(JavaThread* thread) MAY_SAFEPOINT;
inline void poll(JavaThread* thread) MAY_SAFEPOINT {
  check_may_safepoint();
  if (thread->poll.load(std::memory_order_acquire) != 0) [[unlikely]]
    poll_slow(thread);
}

// For GCStressSafepointInterval: all polls of an armed thread are slow. If code polls in an instruction and then
// executes this instruction again, it disarms the thread meanwhile; otherwise it would poll for ever.
void arm_stress(JavaThread* thread);
void disarm_stress(JavaThread* thread);

// The thread's next poll in Java code takes a sample of the code that it executes (vm/interpreter/tier_policy.h). Any
// managed thread may request it. The target takes the request once, at a poll where its frames can be walked.
void request_sample(JavaThread* target);
bool is_sample_requested(const JavaThread* thread);
bool take_sample_request(JavaThread* thread);
// The same for the execution samples of a recording (vm/frames/execution_sample.h).
void request_execution_sample(JavaThread* target);
bool take_execution_sample_request(JavaThread* thread);
// Called by the slow path of a method entry. Returns true if the entry took the slow path only because a sample was
// requested, or because `entry_limit` was still null after a poll. The request for the sample is then withdrawn, and
// the entry may be tried again.
bool pass_entry(JavaThread* thread);

// The function that poll_slow calls for GC stress; installed by the heap.
extern void (*stress_hook)(JavaThread* thread);

}  // namespace keyhole::safepoint
