// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Gate: a thread waits until another thread hands it a value. The waiter re-reads a cell of its own, then sleeps.
// sleep_while() and wake() do the same with a cell that the author of a lock declares.
//
//   closed --await gives up spinning--> asleep --open--> value      the opener wakes the sleeper
//     |---------------------open----------------------> value
//
// G1: the waiter closes its gate before it shows the gate to another thread.
// G2: `closed` and `asleep` are the gate's own values; open() takes any other one.
// G3: the opener reads `sleeper` after its exchange. The waiter may have left before this read, and the gate may serve
//     another wait. Then the wake-up is spurious; every sleep of the library tolerates spurious wake-ups.
#pragma once

#include "runtime/base/check.h"
#include "runtime/sync/lab/core.h"
#include "runtime/threads/lock_counters.h"

namespace keyhole::lab {

using Where = std::source_location;  // the line of the author's file that called the library (CallerScope)

// Waits until the cell holds neither `value` nor `asleep`. A thread that gives up spinning writes itself to `sleeper`,
// replaces `value` by `asleep` and sleeps. A thread that replaces `asleep` by another value must wake the sleeper.
// `sleeper` lies in the waiter's own node; no other thread writes to it.
template <typename W, typename T>
void sleep_while(typename W::Thread* self, Cell<W, T>& cell, Cell<W, typename W::Thread*>& sleeper,
                 std::type_identity_t<T> value, std::type_identity_t<T> asleep, Where where = Where::current()) {
  CallerScope<W> scope(where);
  if (W::spin_until(cell, [value](T seen) { return seen != value; }, Patience<W>::reads)) return;
  sleeper.store(self, std::memory_order_relaxed);
  if (!cell.cas(value, asleep, std::memory_order_acq_rel)) return;
  W::count(self, LockCounter::parks);
  while (cell.load(std::memory_order_acquire) == asleep) W::park(self, forever);
}
template <typename W> void wake(typename W::Thread* by, typename W::Thread* sleeper, Where where = Where::current()) {
  CallerScope<W> scope(where);
  W::count(by, LockCounter::unparks);
  W::unpark(sleeper);
}

template <typename W> struct Gate {
  using Thread = typename W::Thread;

  // The value with which another thread opened the gate. Converts to the type that the waiter expects.
  struct Opened {
    uptr bits;
    template <typename T> operator T*() const { return reinterpret_cast<T*>(bits); }
    operator uptr() const { return bits; }
  };

  void close(Where where = Where::current()) {
    CallerScope<W> scope(where);
    value_.store(closed, std::memory_order_relaxed);
  }

  Opened await(Thread* self, Where where = Where::current()) {
    CallerScope<W> scope(where);
    sleep_while<W>(self, value_, sleeper_, closed, asleep);
    return {value_.load(std::memory_order_acquire)};
  }

  void open(Thread* by, uptr with = 1, Where where = Where::current()) {
    CallerScope<W> scope(where);
    KEYHOLE_ASSERT(with != closed && with != asleep, "a gate is opened with its own value {}", with);
    if (value_.exchange(with, std::memory_order_acq_rel) != asleep) return;
    wake<W>(by, sleeper_.load(std::memory_order_relaxed));  // G3
  }
  template <typename T> void open(Thread* by, T* with, Where where = Where::current()) {
    open(by, reinterpret_cast<uptr>(with), where);
  }

 private:
  static constexpr uptr closed = 0, asleep = 2;
  Cell<W, uptr> value_{closed};
  Cell<W, Thread*> sleeper_{nullptr};
};

}  // namespace keyhole::lab
