// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A worker's queue that others may steal from (Chase and Lev), over a World.
//
//            top                  bottom
//   ... taken | oldest ... newest  | free ...        a ring of `capacity` cells; both counters only ever wrap with it
//             ^ thieves, by CAS    ^ the owner pushes and pops here
//
// Q1: only the owner writes `bottom`; `top` only grows, by CAS, and the thread that moved it from t to t + 1 owns the
//     entry of t.
// Q2: the owner's pop lowers `bottom`, then reads `top`; a thief reads `top`, then `bottom`. A fence stands between on
//     both sides: at most one of the two can take the last entry without the CAS of Q1.
// Q3: push writes the entry, then `bottom` with release; a thief's acquire of `bottom` sees the entry, and what it
//     points to. So the store by which a pop lowers `bottom` is a release, too: a thief may read that store.
// Q4: a thief reads the entry before its CAS. The owner cannot overwrite that cell meanwhile without `top` having
//     moved, as push refuses a full queue; so a successful CAS proves that the entry was valid.
//
// The queue does not grow: when it is full push returns false, and the owner keeps the entry. Paper: Le, Pop, Cohen,
// Zappa Nardelli, "Correct and Efficient Work-Stealing for Weak Memory Models", 2013.
#pragma once

#include "runtime/base/platform/world.h"

namespace keyhole::gc {

template <typename W, u32 capacity> class WorkQueueOf {
  static_assert((capacity & (capacity - 1)) == 0);

 public:
  using Entry = u64;
  static constexpr Entry nothing = 0;

  // Called by the owner. False when there is no room.
  bool push(Entry entry) {
    u64 bottom = bottom_.load(std::memory_order_relaxed);
    if (bottom - top_.load(std::memory_order_acquire) >= capacity) return false;
    cells_[bottom & mask].store(entry, std::memory_order_relaxed);
    bottom_.store(bottom + 1, std::memory_order_release);  // Q3
    return true;
  }
  // Called by the owner. Takes the newest entry, or returns `nothing`.
  Entry pop() {
    u64 bottom = bottom_.load(std::memory_order_relaxed);
    // Only the owner pushes, so a queue that is empty for the owner stays empty.
    if (bottom == top_.load(std::memory_order_relaxed)) return nothing;
    --bottom;
    bottom_.store(bottom, std::memory_order_release);  // Q3: as push's
    W::fence();                                        // Q2
    u64 top = top_.load(std::memory_order_relaxed);
    if (top < bottom) return cells_[bottom & mask].load(std::memory_order_relaxed);
    Entry entry = nothing;
    if (top == bottom) {  // the last entry: the thread that moves top gets it
      entry = cells_[bottom & mask].load(std::memory_order_relaxed);
      if (!top_.compare_exchange_strong(top, top + 1, std::memory_order_seq_cst, std::memory_order_relaxed))
        entry = nothing;
    }
    bottom_.store(bottom + 1, std::memory_order_relaxed);  // empty now: readers take nothing
    return entry;
  }
  // Called by any thread. Takes the oldest entry; returns `nothing` when the queue is empty or another thread was
  // quicker.
  Entry steal() {
    u64 top = top_.load(std::memory_order_acquire);
    W::fence();  // Q2
    u64 bottom = bottom_.load(std::memory_order_acquire);
    if (top >= bottom) return nothing;
    Entry entry = cells_[top & mask].load(std::memory_order_relaxed);  // Q4
    if (!top_.compare_exchange_strong(top, top + 1, std::memory_order_seq_cst, std::memory_order_relaxed))
      return nothing;
    return entry;
  }
  // Whether the queue is empty; an estimate while other threads work.
  bool looks_empty() const { return bottom_.load(std::memory_order_acquire) <= top_.load(std::memory_order_acquire); }

 private:
  static constexpr u64 mask = capacity - 1;

  alignas(64) typename W::template Atomic<u64> top_{0};
  alignas(64) typename W::template Atomic<u64> bottom_{0};
  alignas(64) typename W::template Atomic<u64> cells_[capacity];
};

}  // namespace keyhole::gc
