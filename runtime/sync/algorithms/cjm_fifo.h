// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// cjm-fifo: Compact Java Monitors (Dice & Kogan, arXiv 2102.04188): an MCS queue whose tail is the object's header
// word. A monitor's state (displaced header, wait set) is in the holder's element, and is copied to the next holder's
// element with the lock.
//
//   header --(klass, ., 00)-----------------------------------------+
//                                                                   v
//          | A: Held | --next-->  | B: Asleep | --next-->  | C: Queued | --next--> nobody_yet
//          | displaced |          | displaced |            | displaced |
//          | wait_set  | ring of waiting elements
//
//   header                          meaning                                      becomes
//   ...01                           free, nobody waits                           -> E (CAS, any thread)
//   klass, E, 00                    E's thread came last: it holds the lock,     -> a newcomer (CAS); 01 by E's thread
//                                   or queues                                    when it holds the lock, no thread has
//                                                                                queued and no thread waits (CAS)
//   klass, E, 00, E.next = gone     free, but there are waiters, or a thread     -> a newcomer (CAS), which takes the
//                                   has just queued after E                      lock and adopts E
//
// R1: enter's CAS of the header (acquire) pairs with the CAS by which exit restored the header (release).
// R2: the thread that replaces E as the tail is E's only successor. E stays engaged until that thread has linked itself
//     (CAS of E.next).
// R3: a successor copies the displaced header from E before it links itself (cjm_element.h E1, E2). So the header is
//     passed along the queue from the first holder's element to the tail.
// R4: a holder releases the lock by the first of three CASes that applies. If its element E is the tail and no thread
//     waits, it restores the header. If no successor has linked itself, it sets E.next to gone. Otherwise it sets the
//     linked successor's state to Held. So exit never waits.
// R5: a holder that sets E.next to gone gives E away with its contents. The successor finds `gone` when it fails to
//     link itself; it then takes the wait set and adopts E. The header of an object that is free but has waiters points
//     at such an element (cjm_base.h B2).
// R6: the write of Held to a state (release) pairs with the successor's read of it (acquire). So the successor sees the
//     critical section, and the wait set that the old holder has copied to its element.
// R7: FIFO: threads get the lock in the order in which they queued. A notifier queues the notified waiter at the tail.
// R8: a queued thread spins on its own element only, then sets its state to Asleep by CAS and parks. An exit that
//     replaces Asleep by Held unparks the thread.
#pragma once

#include "runtime/sync/algorithms/cjm_base.h"
#include "runtime/sync/algorithms/cjm_fast_path.h"

namespace keyhole::sync {

template <typename W> class CjmFifoOf : public CjmOf<W, CjmFifoOf<W>> {
  using Base = CjmOf<W, CjmFifoOf<W>>;
  friend Base;
  using Base::elements_, Base::engage_free, Base::known_displaced, Base::await_hand_over, Base::hand_over;

 public:
  using typename Base::Element, typename Base::State, typename Base::Thread, typename Base::Reference,
      typename Base::Root;
  using FastPath = CjmFastPath<W>;

  static picture::HeaderState header_state(u64 word) {
    return picture::header_state(static_cast<u8>(word & layout::lock_mask));
  }

 private:
  void acquire(Thread* thread, Root root, Element* own) MAY_SAFEPOINT {
    Reference object = W::at(root);
    u64 KEYHOLE_HEAP* header = W::header(object);
    for (;;) {
      u64 word = W::load(header, Order::acquire);
      if ((word & layout::lock_mask) == layout::unlocked) {
        if (engage_free(thread, object, word, own)) return;  // R1
        continue;
      }
      Element* before = Element::of_header(word);
      own->engage(State::Queued, 0, before);
      if (W::cas(header, word, own->header_word(word), Order::acq_rel) != word) continue;  // R2
      W::note(thread, picture::change(picture::Step::queued, picture::rule(2)), thread->id);
      own->displaced.store(known_displaced(before), std::memory_order_release);  // R3
      uptr nobody = Element::nobody_yet;
      if (before->next.compare_exchange_strong(nobody, own->link(), std::memory_order_acq_rel,
                                               std::memory_order_acquire))
        break;
      own->wait_set.set(before->wait_set.get());  // R5
      own->state.store(State::Held, std::memory_order_relaxed);
      W::note(thread, picture::change(picture::Step::took_from_queue, picture::rule(5)), thread->id);
      elements_.adopt(thread, before);
      elements_.put(thread, before);
      return;
    }
    W::count(thread, LockCounter::contended_enters);
    thread->queued_element.store(own, std::memory_order_release);
    await_lock(thread, root, own);
  }

  void await_lock(Thread* thread, Root, Element* own) MAY_SAFEPOINT { await_hand_over(thread, own); }  // R6, R8

  void release(Thread* thread, Reference object, Element* own) {
    uptr next = own->next.load(std::memory_order_acquire);
    if (next == Element::nobody_yet) {
      if (own->wait_set.get() == nullptr) {
        u64 displaced = own->displaced.load(std::memory_order_relaxed);
        u64 word = own->header_word(displaced);
        const u64 moment = W::moment();
        if (W::cas(W::header(object), word, displaced, Order::release) == word) {  // R1, R4
          W::note(thread, picture::change(picture::Step::let_go, picture::rule(4), header_state(displaced)), thread->id,
                  moment);
          elements_.put(thread, own);
          return;
        }
      }
      elements_.give_away(thread, own);
      const u64 moment = W::moment();
      // R4, R5.
      if (own->next.compare_exchange_strong(next, Element::gone, std::memory_order_acq_rel,
                                            std::memory_order_acquire)) {
        W::note(thread, picture::change(picture::Step::let_go, picture::rule(5)), thread->id, moment);
        return;
      }
      elements_.adopt(thread, own);
    }
    Element* successor = Element::of_link(next);
    successor->wait_set.set(own->wait_set.get());
    hand_over(thread, successor);  // R6
    elements_.put(thread, own);
  }

  template <typename Action> void with_body(Thread*, Reference, Element* own, Action action) { action(own); }

  void append(Thread* thread, Reference object, Element*, Element* waiter) {
    u64 KEYHOLE_HEAP* header = W::header(object);
    const u64 id = waiter->lender.load(std::memory_order_relaxed)->id;
    u64 word = W::load(header, Order::acquire);
    for (;;) {
      u64 seen = W::cas(header, word, waiter->header_word(word), Order::acq_rel);  // R2, R7
      if (seen == word) break;
      word = seen;
    }
    W::note(thread, picture::change(picture::Step::queued, picture::rule(7)), id);
    // No element of the queue has `gone` as its `next`, because the lock is held.
    Element* before = Element::of_header(word);
    before->next.store(waiter->link(), std::memory_order_release);
  }
};

}  // namespace keyhole::sync
