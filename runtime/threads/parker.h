// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Parker: one permit, one owner. park() consumes the permit or sleeps until unpark() or the deadline.
//
//   permit   meaning                     written by
//   0        no permit                   owner (consuming)
//   1        a permit                    unparker (exchange, release)
//  -1        owner asleep on the futex   owner (CAS 0 -> -1)
//  -2        owner unmounts, or has      owner (CAS 0 -> -2); continuation.h
//            unmounted
//
// R1: unpark stores 1 by an exchange (release), and wakes the futex only if it replaced -1. If it replaced -2 it
//     returns true, and its caller makes Java mount the owner again.
// R2: park's acquire read of 1 pairs with R1: writes before unpark are seen after park.
// R3: after a sleep the owner stores 0 by an exchange, and has a permit if the old value was 1.
// park may return spuriously, as LockSupport.park may: callers re-check their condition in a loop.
// The caller sets its thread state: it is Blocked (thread_state.h) around park.
#pragma once

#include "runtime/base/platform/hardware_world.h"

namespace keyhole {

template <typename W> class ParkerOf {
 public:
  static constexpr i64 forever = keyhole::forever;

  // LIFE(monitorenter) 7/10: how a thread sleeps without missing its wake-up
  // Returns when a permit was consumed, after `nanoseconds` (relative, CLOCK_MONOTONIC), or spuriously.
  void park(i64 nanoseconds = forever) {
    i32 none = 0;
    if (!permit_.compare_exchange_strong(none, -1, std::memory_order_acquire, std::memory_order_relaxed)) {
      consume();  // it was 1
      return;
    }
    if (nanoseconds != 0) W::wait_on(permit_, -1, nanoseconds);
    permit_.exchange(0, std::memory_order_acquire);  // R3
  }

  // Gives the owner the permit, and wakes the owner from the futex. Returns true if the owner sleeps unmounted; no
  // other unparker gets true for the same sleep (R1).
  bool unpark() {
    i32 before = permit_.exchange(1, std::memory_order_release);
    if (before == -1) W::wake(permit_, 1);
    return before == -2;
  }

  // Called by an owner that will unmount instead of sleeping on the futex. If there is a permit, consumes it and
  // returns false; the owner does not unmount then.
  bool prepare_unmounted() {
    i32 none = 0;
    if (permit_.compare_exchange_strong(none, -2, std::memory_order_acquire, std::memory_order_relaxed)) return true;
    consume();
    return false;
  }
  // Called by an owner that is mounted again. If there is a permit, consumes it and returns true.
  bool end_unmounted() { return consume(); }  // R3

  // Takes the permit if there is one, without sleeping. Called by the owner only. The exchange decides about a permit
  // that arrives at this moment: either it stays for the next park, or the owner takes it and sees what the unparker
  // wrote (R2).
  bool consume() { return permit_.exchange(0, std::memory_order_acquire) == 1; }
  // Drops a permit left over from an earlier wait.
  void clear() { consume(); }

 private:
  typename W::template Atomic<i32> permit_{0};
};

using Parker = ParkerOf<HardwareWorld>;

}  // namespace keyhole
