// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// VirtualThreadState: the VM's changes to the fields of a java.lang.VirtualThread (library 25) around a sleep inside
// the VM. A template over World.
//
//   Running --announce--> Blocking      --Java--> Blocked                      --unblock--> Unblocked -> Running
//                         Waiting       --Java--> Wait       --mark_notified--> Blocked
//                         TimedWaiting  --Java--> TimedWait  --mark_notified--> Blocked;  or --timer--> Unblocked
//
// R1: Java stores Wait or TimedWait and then reads `notified`; mark_notified stores `notified` and then reads the
//     state. At least one side sees the other.
// R2: the mounter clears `notified` before it mounts the thread, because a late notification of an earlier sleep would
//     wake the thread spuriously. It clears the field by an exchange. So if the exchange overwrites a notification, the
//     mounter sees the status that the notifier stored before it.
// R3: a wait begins with clearing `notified`, because an earlier wait may have ended without a sleep and have left it
//     set. With a stale `notified` Java would take the new wait for a notified one, and neither an interrupt nor the
//     timer would end it. The thread still holds the lock at that moment, so no notification of the new wait can be
//     lost.
// R4: Java stores Blocked and then reads `blockPermit`; unblock stores the permit and then reads the state.
#pragma once

#include "runtime/base/platform/world.h"

namespace keyhole {

template <typename W> struct VirtualThreadStateOf {
  template <typename T> using Atomic = typename W::template Atomic<T>;
  using State = Atomic<i32>;  // the field VirtualThread.state; java.lang.VirtualThread defines its numbers
  static constexpr i32 running = 2, parking = 3, parked = 4, timed_parking = 6, timed_parked = 7, yielding = 10,
                       blocking = 12, blocked = 13, unblocked = 14, waiting = 15, wait = 16, timed_waiting = 17,
                       timed_wait = 18;
  static constexpr i32 suspended_bit = 1 << 8;

  // Called by the mounter: announces a thread's sleep to Java. Returns false if the sleep cannot be announced, because
  // Java is changing the thread's state at this moment. set_timeout() stores the time limit for Java's timer.
  template <typename SetTimeout>
  [[nodiscard]] static bool announce_sleep(State& state, bool is_in_wait, bool is_timed, SetTimeout set_timeout) {
    if (state.load(std::memory_order_acquire) != running) return false;
    if (is_timed) set_timeout();
    state.store(is_timed ? timed_waiting : is_in_wait ? waiting : blocking, std::memory_order_release);
    return true;
  }

  // Updates the thread's `notified` when its status in the VM changes: the beginning of a wait clears it, a
  // notification sets it. Called by the thread itself or by its notifier; both hold the object's lock.
  static void follow_status(State& state, Atomic<u8>& notified, bool is_waiting, bool is_by_itself) {
    if (is_waiting) notified.store(0, std::memory_order_relaxed);  // R3
    else if (!is_by_itself) mark_notified(state, notified);
  }

  // Changes the state of a thread in Object.wait to blocked. Called by the thread's notifier, and by the unblocker
  // before Java's unblock().
  static void mark_notified(State& state, Atomic<u8>& notified) {
    notified.store(1, std::memory_order_seq_cst);  // R1
    for (i32 waits : {wait, timed_wait}) {
      if (state.compare_exchange_strong(waits, blocked, std::memory_order_seq_cst)) break;
    }
  }

  // Does the work of Java's unblock(), when a carrier runs a deferred unpark. Returns true if the carrier has to submit
  // the thread to the scheduler.
  [[nodiscard]] static bool unblock(State& state, Atomic<u8>& notified, Atomic<u8>& block_permit) {
    mark_notified(state, notified);
    block_permit.store(1, std::memory_order_seq_cst);  // R4
    i32 blocks = blocked;
    return state.compare_exchange_strong(blocks, unblocked, std::memory_order_seq_cst);
  }

  // Called by the thread that is about to mount the virtual thread. Copies Java's field `interrupted` into `hint`,
  // which is JavaThread::interrupted (blocking.h R1), because Java may have changed the field while the thread was
  // unmounted. Clears `notified` (R2).
  static void before_mount(Atomic<bool>& hint, const Atomic<u8>& interrupted, Atomic<u8>& notified) {
    bool is_interrupted = interrupted.load(std::memory_order_seq_cst) != 0;
    if (hint.load(std::memory_order_seq_cst) != is_interrupted) hint.store(is_interrupted, std::memory_order_seq_cst);
    if (notified.load(std::memory_order_seq_cst) != 0) notified.exchange(0, std::memory_order_seq_cst);  // R2
  }
};

}  // namespace keyhole
