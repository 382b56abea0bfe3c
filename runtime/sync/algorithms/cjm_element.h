// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// CjmElement: the queue element of Compact Java Monitors (Dice & Kogan). Elements hold the whole state of a monitor;
// the object's header has one pointer to an element.
//
//   header word of an object that is held, queued for or waited on      63     42 41          7 6        2 1  0
//                                                                       | klass  | element    | flags    | 00 |
//
//   state     the thread that lent the element                          becomes
//   Queued    queues and spins                                          Asleep (by itself), Successor, Held (by the
//                                                                       exiting owner)
//   Asleep    sleeps, or was notified and has not run yet               Successor, Held
//   Successor is first in the queue and may compete (cjm-by only)       Held
//   Held      has the lock                                              Waiting, or the element is put back
//   Waiting   is in the wait set                                        Asleep (notify, CAS), Leaving (itself, CAS)
//   Leaving   timed out or was interrupted; re-enters through           the element is put back
//             another element, then takes this one out of the wait set
//
// E1: `displaced` is 0 from when the element is engaged until its thread knows the object's header; then it holds that
//     header, and does not change while the element is engaged. So an object gets its identity hash when it is first
//     locked.
// E2: while an element's `displaced` is 0, the element has just become the tail, and its predecessor `previous` has no
//     link to it yet. So `previous` cannot leave the queue.
// E3: `version` grows by one each time the element is engaged, before any other field changes. So if a thread reads the
//     same version before and after other fields, and the header points at the element, these fields belong to that
//     object (cjm_base.h B4).
// E4: the wait set is a circular list that only the holder of the lock walks or changes. A waiter that wakes by itself
//     only sets its own state, by CAS.
#pragma once

#include "runtime/object/layout.h"
#include "runtime/sync/algorithms/lock_element.h"
#include "runtime/sync/monitor/quantum.h"
#include "runtime/sync/picture/notes.h"
#include "runtime/sync/ring.h"

namespace keyhole::sync {

template <typename W> struct CjmElementOf : W::LockElement {
  using Thread = typename W::Thread;
  enum class State : u32 { Queued, Asleep, Successor, Held, Waiting, Leaving };

  // Values of `next` that do not name the next element.
  static constexpr uptr nobody_yet = 0;
  // The thread that lent this element has released the lock. The lock and the element go to the thread that links
  // itself here next (cjm-fifo, cjm-by).
  static constexpr uptr gone = 1;

  typename W::template Atomic<u64> version{0};    // E3
  typename W::template Atomic<u64> displaced{0};  // E1
  typename W::template Atomic<State> state{State::Queued};
  typename W::template Atomic<i32> inner_lock{0};      // cjm-hybrid: the ring's inner lock, in its tail element
  typename W::template Atomic<uptr> next{nobody_yet};  // the next element in the queue, or nobody_yet, or gone
  typename W::template Atomic<CjmElementOf*> previous{nullptr};  // E2
  typename W::template Atomic<CjmElementOf*> home{nullptr};  // cjm-by: the head of this element's queue (cjm_by.h R2)
  // For cjm-by, about the thread that lent this element. has_quantum: the thread was starving and was handed the lock.
  // had_quantum: the thread has handed the lock to a starving successor.
  typename W::template Plain<bool> has_quantum, had_quantum;
  // For cjm-by: whether the exit that woke the thread of this element saw heavy contention; a hint.
  typename W::template Atomic<bool> is_heavily_contended{false};
  typename QuantumPolicyOf<W>::Pace pace;
  // The element of the longest waiter, or null; only the holder uses it.
  typename W::template Plain<CjmElementOf*> wait_set;
  // The links of the wait set (E4); null while the element is in no wait set.
  typename W::template Plain<CjmElementOf*> wait_next, wait_previous;

  // --- the header's view ---------------------------------------------------------------------------------------------
  static constexpr u64 pointer_mask = layout::displaced_pointer_mask & ~u64{lock_element_bytes - 1};
  static CjmElementOf* of_header(u64 word) { return reinterpret_cast<CjmElementOf*>(word & pointer_mask); }
  static CjmElementOf* of_link(uptr link) { return reinterpret_cast<CjmElementOf*>(link); }
  uptr link() const { return reinterpret_cast<uptr>(this); }
  u64 header_word(u64 word, u64 flags = 0) const {
    return layout::displacing_word(word, link() | flags, layout::locked);
  }

  // Called before the CAS that publishes the element, so that readers of the element see these values.
  KEYHOLE_ALWAYS_INLINE void engage(State first_state, u64 displaced_word, CjmElementOf* before) {
    version.store(version.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);  // E3
    displaced.store(displaced_word, std::memory_order_release);
    previous.store(before, std::memory_order_release);
    home.store(nullptr, std::memory_order_release);
    state.store(first_state, std::memory_order_relaxed);
    next.store(nobody_yet, std::memory_order_relaxed);
    wait_set.set(nullptr);
  }

  // --- the wait set (E4); `this` is the element that keeps it --------------------------------------------------------
  void append_waiter(CjmElementOf* waiter) {
    Ring<&CjmElementOf::wait_next, &CjmElementOf::wait_previous>::append(wait_set, waiter);
  }
  void remove_waiter(CjmElementOf* waiter) {
    Ring<&CjmElementOf::wait_next, &CjmElementOf::wait_previous>::remove(wait_set, waiter);
  }
  // Removes waiters from the wait set, the longest waiter first, until one is still Waiting. Makes that waiter Asleep
  // and returns it. Returns null if no thread waits.
  CjmElementOf* notify_first(Thread* thread) {
    while (CjmElementOf* waiter = wait_set.get()) {
      Thread* its_thread = waiter->lender.load(std::memory_order_relaxed);
      remove_waiter(waiter);
      W::note(thread, picture::change(picture::Step::left_waiters), its_thread->id);
      State waiting = State::Waiting;
      // If the exchange fails, the waiter's state is Leaving: the waiter has timed out or was interrupted.
      if (!waiter->state.compare_exchange_strong(waiting, State::Asleep, std::memory_order_acq_rel)) continue;
      // From now on until the waiter has the lock again, Thread.getState shows BLOCKED.
      W::set_status(its_thread, W::blocked_status);
      return waiter;
    }
    return nullptr;
  }
};

}  // namespace keyhole::sync
