// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Safepoints, handshakes and state transitions: the protocol of safepoint_protocol.h in the hardware world, with its
// log lines.
#include "runtime/threads/safepoint.h"

#include <vector>

#include "runtime/base/check.h"
#include "runtime/base/flags.h"
#include "runtime/base/log.h"
#include "runtime/base/platform/event_ring.h"
#include "runtime/base/safe_state.h"
#include "runtime/recorder/recorder.h"
#include "runtime/recorder/texts.h"
#include "runtime/threads/continuations/continuation.h"
#include "runtime/threads/handshake.h"
#include "runtime/threads/thread_state.h"
#include "runtime/threads/thread_structures.h"
#include "runtime/threads/threads_internal.h"

namespace keyhole {

namespace threads::internal {

Protocol protocol;
Mutex operation_mutex{LockRank::operations};

void lock_operations(JavaThread* thread) {
  if (operation_mutex.try_lock()) return;
  BlockedScope blocked(thread);
  operation_mutex.lock();
  // The destructor of `blocked` makes the thread managed again. The thread does not wait there for the end of a
  // safepoint or handshake: it holds the operation lock, so none is in progress. Its `poll` may still have the copy of
  // an ended request, which is harmless (safepoint_protocol.h R9).
}

void unlock_operations() { operation_mutex.unlock(); }

}  // namespace threads::internal

using namespace threads::internal;

namespace thread_state {
// Clang's thread safety analysis is off in leave_managed and enter_managed: they implement the capability that the
// analysis checks.
void leave_managed(JavaThread* thread, ThreadState state) NO_THREAD_SAFETY_ANALYSIS {
  check_may_safepoint();
  protocol.leave(thread, state);
  safe_state::entered();
}
void enter_managed(JavaThread* thread) NO_THREAD_SAFETY_ANALYSIS {
  check_may_safepoint();
  // safe_state::left() marks that this OS thread may touch objects again. It comes before protocol.enter(), which may
  // run a handshake's operation, and this operation may touch objects.
  safe_state::left();
  protocol.enter(thread);
}
}  // namespace thread_state

namespace safepoint {

void (*stress_hook)(JavaThread* thread) = nullptr;

namespace {
i64 last_end_nanoseconds GUARDED_BY(operation_mutex) = 0;
std::atomic<u64> stress_polls{0};
std::atomic<u64> safepoint_count{0};  // written under the operation lock
// The totals in nanoseconds (safepoint.h); written under the operation lock.
std::atomic<i64> stopping_total{0}, stopped_total{0};
}  // namespace

bool in_progress() { return protocol.in_progress(); }

Totals totals() {
  return {safepoint_count.load(std::memory_order_relaxed), stopping_total.load(std::memory_order_relaxed),
          stopped_total.load(std::memory_order_relaxed)};
}

void run(JavaThread* thread, const char* name, void (*operation)(void* context), void* context) {
  KEYHOLE_ASSERT(thread->state.load() == ThreadState::InVM || thread->state.load() == ThreadState::InJava,
                 "safepoint {} asked for by a thread that is not managed", name);
  check_may_safepoint();
  lock_operations(thread);
  u32 recorded_name = recorder::is_on(recorder::Family::safepoints) ? recorder::text(name) : 0;
  if (recorded_name != 0) recorder::record(recorder::Kind::safepoint_request, recorded_name);
  i64 begin = hardware::now_nanoseconds();
  quiescence_begins();
  auto for_each = [](auto visit) { for_each_carrier_locked(visit); };
  protocol.stop(thread, for_each);
  i64 reached = hardware::now_nanoseconds();
  if (recorded_name != 0) recorder::record(recorder::Kind::safepoint_reached, recorded_name);
  quiescence_reached();
  {
    // The operation must not request another safepoint: the request would wait for ever for the end of the present one.
    NoSafepoint no_safepoint;
    continuations::run_on_carrier_stack(thread, operation, context);
  }
  i64 end = hardware::now_nanoseconds();
  if (recorded_name != 0) recorder::record(recorder::Kind::safepoint_resume, recorded_name);
  protocol.resume(thread, for_each);
  i64 since_last = last_end_nanoseconds == 0 ? 0 : begin - last_end_nanoseconds;
  last_end_nanoseconds = end;
  safepoint_count.fetch_add(1, std::memory_order_relaxed);
  stopping_total.fetch_add(reached - begin, std::memory_order_relaxed);
  stopped_total.fetch_add(end - begin, std::memory_order_relaxed);
  unlock_operations();
  events::record("Safepoint {}: {} ns to reach, {} ns", name, reached - begin, end - reached);
  KEYHOLE_LOG(info, safepoint,
              "Safepoint \"{}\", Time since last: {} ns, Reaching safepoint: {} ns, At safepoint: {} ns, Total: {} ns",
              name, since_last, reached - begin, end - reached, end - begin);
}

void poll_slow(JavaThread* thread) {
  check_may_safepoint();
  protocol.poll_slow(thread);
  if ((thread->poll.load(std::memory_order_relaxed) & Protocol::stress_bit) != 0 && stress_hook != nullptr) {
    u64 interval = static_cast<u64>(flags::GCStressSafepointInterval);
    if (interval != 0 && stress_polls.fetch_add(1, std::memory_order_relaxed) % interval == interval - 1)
      stress_hook(thread);
  }
}

void arm_stress(JavaThread* thread) {
  if ((thread->poll.load(std::memory_order_relaxed) & Protocol::stress_bit) != 0) return;
  Protocol::arm(thread, Protocol::stress_bit);
}

void disarm_stress(JavaThread* thread) { thread->poll.fetch_and(~Protocol::stress_bit, std::memory_order_relaxed); }

namespace {
void request(JavaThread* target, u32 bit) {
  if ((target->poll.load(std::memory_order_relaxed) & bit) == 0) Protocol::arm(target, bit);
}
bool take_request(JavaThread* thread, u32 bit) {
  if ((thread->poll.load(std::memory_order_relaxed) & bit) == 0) return false;
  thread->poll.fetch_and(~bit, std::memory_order_relaxed);
  return true;
}
}  // namespace

void request_sample(JavaThread* target) { request(target, Protocol::sample_bit); }
void request_execution_sample(JavaThread* target) { request(target, Protocol::execution_sample_bit); }
bool take_sample_request(JavaThread* thread) { return take_request(thread, Protocol::sample_bit); }
bool take_execution_sample_request(JavaThread* thread) { return take_request(thread, Protocol::execution_sample_bit); }

bool pass_entry(JavaThread* thread) { return protocol.pass_entry(thread); }
bool is_sample_requested(const JavaThread* thread) {
  return (thread->poll.load(std::memory_order_relaxed) & Protocol::sample_bit) != 0;
}

}  // namespace safepoint

namespace handshake {

namespace {

struct Operation {
  void (*run)(JavaThread* target, void* context);
  void* context;
};

// Runs an Operation for one target of a handshake. Either the target calls this function, at its poll, or the
// handshaker calls it in place of the target.
void run_operation(JavaThread* target, void* context) {
  Operation* operation = static_cast<Operation*>(context);
  NoSafepoint no_safepoint;
  operation->run(target, operation->context);
}

}  // namespace

void run_all(JavaThread* thread, const char* name, void (*operation)(JavaThread* target, void* context),
             void* context) {
  check_may_safepoint();
  lock_operations(thread);
  i64 begin = hardware::now_nanoseconds();
  quiescence_begins();
  // A snapshot of the list of carriers suffices. A handshake often makes sure that no thread uses some retired data any
  // more, and a thread that starts after the snapshot cannot have seen these data. A Carrier that leaves the list
  // during the handshake is not reused before the handshake is over.
  std::vector<Carrier*> targets;
  for_each_carrier_locked([&](Carrier* target) {
    if (target != thread->carrier) targets.push_back(target);
  });
  Operation call{operation, context};
  for (Carrier* target : targets) protocol.handshake(target, run_operation, &call);
  run_operation(thread, &call);
  quiescence_reached();
  unlock_operations();
  KEYHOLE_LOG(info, handshake,
              "Handshake \"{}\", Targeted threads: {}, Executed by requesting thread: -, Total completion time: {} ns",
              name, targets.size() + 1, hardware::now_nanoseconds() - begin);
}

}  // namespace handshake

}  // namespace keyhole
