// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Mounting and unmounting. Rules: continuation.h.
#include "runtime/threads/continuation.h"

#include <cstring>
#include <utility>

#include "runtime/base/check.h"
#include "runtime/base/log.h"
#include "runtime/base/safe_state.h"
#include "runtime/threads/blocking.h"
#include "runtime/threads/no_safepoint.h"
#include "runtime/threads/thread_state.h"
#include "runtime/threads/threads_internal.h"

namespace keyhole::continuations {

namespace {

using threads::internal::protocol;

// The native stack that a thread runs on.
Fiber& stack_of(JavaThread* thread) {
  return thread->continuation != nullptr ? thread->continuation->fiber : thread->carrier->stack;
}

// R2
void hand_over_buffer(JavaThread* from, JavaThread* to) {
  to->tlab_top = std::exchange(from->tlab_top, nullptr);
  to->tlab_end = std::exchange(from->tlab_end, nullptr);
  to->tlab_start = std::exchange(from->tlab_start, nullptr);
  to->allocation_stress_countdown = from->allocation_stress_countdown;
}

// Everything before the switch: `from` is managed, and safe afterwards. Not analysed, like the transitions of
// thread_state.h.
[[gnu::noinline]] void depart(JavaThread* from, JavaThread* to) NO_THREAD_SAFETY_ANALYSIS {
  hand_over_buffer(from, to);
  memset(from->monitor_cache, 0, sizeof from->monitor_cache);   // R3
  protocol.give_seat(from, to);
  safe_state::entered();
}

// Everything behind it (R4). Not analysed, as above.
[[gnu::noinline]] void arrive(JavaThread* thread) NO_THREAD_SAFETY_ANALYSIS {
  threads::set_current(thread);
  safe_state::left();
  protocol.enter_seat(thread);
}

// The bytes count as the mounter's, as in HotSpot.
void pass_on_counts(JavaThread* from, JavaThread* to) {
  to->allocated_bytes += std::exchange(from->allocated_bytes, 0);
}

// Not analysed: it becomes managed in arrive, and is safe behind depart.
Fiber* run_body(void* argument) NO_THREAD_SAFETY_ANALYSIS {
  JavaThread* self = static_cast<JavaThread*>(argument);
  arrive(self);
  self->continuation->body(self);
  JavaThread* mounter = self->continuation->mounter;
  mounter->pending_exception = std::exchange(self->pending_exception, nullptr);
  self->continuation->has_ended = true;
  pass_on_counts(self, mounter);
  depart(self, mounter);
  return &stack_of(mounter);
}

// Back to the mounter, until mounted again. Managed at both ends.
void unmount(JavaThread* self) MAY_SAFEPOINT {
  Continuation& continuation = *self->continuation;
  JavaThread* mounter = continuation.mounter;
  pass_on_counts(self, mounter);
  depart(self, mounter);
  Fiber::switch_between(continuation.fiber, stack_of(mounter));
  arrive(self);
}

}  // namespace

JavaThread* make(JavaThread* self, void (*body)(JavaThread* thread)) {
  StackSlot slot = StackSlot::take();
  if (slot.memory == nullptr) return nullptr;
  JavaThread* thread = threads::make_continuation(self, slot);
  if (thread == nullptr) {
    slot.give_back();
    return nullptr;
  }
  thread->continuation->body = body;
  thread->continuation->fiber.start(run_body, thread);
  return thread;
}

Outcome run(JavaThread* self, JavaThread* thread, bool (*announce)(void*), void* context) {
  check_may_safepoint();
  Continuation& continuation = *thread->continuation;
  auto mount = [self, thread, &continuation]() {
    KEYHOLE_ASSERT(thread->carrier == nullptr, "continuation {} is mounted", thread->id);
    continuation.mounter = self;
    thread->carrier = self->carrier;
    thread->allocation = self->allocation;
    thread->thread_object = thread->current_object = self->current_object;
    depart(self, thread);
    Fiber::switch_between(stack_of(self), continuation.fiber);
    arrive(self);
    // What a sleeper showed by its carrier (StatusScope).
    if (self->status.load(std::memory_order_relaxed) != JavaThreadStatus::Runnable)
      set_thread_status(self, JavaThreadStatus::Runnable);
    if (continuation.has_ended) return Outcome::Ended;
    thread->carrier = nullptr;
    return continuation.is_asleep.get() ? Outcome::Asleep : Outcome::Yielded;
  };
  Outcome outcome = UnmountedSleep::run(thread, mount, [announce, context] { return announce(context); });
  if (outcome != Outcome::Ended) return outcome;
  StackSlot slot = continuation.slot;
  threads::end_continuation(self, thread);
  slot.give_back();
  if (UnmountedSleep::end(thread)) threads::retire_continuation(thread);
  return Outcome::Ended;
}

Pinned yield(JavaThread* self) {
  check_may_safepoint();
  if (Pinned reason = why_pinned(self); reason != Pinned::No) return reason;
  unmount(self);
  return Pinned::No;
}

bool held_locks_pin = false;

Pinned why_pinned(const JavaThread* thread) {
  if (thread->continuation == nullptr) return Pinned::No;
  if (thread->continuation->pins != 0) return Pinned::CriticalSection;
  return held_locks_pin && thread->lock_record_top != 0 ? Pinned::Monitor : Pinned::No;
}

void log_pinned(const JavaThread* thread, std::string_view operation) {
  Pinned reason = why_pinned(thread);
  KEYHOLE_LOG(info, virtualthread_pinned, "Thread {} is pinned to carrier {}: {}, {}", thread->id,
              thread->carrier->thread->id, operation,
              reason == Pinned::CriticalSection ? "critical section"
              : reason == Pinned::Monitor       ? "holds or enters a monitor of the platform"
                                                : "changes its state");
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

// Not analysed: it is safe, becomes managed to hand over the buffer (R2), and is safe again.
void park(JavaThread* self, i64 nanoseconds) NO_THREAD_SAFETY_ANALYSIS {
  Continuation& continuation = *self->continuation;
  if (!continuation.is_virtual_thread) return self->monitor_parker.park(nanoseconds);
  if (why_pinned(self) != Pinned::No) {
    // Without a status of its own, it waits for a class.
    if (self->status.load(std::memory_order_relaxed) == JavaThreadStatus::Runnable)
      log_pinned(self, "Waited for initialization of a class by another thread");
    return self->monitor_parker.park(nanoseconds);
  }
  auto sleep = [self]() NO_THREAD_SAFETY_ANALYSIS {
    ThreadState state = self->state.load(std::memory_order_relaxed);
    thread_state::enter_managed(self);
    unmount(self);
    thread_state::leave_managed(self, state);
    if (self->continuation->must_stay.get()) log_pinned(self, "Contended monitor enter");
  };
  UnmountedSleep::park(self, nanoseconds, sleep);
}

UnmountedSleep unmounted_sleep;

void take_unblocked(JavaThread* self, void (*visit)(JavaThread* thread, void* context), void* context) {
  // Not analysed: called where this function is.
  auto sleep = [self]() NO_THREAD_SAFETY_ANALYSIS {
    BlockedScope blocked(self);
    self->monitor_parker.park();
  };
  auto visit_with_context = [visit, context](JavaThread* thread) { visit(thread, context); };
  unmounted_sleep.take(self, sleep, visit_with_context, threads::retire_continuation);
}

}  // namespace keyhole::continuations
