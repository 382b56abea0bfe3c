// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Mutator allocation by CAS into shared regions: the protocol, independent of what a region is.
//
//   slot 0        slot 1        slot 2              slot n-1         each on a cache line of its own
//   [span *]      [null]        [span *]    ...     [span *]
//      ^ home of the threads with id % n == 0
//
//   allocate:  1. home slot: CAS on the span's top. No lock.
//              2. home slot dry: early refill. A thread that sees it takes the lock if it is free, retires the span and
//              installs a fresh one, while the neighbours still have room for other threads
//              3. the next two slots: CAS. No lock
//              4. lock; the home slot again (another thread may have refilled it meanwhile)
//              5. home slot empty or dry: retire, refill, allocate; the probed neighbours that are dry get a fresh
//                 span, too
//              6. any other slot that has room: its span moves to the home slot
//              7. home slot has a rest too small for this object: retire it anyway, refill, allocate
//              8. fail: the caller collects
//
// A dry span is ready to retire: less than a minimum TLAB is free in it.
//
// R1: a slot is written under the lock only; readers load it with acquire, which pairs with the release of a refill:
//     they see the span's bounds.
// R2: a span is closed (shared_span.h R4) after it left its slot and before the source's retire is called. So nothing
//     is ever allocated in a retired span, although threads may still hold pointers to it.
// R3: an empty slot is filled when a thread with this home found no room elsewhere, or lost a CAS in a neighbour's
//     span. So a single-threaded program keeps one region open, threads that allocate rarely share one, and threads
//     that allocate at the same time separate.
// R4: steps 2 and 3 never wait: try_lock may fail for any reason.
//
// `World`: Atomic<T>. `Source`: lock(), try_lock(), unlock(), minimum_bytes(), Span* refill() (null: the budget is
// spent), retire(Span*, first_free): the source fills the rest from first_free on.
#pragma once

#include "gc/heap/shared_span.h"
#include "runtime/base/capabilities.h"
#include "runtime/threads/allocation_state.h"

namespace keyhole::gc {

template <typename World> class SharedAllocator {
 public:
  using Span = SharedSpan<World>;
  static constexpr u32 maximum_slots = 128;
  static constexpr u32 probes = 3;

  // Statistics of one slot. Written under the lock.
  struct SlotUse {
    u64 refills = 0;
    u64 retired_bytes = 0;  // bytes of retired spans, used or wasted
  };

  void initialize(u32 slot_count) {
    slot_count_ = slot_count;
    for (Slot& slot : slots_) slot.use = {};
  }
  u32 slot_count() const { return slot_count_; }
  u32 home_of(u64 thread_id) const { return static_cast<u32>(thread_id) % slot_count_; }
  Span* span_in(u32 index) const { return slots_[index].span.load(std::memory_order_acquire); }
  const SlotUse& use_of(u32 index) const { return slots_[index].use; }

  // Allocates. `home`: home_of(thread id). `counters`: those of the calling thread. `lock_always`: for
  // -XX:-UseCASAllocation, a comparison.
  template <typename Source>
  uptr allocate(Source& source, u32 home, u64 minimum_bytes, u64 wanted_bytes, u64& taken_bytes,
                AllocationCounters& counters, bool lock_always) TOUCHES_OBJECTS {
    Request request{minimum_bytes, wanted_bytes, taken_bytes, counters};
    if (!lock_always) [[likely]] {
      if (uptr found = allocate_in(slots_[home], request)) [[likely]]
        return found;
      if (uptr found = allocate_without_waiting(source, home, request)) return found;
    }
    source.lock();
    ++counters.slow_rounds;
    uptr found = allocate_locked(source, home, request);
    source.unlock();
    return found;
  }

  // World stopped: takes every span out of its slot without closing it.
  template <typename Source> void retire_all(Source& source) {
    for (u32 i = 0; i < slot_count_; ++i) {
      Span* span = slots_[i].span.load(std::memory_order_relaxed);
      if (span == nullptr) continue;
      slots_[i].span.store(nullptr, std::memory_order_relaxed);
      slots_[i].use.retired_bytes += span->end - span->start - span->free_bytes();
      source.retire_open(span);
    }
  }
  // World stopped: offers a span that has room.
  void offer(Span* span) { slots_[0].span.store(span, std::memory_order_release); }

 private:
  struct alignas(64) Slot {
    typename World::template Atomic<Span*> span{nullptr};
    SlotUse use;
  };
  struct Request {
    u64 minimum_bytes, wanted_bytes;
    u64& taken_bytes;
    AllocationCounters& counters;
  };

  Slot& slot(u32 index) { return slots_[index < slot_count_ ? index : index - slot_count_]; }

  static uptr allocate_in(Slot& slot, Request& request) {
    Span* span = slot.span.load(std::memory_order_acquire);  // R1
    if (span == nullptr) return 0;
    uptr found =
        span->allocate(request.minimum_bytes, request.wanted_bytes, request.taken_bytes, request.counters.cas_failures);
    if (found != 0) ++request.counters.pieces;
    return found;
  }

  template <typename Source> static bool is_dry(Source& source, Slot& slot) {
    Span* span = slot.span.load(std::memory_order_relaxed);
    return span != nullptr && span->free_bytes() < source.minimum_bytes();
  }

  // Steps 2 and 3.
  template <typename Source>
  [[gnu::noinline]] uptr allocate_without_waiting(Source& source, u32 home, Request& request) TOUCHES_OBJECTS {
    Slot& own = slots_[home];
    bool empty = own.span.load(std::memory_order_relaxed) == nullptr;
    if (!empty) {
      if (uptr found = refill_early(source, own, request)) return found;
    }
    u64 failures_before = request.counters.cas_failures;
    for (u32 i = 1; i < probes && i < slot_count_; ++i) {
      ++request.counters.probes;
      if (uptr found = allocate_in(slot(home + i), request)) {
        if (empty && request.counters.cas_failures != failures_before) open(source, own, request);  // R3
        return found;
      }
    }
    return 0;
  }

  template <typename Source> uptr refill_early(Source& source, Slot& own, Request& request) TOUCHES_OBJECTS {
    if (!source.try_lock()) return 0;        // R4
    uptr found = allocate_in(own, request);  // another thread of this home may have been here
    if (found == 0 && is_dry(source, own) && refill(source, own)) {
      ++request.counters.early_refills;
      found = allocate_in(own, request);
    }
    source.unlock();
    return found;
  }

  template <typename Source> void open(Source& source, Slot& own, Request& request) TOUCHES_OBJECTS {
    if (!source.try_lock()) return;  // R4
    if (own.span.load(std::memory_order_relaxed) == nullptr && refill(source, own)) ++request.counters.early_refills;
    source.unlock();
  }

  template <typename Source>
  [[gnu::noinline]] uptr allocate_locked(Source& source, u32 home, Request& request) TOUCHES_OBJECTS {
    Slot& own = slots_[home];
    if (uptr found = allocate_in(own, request)) return found;
    for (;;) {
      bool ready = own.span.load(std::memory_order_relaxed) == nullptr || is_dry(source, own);
      if (!ready || !refill(source, own)) {
        for (u32 i = 0; i < slot_count_; ++i) {
          uptr found = allocate_in(slots_[i], request);
          if (found == 0) continue;
          if (ready) adopt(source, own, slots_[i]);
          return found;
        }
        if (ready || !refill(source, own)) return 0;
      }
      // Threads without the lock may use up the new span; then another one is needed.
      if (uptr found = allocate_in(own, request)) {
        for (u32 i = 1; i < probes && i < slot_count_; ++i) {
          if (is_dry(source, slot(home + i))) refill(source, slot(home + i));
        }
        return found;
      }
    }
  }

  // Called under the lock, when there is no new span for `own`: moves the span of `from` there. Threads whose home is
  // `from` then find it empty, and do the same.
  template <typename Source> void adopt(Source& source, Slot& own, Slot& from) TOUCHES_OBJECTS {
    Span* span = from.span.load(std::memory_order_relaxed);
    from.span.store(nullptr, std::memory_order_relaxed);
    replace(source, own, span);
  }

  // Called under the lock: replaces the slot's span. Without a new span the old one stays, because smaller objects may
  // still fit.
  template <typename Source> bool refill(Source& source, Slot& slot) TOUCHES_OBJECTS {
    Span* fresh = source.refill();
    if (fresh == nullptr) return false;
    ++slot.use.refills;
    replace(source, slot, fresh);
    return true;
  }
  template <typename Source> void replace(Source& source, Slot& slot, Span* span) TOUCHES_OBJECTS {
    Span* old = slot.span.load(std::memory_order_relaxed);
    slot.span.store(span, std::memory_order_release);  // R1
    if (old == nullptr) return;
    slot.use.retired_bytes += old->end - old->start;
    uptr first_free = old->close();  // R2
    source.retire(old, first_free);
  }

  u32 slot_count_ = 1;
  Slot slots_[maximum_slots];
};

}  // namespace keyhole::gc
