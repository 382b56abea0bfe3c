// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Crowd: many threads wait for values of one cell, each thread for a value of its own. A thread that changes the cell
// calls changed(), which wakes all sleeping threads.
//
//   sleepers --> place of C --> place of A      a stack of the threads that sleep or will sleep
//
// W1: a sleeper lists its place before it reads the cell for the last time. changed() fences after the change, then
//     reads the list. So the sleeper sees the change, or changed() sees the sleeper.
// W2: a waiter does not return while its place is listed, because the thread that empties the list still reads the
//     place. Once a waiter has seen its value, it empties the list itself and wakes the other sleepers. If another
//     thread has emptied the list already, the waiter waits until `listed` is cleared in its own place.
#pragma once

#include "runtime/sync/lab/gate.h"

namespace keyhole::lab {

template <typename W> class Crowd {
 public:
  using Thread = typename W::Thread;

  // Place: the part of a core's Node by which a thread waits in a crowd, the list of threads that wait for one cell.
  struct Place {
    Cell<W, Thread*> thread{nullptr};
    Cell<W, Place*> next{nullptr};
    Cell<W, bool> listed{false};
  };

  // Waits until the value of the cell satisfies `done`.
  template <typename T, typename Predicate>
  void await(Thread* self, Place& place, Cell<W, T>& cell, Predicate done, Where where = Where::current()) {
    CallerScope<W> scope(where);
    if (W::spin_until(cell, done, Patience<W>::reads)) return;
    for (;;) {
      if (!place.listed.load(std::memory_order_acquire)) push(self, place);
      if (done(cell.load(std::memory_order_seq_cst))) break;  // W1
      W::count(self, LockCounter::parks);
      W::park(self, forever);
      if (done(cell.load(std::memory_order_acquire))) break;
    }
    while (place.listed.load(std::memory_order_acquire)) {  // W2
      wake_all(self);
      W::spin_until(place.listed, [](bool listed) { return !listed; }, 100);
    }
  }

  // Wakes the threads that wait for the cell. Called after each store to the cell.
  void changed(Thread* by, Where where = Where::current()) {
    CallerScope<W> scope(where);
    W::fence();  // W1
    if (sleepers_.load(std::memory_order_relaxed) != nullptr) wake_all(by);
  }

 private:
  void push(Thread* self, Place& place) {
    place.thread.store(self, std::memory_order_relaxed);
    place.listed.store(true, std::memory_order_relaxed);
    Place* first = sleepers_.load(std::memory_order_relaxed);
    for (;;) {
      place.next.store(first, std::memory_order_relaxed);
      if (sleepers_.compare_exchange_strong(first, &place, std::memory_order_seq_cst)) return;
    }
  }

  void wake_all(Thread* by) {
    Place* place = sleepers_.exchange(nullptr, std::memory_order_acq_rel);
    while (place != nullptr) {
      Place* next = place->next.load(std::memory_order_relaxed);
      Thread* thread = place->thread.load(std::memory_order_relaxed);
      // From here on the sleeper may reuse its Place, so this function does not access the Place any more.
      place->listed.store(false, std::memory_order_release);
      if (thread != by) wake<W>(by, thread);
      place = next;
    }
  }

  Cell<W, Place*> sleepers_{nullptr};
};

}  // namespace keyhole::lab
