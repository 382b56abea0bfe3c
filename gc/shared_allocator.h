// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Mutator allocation by CAS into shared regions: the protocol, apart from what a region is.
//
//   slot 0        slot 1        slot 2              slot n-1         each on a cache line of its own
//   [span *]      [null]        [span *]    ...     [span *]
//      ^ home of threads with id % n == 0
//
//   allocate:  1. home slot and the next two: CAS on the span's top. No lock.
//              2. lock; the home slot again (another thread may have refilled it meanwhile)
//              3. home slot empty or ready to retire (less than a minimum TLAB is free): retire it, refill, allocate
//              4. any other slot that has room
//              5. home slot has a remainder, but too small for this object: retire it all the same, refill, allocate
//              6. nothing: the caller collects
//
// R1: a slot is written under the lock only; readers load it with acquire, which pairs with the release of a refill: they see
//     the span's bounds.
// R2: a span leaves its slot before the source hears of its retirement. A thread that loaded it earlier may go on allocating
//     from it (shared_span.h R4).
// R3: slots are filled on demand, by the first thread whose home they are: a single-threaded program keeps one region open.
//
// `World`: Atomic<T>. `Source`: lock(), unlock(), Span* refill() (null: the budget is spent), retire(Span*), minimum_bytes().
#pragma once

#include "gc/shared_span.h"

namespace keyhole::gc {

template <typename World> class SharedAllocator {
 public:
  using Span = SharedSpan<World>;
  static constexpr u32 maximum_slots = 128;
  static constexpr u32 probes = 3;

  void initialize(u32 slot_count) { slot_count_ = slot_count; }
  u32 slot_count() const { return slot_count_; }

  // `lock_always`: -XX:-UseCASAllocation, for comparison.
  template <typename Source>
  uptr allocate(Source& source, u64 thread_id, u64 minimum_bytes, u64 wanted_bytes, u64& taken_bytes, bool lock_always) {
    u32 home = static_cast<u32>(thread_id % slot_count_);
    if (!lock_always) {
      for (u32 i = 0; i < probes && i < slot_count_; ++i) {
        if (uptr found = allocate_in(slot(home + i), minimum_bytes, wanted_bytes, taken_bytes)) return found;
      }
    }
    source.lock();
    uptr found = allocate_locked(source, home, minimum_bytes, wanted_bytes, taken_bytes);
    source.unlock();
    return found;
  }

  // World stopped: takes every span out of its slot.
  template <typename Source> void retire_all(Source& source) {
    for (u32 i = 0; i < slot_count_; ++i) retire(source, slots_[i]);
  }
  // World stopped: offers a span that has room.
  void offer(Span* span) { slots_[0].span.store(span, std::memory_order_release); }

 private:
  struct alignas(64) Slot {
    typename World::template Atomic<Span*> span{nullptr};
  };

  Slot& slot(u32 index) { return slots_[index % slot_count_]; }

  static uptr allocate_in(Slot& slot, u64 minimum_bytes, u64 wanted_bytes, u64& taken_bytes) {
    Span* span = slot.span.load(std::memory_order_acquire);  // R1
    return span == nullptr ? 0 : span->allocate(minimum_bytes, wanted_bytes, taken_bytes);
  }

  template <typename Source>
  uptr allocate_locked(Source& source, u32 home, u64 minimum_bytes, u64 wanted_bytes, u64& taken_bytes) {
    Slot& own = slot(home);
    if (uptr found = allocate_in(own, minimum_bytes, wanted_bytes, taken_bytes)) return found;
    for (;;) {
      Span* span = own.span.load(std::memory_order_relaxed);
      bool ready = span == nullptr || span->free_bytes() < source.minimum_bytes();
      if (!ready || !refill(source, own)) {
        for (u32 i = 0; i < slot_count_; ++i) {
          if (uptr found = allocate_in(slots_[i], minimum_bytes, wanted_bytes, taken_bytes)) return found;
        }
        if (ready || !refill(source, own)) return 0;
      }
      // A fresh span is fair game for threads that do not hold the lock; when they used it up, another one is due.
      if (uptr found = allocate_in(own, minimum_bytes, wanted_bytes, taken_bytes)) return found;
    }
  }

  template <typename Source> void retire(Source& source, Slot& slot) {
    Span* span = slot.span.load(std::memory_order_relaxed);
    if (span == nullptr) return;
    slot.span.store(nullptr, std::memory_order_relaxed);  // R2
    source.retire(span);
  }
  template <typename Source> bool refill(Source& source, Slot& slot) {
    Span* fresh = source.refill();
    if (fresh == nullptr) return false;  // the old span keeps its slot: smaller objects may still fit
    retire(source, slot);
    slot.span.store(fresh, std::memory_order_release);  // R1
    return true;
  }

  u32 slot_count_ = 1;
  Slot slots_[maximum_slots];
};

}  // namespace keyhole::gc
