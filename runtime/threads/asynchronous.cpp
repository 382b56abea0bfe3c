// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements requests by two fields and a bit of the poll word; a suspended thread sleeps on a futex.
#include "runtime/threads/asynchronous.h"

#include "runtime/base/check.h"
#include "runtime/threads/continuations/continuation.h"
#include "runtime/threads/thread_state.h"
#include "runtime/threads/threads_internal.h"

namespace keyhole::asynchronous {

namespace {

using threads::internal::Protocol;

void announce(JavaThread* target) { Protocol::arm(target, Protocol::asynchronous_bit); }

// Clears asynchronous_bit if no request to `target` is left. Called with the world stopped, or by `target` itself while
// it is managed.
void clear_if_answered(JavaThread* target) {
  if (target->asynchronous_exception == nullptr && target->suspended.load(std::memory_order_relaxed) == 0 &&
      !target->memory_fault.load(std::memory_order_relaxed))
    target->poll.fetch_and(~Protocol::asynchronous_bit, std::memory_order_relaxed);
}

}  // namespace

bool is_requested(const JavaThread* thread) {
  return (thread->poll.load(std::memory_order_relaxed) & Protocol::asynchronous_bit) != 0;
}

void request_exception(JavaThread* target, Object* exception) {
  KEYHOLE_ASSERT(threads::internal::protocol.in_progress(), "an asynchronous exception without a safepoint");
  KEYHOLE_ASSERT(target->continuation == nullptr, "an asynchronous exception for continuation {}", target->id);
  target->asynchronous_exception = exception;
  announce(target);
}

void request_suspension(JavaThread* target) {
  KEYHOLE_ASSERT(threads::internal::protocol.in_progress(), "suspension without a safepoint");
  target->suspended.store(1, std::memory_order_relaxed);
  announce(target);
}

void request_resumption(JavaThread* target) {
  KEYHOLE_ASSERT(threads::internal::protocol.in_progress(), "resumption without a safepoint");
  target->suspended.store(0, std::memory_order_release);
  clear_if_answered(target);
  hardware::futex_wake(target->suspended, 1);
  continuations::wake(target);  // R3 of asynchronous.h
}

void sleep_while_suspended(JavaThread* thread) {
  while (thread->suspended.load(std::memory_order_acquire) != 0) {
    BlockedScope blocked(thread);
    hardware::futex_wait(thread->suspended, 1, forever);
  }
}

bool answer_slow(JavaThread* thread) {
  sleep_while_suspended(thread);
  Object* exception = thread->asynchronous_exception;
  thread->asynchronous_exception = nullptr;
  clear_if_answered(thread);
  if (exception == nullptr) return false;
  thread->pending_exception = exception;
  return true;
}

}  // namespace keyhole::asynchronous
