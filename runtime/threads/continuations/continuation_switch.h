// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The two switches of stacks, inline: a mounter switches to a continuation, and a continuation back to its mounter.
// They are inline for natives that Java calls often; continuation.h has functions for all other callers.
//
//   Java -> enterSpecial's entry -> run_inlined -> switch_between ..> switch_between -> yield_inlined -> doYield's entry
//
// After a switch of stacks the processor mispredicts each return, because its return-address stack belongs to the other
// side; each mispredicted return costs 4 ns. So no function returns on the path to Java: both natives are inlined into
// their method's entry, which continues by a jump (NEXT_BEHIND_A_SWITCH).
#pragma once

#include <utility>

#include "runtime/base/check.h"
#include "runtime/base/platform/fiber_switch.h"
#include "runtime/threads/blocking.h"
#include "runtime/threads/continuations/continuation.h"
#include "runtime/threads/no_safepoint.h"

namespace keyhole::continuations {

namespace internal {

// Does all work that precedes a switch of stacks: `from` is managed at the call, and safe on return. Neither this
// function nor arrive() is inlined, because both use thread-local variables. The compiler would keep the address of
// such a variable in a register across a switch that ends on another OS thread.
[[gnu::noinline]] void depart(JavaThread* from, JavaThread* to);
// Does all work that follows a switch of stacks (continuation.h R4).
[[gnu::noinline]] void arrive(JavaThread* thread);
// Prepares the fiber of a thread that has got its stacks. Called before the first switch to it.
void begin(JavaThread* thread);

// Returns the native stack that a thread runs on.
inline Fiber& stack_of(JavaThread* thread) {
  return thread->continuation != nullptr ? thread->continuation->fiber : thread->carrier->stack;
}

// Bytes that a continuation allocates count as allocated by its mounter, as in HotSpot.
inline void pass_on_counts(JavaThread* from, JavaThread* to) {
  to->allocated_bytes += std::exchange(from->allocated_bytes, 0);
}

// Switches to the mounter of `self`, and returns when `self` is mounted again. `self` is managed at the call and at the
// return.
KEYHOLE_ALWAYS_INLINE void unmount(JavaThread* self) MAY_SAFEPOINT {
  Continuation& continuation = *self->continuation;
  JavaThread* mounter = continuation.mounter;
  pass_on_counts(self, mounter);
  depart(self, mounter);
  Fiber::switch_between(continuation.fiber, stack_of(mounter));
  arrive(self);
}

}  // namespace internal

template <typename Announce>
KEYHOLE_ALWAYS_INLINE Outcome run_inlined(JavaThread* self, JavaThread* thread, Announce announce) MAY_SAFEPOINT {
  check_may_safepoint();
  Continuation& continuation = *thread->continuation;
  // Clang's thread safety analysis is off: the lambda runs in the thread state of the function around it.
  auto mount = [self, thread, &continuation]() __attribute__((always_inline)) NO_THREAD_SAFETY_ANALYSIS {
    KEYHOLE_ASSERT(thread->carrier == nullptr, "continuation {} is mounted", thread->id);
    if (continuation.is_clean) threads::mark_continuation_dirty(self, thread);
    thread->current_object = self->current_object;
    // continuation.h R9
    if (thread->thread_object != thread->current_object) thread->thread_object = thread->current_object;
    if (thread->stack.mapping == nullptr) {
      if (!StackSegment::take_or_queue(thread, self->carrier->continuation_cache.segment)) return Outcome::Queued;
      internal::begin(thread);
    }
    continuation.mounter = self;
    thread->carrier = self->carrier;
    thread->allocation = self->allocation;
    internal::depart(self, thread);
    Fiber::switch_between(internal::stack_of(self), continuation.fiber);
    internal::arrive(self);
    // A continuation that sleeps has also set a status in its carrier's platform thread, `self` (StatusScope). It is
    // reset here.
    if (self->status.load(std::memory_order_relaxed) != JavaThreadStatus::Runnable)
      set_thread_status(self, JavaThreadStatus::Runnable);
    if (continuation.has_ended) return Outcome::Ended;
    thread->carrier = nullptr;
    return continuation.is_asleep.get() ? Outcome::Asleep : Outcome::Yielded;
  };
  Outcome outcome = UnmountedSleep::run(thread, mount, announce);
  if (outcome == Outcome::Ended) threads::end_continuation(self, thread);
  if (outcome == Outcome::Queued) [[unlikely]]
    threads::recall_stack_segments(self);
  return outcome;
}

[[nodiscard]] KEYHOLE_ALWAYS_INLINE Pinned yield_inlined(JavaThread* self) MAY_SAFEPOINT {
  check_may_safepoint();
  if (Pinned reason = why_pinned(self); reason != Pinned::No) return reason;
  internal::unmount(self);
  return Pinned::No;
}

}  // namespace keyhole::continuations
