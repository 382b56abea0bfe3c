// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Sleeping, parking and interrupting over the threads' own parkers. Rules: blocking.h.
#include "runtime/threads/blocking.h"

#include "runtime/base/platform/wall_clock.h"
#include "runtime/threads/continuations/continuation.h"
#include "runtime/threads/points.h"
#include "runtime/threads/thread_state.h"

namespace keyhole {

JavaView java_view;

namespace threads {

bool take_interrupt(JavaThread* thread) {
  bool hint = thread->interrupted.exchange(false, std::memory_order_seq_cst);  // R1
  bool is_virtual_thread = thread->continuation != nullptr && thread->continuation->is_virtual_thread;
  return java_view.interrupted != nullptr ? java_view.interrupted(thread, !is_virtual_thread) : hint;  // R2
}

bool sleep(JavaThread* thread, i64 nanoseconds) {
  if (take_interrupt(thread)) return true;
  if (nanoseconds <= 0) {
    BlockedScope blocked(thread);
    hardware::yield();
    return false;
  }
  StatusScope status(thread, JavaThreadStatus::Sleeping);
  i64 now = hardware::now_nanoseconds();
  i64 deadline;
  if (__builtin_add_overflow(now, nanoseconds, &deadline)) deadline = INT64_MAX;
  while (now < deadline) {
    {
      BlockedScope blocked(thread);
      while (now < deadline && !thread->interrupted.load(std::memory_order_seq_cst)) {
        thread->monitor_parker.park(deadline - now);
        now = hardware::now_nanoseconds();
      }
    }
    if (take_interrupt(thread)) return true;
  }
  return false;
}

void park(JavaThread* thread, bool is_absolute, i64 time) {
  i64 nanoseconds = time;
  if (is_absolute) {
    i64 milliseconds_now = hardware::wall_clock_nanoseconds() / 1'000'000;
    i64 milliseconds;
    if (__builtin_sub_overflow(time, milliseconds_now, &milliseconds)) milliseconds = INT64_MAX;
    if (milliseconds > INT64_MAX / 1'000'000) nanoseconds = INT64_MAX;
    else nanoseconds = milliseconds > 0 ? milliseconds * 1'000'000 : -1;
  }
  // An unpinned virtual thread parks in Java code, so a continuation that parks here is pinned. Its carrier parks; Java
  // unparks and interrupts the carrier.
  JavaThread* sleeper = thread->carrier->thread;
  points::before(thread, controlled::Kind::park, &sleeper->parker);
  if (sleeper->parker.consume() || is_interrupted(sleeper, false) || nanoseconds < 0) return;
  if (is_absolute && nanoseconds == 0) return;
  bool timed = nanoseconds != 0;
  StatusScope status(sleeper, timed ? JavaThreadStatus::ParkedTimed : JavaThreadStatus::Parked);
  BlockedScope blocked(thread);
  sleeper->parker.park(timed ? nanoseconds : Parker::forever);
}

void unpark(JavaThread* target) { target->parker.unpark(); }

void interrupt(JavaThread* target) {
  target->interrupted.store(true, std::memory_order_seq_cst);
  target->parker.unpark();
  continuations::wake(target);
}

bool is_interrupted(JavaThread* target, bool clear) {
  if (java_view.interrupted != nullptr) return java_view.interrupted(target, clear);
  bool interrupted = target->interrupted.load(std::memory_order_seq_cst);
  if (interrupted && clear) target->interrupted.store(false, std::memory_order_seq_cst);
  return interrupted;
}

}  // namespace threads
}  // namespace keyhole
