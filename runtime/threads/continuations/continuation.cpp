// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Mounting and unmounting. Rules: continuation.h.
#include "runtime/threads/continuations/continuation.h"

#include <cstring>
#include <utility>

#include "runtime/base/check.h"
#include "runtime/base/log.h"
#include "runtime/base/safe_state.h"
#include "runtime/recorder/recorder.h"
#include "runtime/recorder/texts.h"
#include "runtime/threads/blocking.h"
#include "runtime/threads/continuations/continuation_switch.h"
#include "runtime/threads/continuations/deferred_unpark_policy.h"
#include "runtime/threads/continuations/sleep_limits.h"
#include "runtime/threads/no_safepoint.h"
#include "runtime/threads/races/races.h"
#include "runtime/threads/thread_state.h"
#include "runtime/threads/threads.h"
#include "runtime/threads/threads_internal.h"

namespace keyhole::continuations {

namespace {

using threads::internal::protocol;

SleepLimits sleep_limits;
DeferredUnparkPolicyOf<HardwareWorld> deferred_unpark_policy;
std::atomic<u64> next_sleep{1};

// R2
void hand_over_buffer(JavaThread* from, JavaThread* to) {
  to->tlab_top = std::exchange(from->tlab_top, nullptr);
  to->tlab_end = std::exchange(from->tlab_end, nullptr);
  to->tlab_start = std::exchange(from->tlab_start, nullptr);
  to->allocation_stress_countdown = from->allocation_stress_countdown;
}

// Records the switch to `to`: the carrier's later events belong to `to`. Clang's thread safety analysis is off, because
// depart calls this function while the thread is still managed.
[[gnu::noinline]] void record_switch(JavaThread* from, JavaThread* to) NO_THREAD_SAFETY_ANALYSIS {
  bool is_back = from->continuation != nullptr && from->continuation->mounter == to;
  if (!is_back) return recorder::record(recorder::Kind::mounted, static_cast<u32>(to->id));
  JavaThreadStatus status = from->status.load(std::memory_order_relaxed);
  if (from->continuation->has_ended) status = JavaThreadStatus::Terminated;
  else if (status == JavaThreadStatus::Runnable && java_view.status_of_unmounted != nullptr)
    status = java_view.status_of_unmounted(from);
  recorder::record(recorder::Kind::unmounted, static_cast<u32>(from->id), 0, static_cast<u32>(status));
}

}  // namespace

namespace internal {

// Clang's thread safety analysis is off: `from` is managed before the call and safe afterwards.
void depart(JavaThread* from, JavaThread* to) NO_THREAD_SAFETY_ANALYSIS {
  if (recorder::is_on(recorder::Family::threads)) [[unlikely]]
    record_switch(from, to);
  hand_over_buffer(from, to);
  if (from->monitor_cache[0].monitor != nullptr) memset(from->monitor_cache, 0, sizeof from->monitor_cache);  // R3
  protocol.switch_current(from, to);
  safe_state::entered();
}

// Clang's thread safety analysis is off: the thread is safe before the call and managed afterwards.
void arrive(JavaThread* thread) NO_THREAD_SAFETY_ANALYSIS {
  threads::set_current(thread);
  safe_state::left();
  protocol.enter_slow(thread);
}

}  // namespace internal

namespace {

using namespace internal;

// Runs the body of a continuation. If the structure is recycled with its stacks, runs the next continuation's body on
// them, and so on. Clang's thread safety analysis is off: the thread becomes managed in arrive, and safe in depart.
Fiber* run_bodies(void* argument) NO_THREAD_SAFETY_ANALYSIS {
  JavaThread* self = static_cast<JavaThread*>(argument);
  Continuation& continuation = *self->continuation;
  for (;;) {
    arrive(self);
    if (races::is_on()) [[unlikely]]
      races::thread_begins(self);
    continuation.body(self);
    JavaThread* mounter = continuation.mounter;
    if (races::is_on()) [[unlikely]]
      races::virtual_thread_ends(self, mounter);
    mounter->pending_exception = std::exchange(self->pending_exception, nullptr);
    continuation.has_ended = true;
    continuation.is_recyclable = threads::may_be_recycled(self);
    bool stays = continuation.is_recyclable;
    pass_on_counts(self, mounter);
    depart(self, mounter);
    if (!stays) return &stack_of(mounter);
    Fiber::switch_between(continuation.fiber, stack_of(mounter));
  }
}

}  // namespace

void internal::begin(JavaThread* thread) {
  Continuation& continuation = *thread->continuation;
  continuation.segment.give_to(thread);
  continuation.fiber.lie_in(continuation.segment.native_stack(), StackSegment::native_stack_bytes());
  continuation.fiber.start(run_bodies, thread);
}

JavaThread* make(JavaThread* self, bool is_virtual_thread, void (*body)(JavaThread* thread)) {
  JavaThread* thread = threads::make_continuation(self);
  if (thread == nullptr) return nullptr;
  thread->continuation->body = body;
  thread->continuation->is_virtual_thread = is_virtual_thread;
  if (is_virtual_thread || StackSegment::take(thread, self->carrier->continuation_cache.segment)) return thread;
  threads::recall_stack_segments(self);
  if (StackSegment::take(thread, self->carrier->continuation_cache.segment)) {
    // recall_stack_segments may have stopped at a safepoint. A collection may then have made the continuation clean,
    // although it had been marked dirty (continuation_lists.h R2).
    if (thread->continuation->is_clean) threads::mark_continuation_dirty(self, thread);
    return thread;
  }
  threads::end_continuation(self, thread);
  return nullptr;
}

Outcome run(JavaThread* self, JavaThread* thread, bool (*announce)(void*), void* context) {
  return run_inlined(self, thread, [announce, context] { return announce(context); });
}
Pinned yield(JavaThread* self) { return yield_inlined(self); }

bool held_locks_pin = false;

Pinned why_pinned(const JavaThread* thread) {
  if (thread->continuation == nullptr) return Pinned::No;
  if (thread->continuation->pins != 0) return Pinned::CriticalSection;
  if (thread->continuation->native_frames != 0) return Pinned::Native;  // R10
  return held_locks_pin && thread->lock_record_top != 0 ? Pinned::Monitor : Pinned::No;
}

void run_on_carrier_stack(JavaThread* self, void (*operation)(void* argument), void* argument) {
  Continuation* continuation = self->continuation;
  if (continuation == nullptr || continuation->is_on_carrier_stack) return operation(argument);
  continuation->is_on_carrier_stack = true;
  ++continuation->pins;  // the continuation cannot unmount while it does not run on its own stack
  Fiber::run_on(continuation->fiber, self->carrier->stack, operation, argument);
  --continuation->pins;
  continuation->is_on_carrier_stack = false;
}

void log_pinned(const JavaThread* thread, std::string_view operation) {
  Pinned pinned = why_pinned(thread);
  std::string_view reason = pinned == Pinned::CriticalSection ? "critical section"
                            : pinned == Pinned::Native        ? "native frame on the stack"
                            : pinned == Pinned::Monitor       ? "holds or enters a monitor of the platform"
                                                              : "changes its state";
  KEYHOLE_LOG(info, virtualthread_pinned, "Thread {} is pinned to carrier {}: {}, {}", thread->id,
              thread->carrier->thread->id, operation, reason);
  if (recorder::is_on(recorder::Family::threads)) [[unlikely]]
    recorder::record(recorder::Kind::pinned, recorder::text(operation), recorder::text(reason));
}

void note_sleep(const JavaThread* thread, JavaThreadStatus status) {
  if (!thread->continuation->is_virtual_thread || why_pinned(thread) == Pinned::No) return;
  switch (status) {
    case JavaThreadStatus::BlockedOnMonitorEnter: return log_pinned(thread, "Contended monitor enter");
    case JavaThreadStatus::InObjectWait:
    case JavaThreadStatus::InObjectWaitTimed: return log_pinned(thread, "Object.wait");
    default: return;
  }
}

namespace {
// R7
void limit_sleep(JavaThread* self, i64 nanoseconds) {
  Continuation& continuation = *self->continuation;
  u64 sleep = next_sleep.fetch_add(1, std::memory_order_relaxed);
  continuation.sleep.store(sleep, std::memory_order_relaxed);
  bool is_javas = self->status.load(std::memory_order_relaxed) == JavaThreadStatus::InObjectWaitTimed;
  continuation.sleep_nanoseconds.set(is_javas ? nanoseconds : forever);
  if (is_javas || nanoseconds == forever) return;
  i64 deadline;
  if (__builtin_add_overflow(hardware::now_nanoseconds(), nanoseconds, &deadline)) return;
  if (sleep_limits.add(self, sleep, deadline)) unmounted_sleep.wake_unblocker();
}
}  // namespace

// Clang's thread safety analysis is off: the thread is safe at the call, becomes managed to hand over its allocation
// buffer (continuation.h R2), and is safe on return.
void park(JavaThread* self, i64 nanoseconds) NO_THREAD_SAFETY_ANALYSIS {
  Continuation& continuation = *self->continuation;
  if (!continuation.is_virtual_thread) return self->monitor_parker.park(nanoseconds);
  if (why_pinned(self) != Pinned::No) {
    // A thread that waits for another thread to initialize a class sets no status. All other sleepers have set one.
    if (self->status.load(std::memory_order_relaxed) == JavaThreadStatus::Runnable)
      log_pinned(self, "Waited for initialization of a class by another thread");
    return self->monitor_parker.park(nanoseconds);
  }
  auto sleep = [self, nanoseconds]() NO_THREAD_SAFETY_ANALYSIS {
    ThreadState state = self->state.load(std::memory_order_relaxed);
    thread_state::enter_managed(self);
    limit_sleep(self, nanoseconds);
    unmount(self);
    thread_state::leave_managed(self, state);
    if (self->continuation->must_stay.get()) log_pinned(self, "Contended monitor enter");
  };
  UnmountedSleep::park(self, nanoseconds, sleep);
}

UnmountedSleep unmounted_sleep({.nanoseconds = 50'000, .empty_checks = 20});

void unblock(JavaThread* thread) {
  const JavaThread* waker = threads::current_or_null();
  auto is_on_carriers = [](const JavaThread* either) {
    return either->continuation != nullptr && either->continuation->is_on_carriers;
  };
  if (waker != nullptr && is_on_carriers(waker) && why_pinned(waker) == Pinned::No && is_on_carriers(thread) &&
      deferred_unpark_policy.defers())
    return unmounted_sleep.unblock_deferred(thread);
  unmounted_sleep.unblock(thread);
}

void run_deferred_unparks(void (*visit)(JavaThread* thread, void* context), void* context) {
  u32 count = 0;
  auto visit_with_context = [visit, context, &count](JavaThread* thread) {
    visit(thread, context);
    ++count;
  };
  if (unmounted_sleep.take_deferred(visit_with_context, threads::retire_continuation))
    deferred_unpark_policy.count_run(count);
}

void take_unblocked(JavaThread* self, void (*visit)(JavaThread* thread, void* context), void* context) {
  // Clang's thread safety analysis is off: the lambda runs in the thread state of the function around it.
  auto sleep = [self](i64 nanoseconds) NO_THREAD_SAFETY_ANALYSIS {
    i64 now = hardware::now_nanoseconds(), deadline = sleep_limits.deadline_nanoseconds();
    if (deadline <= now) return sleep_limits.wake_late_sleepers(now);
    if (deadline != INT64_MAX && (nanoseconds == forever || nanoseconds > deadline - now)) nanoseconds = deadline - now;
    BlockedScope blocked(self);
    self->monitor_parker.park(nanoseconds);
  };
  auto visit_with_context = [visit, context](JavaThread* thread) { visit(thread, context); };
  if (unmounted_sleep.take(self, sleep, visit_with_context, threads::retire_continuation))
    deferred_unpark_policy.count_late();
}

}  // namespace keyhole::continuations
