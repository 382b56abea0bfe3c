// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Parker: one permit, one owner. park() consumes the permit or sleeps until unpark() or the deadline.
//
//   permit   meaning                     written by
//   0        none                        owner (consuming)
//   1        available                   unparker (exchange, release)
//  -1        owner asleep on the futex   owner (CAS 0 -> -1)
//
// R1: unpark exchanges 1 in (release) and wakes the futex only when it replaced -1.
// R2: park's acquire read of 1 pairs with R1: what happened before unpark is seen after park.
// park may return spuriously, as LockSupport.park may: callers re-check their condition in a loop.
// The caller is responsible for its thread state: be Blocked (thread_state.h) around park.
#pragma once

#include <atomic>

#include "runtime/base/types.h"

namespace keyhole {

class Parker {
 public:
  static constexpr i64 forever = -1;

  // Returns when a permit was consumed, after `nanoseconds` (relative, CLOCK_MONOTONIC), or spuriously.
  void park(i64 nanoseconds = forever);
  void unpark();
  // Forget a permit left over from an earlier wait.
  void clear() { permit_.store(0, std::memory_order_relaxed); }

 private:
  std::atomic<i32> permit_{0};
};

}  // namespace keyhole
