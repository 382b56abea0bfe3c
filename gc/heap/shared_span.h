// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A span of memory that many threads bump-allocate from by CAS: the racing part of a region.
//
//   start          top                 end
//   | allocated .... | free ............ |
//
// R1: `top` only grows while mutators run; the thread that moved it from a to b by CAS owns [a, b) alone.
// R2: the CAS needs no order of its own: publishing the object publishes what is written into [a, b). acq_rel is used
//     so that a reader of `top` (used-bytes queries) sees the span's bounds as they were set up.
// R3: a failed CAS means that another thread allocated: the protocol is lock-free.
// R4: `close` takes the whole rest in one step, so that nothing is allocated in a closed span, even through an old
//     pointer.
//
// `World` supplies Atomic<T> (runtime/base/platform), so that the same source runs in the VM, in a checker and on a
// simulated machine.
#pragma once

#include <atomic>

#include "runtime/base/types.h"

namespace keyhole::gc {

template <typename World> struct SharedSpan {
  template <typename T> using Atomic = typename World::template Atomic<T>;

  Atomic<uptr> top{0};
  uptr start = 0;
  uptr end = 0;

  u64 free_bytes() const {
    uptr now = top.load(std::memory_order_relaxed);
    return end - now;
  }

  // Allocates as much as there is between `minimum_bytes` and `wanted_bytes` (multiples of 8); 0 when even the minimum
  // does not fit. Adds to `cas_failures`, a counter of the calling thread.
  uptr allocate(u64 minimum_bytes, u64 wanted_bytes, u64& taken_bytes, u64& cas_failures) {
    uptr old_top = top.load(std::memory_order_relaxed);
    for (;;) {
      u64 room = end - old_top;
      if (room < minimum_bytes) return 0;
      u64 bytes = room < wanted_bytes ? room : wanted_bytes;
      // R1
      if (top.compare_exchange_weak(old_top, old_top + bytes, std::memory_order_acq_rel, std::memory_order_relaxed)) {
        taken_bytes = bytes;
        return old_top;
      }
      ++cas_failures;
    }
  }

  // Closes the span. The caller owns the memory from the returned address to `end`.
  uptr close() { return top.exchange(end, std::memory_order_acq_rel); }  // R4
};

}  // namespace keyhole::gc
