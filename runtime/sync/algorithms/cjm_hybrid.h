// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// cjm-hybrid: a mixture of CJM and HashChains (Dice & Kogan). The queue is a ring of elements; the header word points
// at its tail, and an inner lock protects it. The tail keeps the displaced header and the wait set; a new tail copies
// them.
//
//   header --(klass, ., 00)--------------------------------+
//                                                          v
//     +--> | A: Held | --next--> | B: Asleep | --next--> | C: Queued | --+
//     |                                                  | displaced |   |
//     |                                                  | wait_set  |   |
//     +----------------------------- next -------------------------------+      head = tail.next: the holder
//
//   header            meaning                                              becomes
//   ...01             free, nobody waits                                   -> E alone (CAS, no inner lock)
//   klass, E          E came last; the holder is E.next, or E if E is      -> a newcomer; 01 by the holder, when it is
//                     alone                                                alone and no thread waits (CAS, no inner
//                                                                          lock)
//   klass, W, vacant  free; W waits, and keeps the header and the wait set -> a newcomer
//
//   -XX:CjmHybridInnerLock=   the inner lock of an object is
//   array                     one of 256, chosen by the object's address: unrelated objects may share a lock
//   tail                      in the tail element: a thread locks it, checks that the element is still the tail, and
//                             otherwise repeats with the new tail
//
// R1: the header changes by CAS only: the first insertion and the last removal do not take the inner lock. All other
//     changes of ring, wait set and tail are made under the inner lock. If the holder's element is alone in the ring,
//     the holder may leave the ring although a newcomer has the inner lock. Then the newcomer's CAS fails, and the
//     newcomer starts again.
// R2: with the inner lock in the tail, a thread may lock an element that is no longer the tail. That only delays
//     another object for a moment, because elements are type-stable. A new tail is published with its inner lock held,
//     which is released once the ring is complete.
// R3: values that a newcomer reads from the tail before its CAS may belong to another object (R1). So it reads next,
//     wait set and displaced header (cjm_element.h E2) after its CAS, when the tail cannot leave the ring. The header
//     word itself tells whether the ring is vacant.
// R4: FIFO, direct hand-over: at an exit the head leaves the ring, and the next element becomes Held. The exit wakes
//     that element's thread if the thread sleeps.
// R5: if an object is free but has waiters, its tail is a waiting element, and the header has the flag vacant
//     (cjm_base.h B2). This element is not given away, because its lender is in wait.
#pragma once

#include "runtime/sync/algorithms/cjm_base.h"
#include "runtime/sync/algorithms/cjm_fast_path.h"
#include "runtime/sync/algorithms/cjm_inner_lock.h"

namespace keyhole::sync {

template <typename W> class CjmHybridOf : public CjmOf<W, CjmHybridOf<W>> {
  using Base = CjmOf<W, CjmHybridOf<W>>;
  friend Base;
  using Base::elements_, Base::policy_, Base::engage_free, Base::await_hand_over, Base::hand_over;
  using InnerLock = CjmInnerLock<W>;

 public:
  using typename Base::Element, typename Base::State, typename Base::Thread, typename Base::Reference,
      typename Base::Root;
  using FastPath = CjmFastPath<W>;
  static constexpr u32 inner_locks_log2 = 8;
  // A flag in the header, between the tag and the element; bit 2 belongs to the collector.
  static constexpr u64 vacant = u64{1} << 3;
  static_assert(vacant != layout::self_forwarded_bit && vacant < lock_element_bytes);

  static picture::HeaderState header_state(u64 word) {
    u8 lock = static_cast<u8>(word & layout::lock_mask);
    bool is_vacant = lock != picture::HeaderState::free && (word & vacant) != 0;
    return picture::header_state(lock, is_vacant ? picture::flag::vacant : 0);
  }

 private:
  using Cell = typename InnerLock::Cell;

  void acquire(Thread* thread, Root root, Element* own) MAY_SAFEPOINT {
    Reference object = W::at(root);
    u64 KEYHOLE_HEAP* header = W::header(object);
    for (;;) {
      u64 word = W::load(header, Order::acquire);
      if ((word & layout::lock_mask) == layout::unlocked) {
        if (engage_free(thread, object, word, own)) return;  // R1
        continue;
      }
      Cell* inner = lock_ring(thread, object, &word);
      if (inner == nullptr) continue;
      if ((word & vacant) != 0) {  // R5
        Element* tail = Element::of_header(word);
        own->engage(State::Held, tail->displaced.load(std::memory_order_relaxed), nullptr);
        own->wait_set.set(tail->wait_set.get());
        [[maybe_unused]] u64 seen = W::cas(header, word, own->header_word(word), Order::acq_rel);
        KEYHOLE_ASSERT(seen == word, "a ring that nobody holds changed under its inner lock");
        W::note(thread, picture::change(picture::Step::took, picture::rule(5), header_state(own->header_word(word))),
                thread->id);
        InnerLock::unlock(*inner);
        return;
      }
      own->engage(State::Queued, 0, Element::of_header(word));
      bool appended = append_to_ring(thread, header, word, own, 1);
      InnerLock::unlock(*inner);
      if (appended) break;
    }
    W::count(thread, LockCounter::contended_enters);
    thread->queued_element.store(own, std::memory_order_release);
    await_hand_over(thread, own);
  }

  void await_lock(Thread* thread, Root, Element* own) MAY_SAFEPOINT { await_hand_over(thread, own); }

  void release(Thread* thread, Reference object, Element* own) {
    u64 KEYHOLE_HEAP* header = W::header(object);
    u64 displaced = own->displaced.load(std::memory_order_relaxed);
    u64 alone = own->header_word(displaced);
    // The wait set is kept in the tail element. If `own` is not the tail, the wait set in `own` is outdated, but then
    // the CAS of the header fails.
    u64 moment = W::moment();
    if (own->wait_set.get() == nullptr && W::cas(header, alone, displaced, Order::release) == alone) {  // R1
      W::note(thread, picture::change(picture::Step::let_go, picture::rule(1), header_state(displaced)), thread->id,
              moment);
      elements_.put(thread, own);
      return;
    }
    u64 word;
    Cell* inner = lock_ring(thread, object, &word);
    Element* tail = Element::of_header(word);
    if (tail == own) {
      u64 wanted = displaced;
      if (Element* waiter = own->wait_set.get()) {  // R5
        waiter->wait_set.set(waiter);
        wanted = waiter->header_word(word, vacant);
      }
      moment = W::moment();
      [[maybe_unused]] u64 seen = W::cas(header, word, wanted, Order::acq_rel);
      KEYHOLE_ASSERT(seen == word, "a held ring changed under its inner lock");
      W::note(thread, picture::change(picture::Step::let_go, picture::rule(5), header_state(wanted)), thread->id,
              moment);
      InnerLock::unlock(*inner);
    } else {
      uptr next = own->next.load(std::memory_order_relaxed);
      tail->next.store(next, std::memory_order_relaxed);
      InnerLock::unlock(*inner);
      // R4: the element `next` cannot leave the ring before its thread has held the lock.
      hand_over(thread, Element::of_link(next));
    }
    elements_.put(thread, own);
  }

  template <typename Action> void with_body(Thread* thread, Reference object, Element*, Action action) {
    u64 word;
    Cell* inner = lock_ring(thread, object, &word);
    action(Element::of_header(word));
    InnerLock::unlock(*inner);
  }

  void append(Thread* thread, Reference object, Element*, Element* waiter) {
    u64 word;
    Cell* inner = lock_ring(thread, object, &word);
    [[maybe_unused]] bool appended = append_to_ring(thread, W::header(object), word, waiter, 3);
    KEYHOLE_ASSERT(appended, "a held ring changed under its inner lock");
    InnerLock::unlock(*inner);
  }

  // Locks the inner lock of the object's ring. Returns the inner lock and the header word, or null if the object became
  // free meanwhile.
  Cell* lock_ring(Thread* thread, Reference object, u64* word) {
    u64 KEYHOLE_HEAP* header = W::header(object);
    if (!policy_.inner_lock_in_tail) {
      u64 mixed = reinterpret_cast<uptr>(header) * 0x9e37'79b9'7f4a'7c15;
      Cell* inner = &inner_locks_[mixed >> (64 - inner_locks_log2)].cell;
      InnerLock::lock(thread, *inner);
      *word = W::load(header, Order::acquire);
      if ((*word & layout::lock_mask) != layout::unlocked) return inner;
      InnerLock::unlock(*inner);
      return nullptr;
    }
    for (;;) {
      *word = W::load(header, Order::acquire);
      if ((*word & layout::lock_mask) == layout::unlocked) return nullptr;
      Cell* inner = &Element::of_header(*word)->inner_lock;
      InnerLock::lock(thread, *inner);
      if (W::load(header, Order::acquire) == *word) return inner;  // R2
      InnerLock::unlock(*inner);
      W::count(thread, LockCounter::chases);
    }
  }

  // Appends `last` to the ring, under the inner lock; `word` is the header. Returns false, without effect, if the
  // holder's element was alone in the ring and has left it (R1).
  bool append_to_ring(Thread* thread, u64 KEYHOLE_HEAP* header, u64 word, Element* last, u8 rule) {
    if (policy_.inner_lock_in_tail) InnerLock::lock(thread, last->inner_lock);  // R2
    const u64 id = last->lender.load(std::memory_order_relaxed)->id;
    bool appended = W::cas(header, word, last->header_word(word), Order::acq_rel) == word;  // R1
    if (appended) {                                                                         // R3
      W::note(thread, picture::change(picture::Step::queued, picture::rule(rule)), id);
      Element* tail = Element::of_header(word);
      uptr head = tail->next.load(std::memory_order_relaxed);
      last->wait_set.set(tail->wait_set.get());
      last->next.store(head == Element::nobody_yet ? tail->link() : head, std::memory_order_relaxed);
      last->displaced.store(tail->displaced.load(std::memory_order_relaxed), std::memory_order_release);
      tail->next.store(last->link(), std::memory_order_relaxed);
    }
    if (policy_.inner_lock_in_tail) InnerLock::unlock(last->inner_lock);
    return appended;
  }

  struct alignas(64) PaddedCell {
    Cell cell{0};
  };
  PaddedCell inner_locks_[usize{1} << inner_locks_log2];
};

}  // namespace keyhole::sync
