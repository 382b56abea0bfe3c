// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// cjm-by: Compact Java Monitors with bounded bypass (Fissile locks, Dice & Kogan, arXiv 2003.05025): a bit of the
// header is the lock; the queue only decides which thread competes for it. Newcomers may pass the queue until its first
// thread has run out of patience.
//
//   header --(klass, ., flags, 00)---------------------+
//                                                      v
//        | head      | --next-->  | A: Successor | --next--> | B: Asleep |     C: Held, passed by: in no queue
//        | displaced |            | home=head    |           | home=head |
//        | wait_set  |
//
//   header                     meaning                                     becomes
//   ...01                      free, nobody waits                          E, held: E is the head (CAS, any thread)
//   klass, E, held             a thread holds it; its element is Held      the flags below; another E
//   klass, E                   free, but a thread queues or waits          held: by a newcomer or the successor (CAS)
//   ... roused                 the successor is awake, or sleeps briefly:  clear: when the successor has the lock
//                              an exit need not wake it
//   ... starving               the successor's patience is over            clear: when the successor has the lock
//
// R1: held, roused, starving and the tail are in one word, which changes by CAS. A successor sleeps until the end of
//     its patience only if it has seen held without roused: the next exit wakes it. It sleeps without a timeout only if
//     it has set starving while held was set: the next exit hands it the lock. In all other cases it sleeps with a
//     short timeout.
// R2: the head of the queue is the element of the thread that locked the free object. Like the dummy node of a Michael
//     & Scott queue it stands for no queued thread; it keeps the displaced header and the wait set until the object is
//     free again. If its lender releases the lock while other threads queue or wait, the lender gives the element away.
//     `home` of the head and of each queued element points to the head. Before a queueing thread links its own element,
//     it copies the head from its predecessor's element, and the displaced header as well (cjm_element.h E2).
// R3: the element after the head is the successor's; only the successor competes, and only the successor sleeps with a
//     timeout. All other queued threads sleep; the thread directly after a holder spins first, because it is the next
//     successor. A successor that becomes the holder stays in the queue until its exit.
// R4: an exit that finds `starving` hands the lock to the successor; `held` stays set. Otherwise the exit clears
//     `held`, and wakes the successor unless `roused` is set. A busy holder wakes the successor before it releases the
//     lock (T5).
// R5: newcomers may take the lock only when neither held nor starving is set. So newcomers can pass a queued thread for
//     at most the sum of its own and its predecessors' patience. A thread that has handed the lock to a starving
//     successor queues at its next enter even if the lock is free; the successor is awake then (R1).
// R6: when a holder leaves the queue, its element may be the last one linked, although another thread has already made
//     its own element the tail. The holder then stores `gone` in its element and gives the element away. The other
//     thread finds `gone` when it wants to link itself; it makes itself the successor and adopts the element, as in
//     cjm_fifo.h R4 and R5.
// R7: while the lock is held, only the holder takes elements out of the queue. So the links that it reads between tail
//     and head do not change.
// R8: a thread takes the lock by the CAS that sets held, or by reading Held; both are acquires. Each pairs with the
//     release that gave up the lock: the CAS that cleared held, or the exchange to Held.
// R9: a successor that an exit has woken, and that finds the lock held again, counts a retake and clears roused, so
//     that the next exit wakes it again. After some retakes it treats the lock as heavily contended (quantum.h T1), and
//     leaves roused set during its timed waits. A single retake does not suffice: the holder may release the lock and
//     not return for long, and the successor's timed wait would go on beside a free lock.
// R10: a holder that releases the lock in Object.wait will not be back soon. It wakes the successor even if roused is
//      set, because the successor may be in a timed wait.
//
// quantum.h (T1..) decides when a successor takes the lock, sleeps or is starving, and which thread probes before it
// queues. With -XX:CjmBySuccession=race the lock behaves like Fissile locks: the successor takes the lock as soon as it
// finds it free, and newcomers try once, then queue.
#pragma once

#include "runtime/sync/algorithms/cjm_base.h"
#include "runtime/sync/algorithms/cjm_by_fast_path.h"

namespace keyhole::sync {

template <typename W> class CjmByOf : public CjmOf<W, CjmByOf<W>> {
  using Base = CjmOf<W, CjmByOf<W>>;
  friend Base;
  using Base::elements_, Base::policy_, Base::spin, Base::engage_free, Base::known_displaced, Base::state_of;
  using Flags = CjmByFlags;

 public:
  using typename Base::Element, typename Base::State, typename Base::Thread, typename Base::Reference;
  using typename Base::Root;
  using FastPath = CjmByFastPath<W>;

  static picture::HeaderState header_state(u64 word) { return Flags::state(word); }

  void initialize(const CjmPolicy& policy) {
    Base::initialize(policy);
    policy_.quantum.probes_of_held_lock = Quantum::probes_in(policy.spin_reads);
  }

 private:
  using Step = picture::Step;
  using Quantum = QuantumPolicyOf<W>;
  using Seen = typename Quantum::Seen;
  Quantum quantum() const { return Quantum(policy_.quantum); }

  static bool is_free(u64 word) { return (word & Flags::held) == 0; }
  // Whether newcomers may take the lock (R5).
  static bool is_open(u64 word) {
    return (word & layout::lock_mask) == layout::unlocked || (word & (Flags::held | Flags::starving)) == 0;
  }
  // The header after a successor has taken the lock.
  static u64 with_holder(u64 word) { return (word | Flags::held) & ~(Flags::roused | Flags::starving); }

  void acquire(Thread* thread, Root root, Element* own) MAY_SAFEPOINT {
    Reference object = W::at(root);
    u64 KEYHOLE_HEAP* header = W::header(object);
    const bool busy = quantum().is_busy(own->pace, visits(own)), had_quantum = own->had_quantum.get();
    own->had_quantum.set(false);
    for (bool probes = quantum().newcomer_probes(busy, had_quantum);;) {  // quantum.h T4
      u64 word = W::load(header, Order::acquire);
      if ((word & layout::lock_mask) == layout::unlocked) {
        if (engage_free(thread, object, word, own, Flags::held)) return;
        continue;
      }
      Element* before = Element::of_header(word);
      if ((word & Flags::held) != 0 && probes && !(W::leaves_processor(thread) && somebody_queues(before))) {
        probes = false;
        bool free = becomes_free(header);
        W::count(thread, free ? LockCounter::spins_won : LockCounter::spins_lost);
        continue;
      }
      if ((word & (Flags::held | Flags::starving)) == 0 && !had_quantum) {  // R5
        own->engage(State::Held, 0, nullptr);
        if (W::cas(header, word, word | Flags::held, Order::acq_rel) == word) {  // R8
          note(thread, Step::took, 5, word | Flags::held);
          W::count(thread, LockCounter::bypasses);
          return;
        }
        continue;
      }
      own->engage(State::Queued, 0, before);
      own->is_heavily_contended.store(false, std::memory_order_relaxed);
      if (W::cas(header, word, own->header_word(word, word & Flags::all), Order::acq_rel) != word) continue;
      note(thread, Step::queued, 3, word);
      link_after(thread, before, own);
      break;
    }
    W::count(thread, LockCounter::contended_enters);
    thread->queued_element.store(own, std::memory_order_release);
    await_lock(thread, root, own);
    quantum().measure_from_now(own->pace, visits(own));
  }

  // Whether a thread queues behind the tail element. The result is a hint: the element may belong to another object by
  // now.
  static bool somebody_queues(const Element* tail) { return state_of(tail) != State::Held; }

  // The number of times that the element was engaged, that is, lent to an object (cjm_element.h E3).
  static u32 visits(const Element* own) { return static_cast<u32>(own->version.load(std::memory_order_relaxed)); }

  // Probes the lock for some microseconds at most. Returns true if newcomers may take it now.
  static bool becomes_free(u64 KEYHOLE_HEAP* header) {
    auto open_or_starving = [](u64 word) { return is_open(word) || (word & Flags::starving) != 0; };
    return W::spin_until(header, open_or_starving, Quantum::reads_of_a_newcomer) &&
           is_open(W::load(header, Order::acquire));
  }

  // Links `own` into the queue after `before`. Meanwhile the thread that lent `before` either stays in the queue, or
  // leaves and stores `gone` in before->next (R2, R6).
  void link_after(Thread* thread, Element* before, Element* own) {
    Element* home = known_home(before);
    own->home.store(home, std::memory_order_release);
    own->displaced.store(known_displaced(before), std::memory_order_release);
    if (before == home) own->state.store(State::Successor, std::memory_order_relaxed);
    uptr nobody = Element::nobody_yet;
    if (before->next.compare_exchange_strong(nobody, own->link(), std::memory_order_acq_rel, std::memory_order_acquire))
      return;
    KEYHOLE_ASSERT(nobody == Element::gone && before != home, "an element has two successors");
    elements_.adopt(thread, before);
    elements_.put(thread, before);
    own->state.store(State::Successor, std::memory_order_relaxed);
    home->next.store(own->link(), std::memory_order_release);
  }

  void await_lock(Thread* thread, Root root, Element* own) MAY_SAFEPOINT {
    auto is_up = [](State state) { return state == State::Successor || state == State::Held; };
    State seen = state_of(own);
    if (!is_up(seen)) {
      if (seen == State::Queued) {
        // The state of `before` is a hint: if the predecessor has left the queue already, the predecessor's element may
        // serve another object.
        Element* before = own->previous.load(std::memory_order_relaxed);
        if (before == nullptr || state_of(before) != State::Held || !spin(thread, own, is_up))  // R3
          own->state.compare_exchange_strong(seen, State::Asleep, std::memory_order_acq_rel, std::memory_order_acquire);
      }
      if (!is_up(state_of(own))) {
        typename W::StatusScope status(thread, W::blocked_status);
        typename W::BlockedScope blocked(thread);
        while (!is_up(state_of(own))) {
          W::count(thread, LockCounter::parks);
          W::park(thread, forever);
        }
      }
    }
    if (state_of(own) == State::Successor) compete(thread, root, own);
  }

  // Waits for the lock as the successor (R1, R4).
  void compete(Thread* thread, Root root, Element* own) MAY_SAFEPOINT {
    const auto tenure = quantum().begin_tenure();
    u32 retakes = 0;
    for (bool slept = false;;) {
      bool hint = own->is_heavily_contended.load(std::memory_order_relaxed);  // quantum.h T2
      Seen seen = hint ? Seen::HeavilyContended : probe(thread, root, own, slept, retakes);
      own->is_heavily_contended.store(false, std::memory_order_relaxed);
      if (seen == Seen::Given) return;
      i64 left = tenure.patience_left();
      if (left <= 0) break;
      u64 KEYHOLE_HEAP* header = W::header(W::at(root));
      u64 word = W::load(header, Order::acquire);
      if (seen == Seen::Held) {
        if (is_free(word)) continue;
        if ((word & Flags::roused) != 0) {  // R9
          if (quantum().is_one_retake_too_many(retakes)) seen = Seen::HeavilyContended;
          else if (!changes_held(thread, header, word, word & ~Flags::roused)) continue;
        }
      }
      slept = seen == Seen::HeavilyContended && policy_.quantum.by_quantum;
      if (seen == Seen::HeavilyContended) {
        while ((word & Flags::roused) == 0 && !changes_held(thread, header, word, word | Flags::roused)) {
          word = W::load(header, Order::relaxed);  // quantum.h T1
        }
        left = tenure.timeout(left);
        if (left <= 0) break;
        if (slept) left = tenure.timeout_of_one_wait(left);
      }
      if (state_of(own) == State::Held) return;
      typename W::StatusScope status(thread, W::blocked_status);
      typename W::BlockedScope blocked(thread);
      W::count(thread, LockCounter::parks);
      W::park(thread, left);
    }
    // R4: this thread is starving. It waits until an exit hands it the lock, or takes the lock when the lock is free.
    u64 KEYHOLE_HEAP* header = W::header(W::at(root));
    auto is_held = [](State state) { return state == State::Held; };
    quantum().await_holder([&] { return is_free(W::load(header, Order::acquire)); }, own->state, is_held);
    for (u64 word = W::load(header, Order::acquire); state_of(own) != State::Held;) {
      u64 wanted = is_free(word) ? with_holder(word) : word | Flags::starving;
      u64 before = W::cas(header, word, wanted, Order::acq_rel);  // R8
      if (before != word) {
        word = before;
        continue;
      }
      note(thread, is_free(word) ? Step::took_from_queue : Step::header, 4, wanted);
      if (is_free(word)) {
        own->state.store(State::Held, std::memory_order_relaxed);
        return;
      }
      own->has_quantum.set(policy_.quantum.by_quantum);
      W::count(thread, LockCounter::starving);
      break;
    }
    if (is_held(state_of(own)) || spin(thread, own, is_held)) return;
    typename W::StatusScope status(thread, W::blocked_status);
    typename W::BlockedScope blocked(thread);
    while (!is_held(state_of(own))) {
      W::count(thread, LockCounter::parks);
      W::park(thread, forever);
    }
  }

  // Replaces the header by one that differs only in flags of the successor. Returns false if the header has changed.
  static bool changes_held(Thread* thread, u64 KEYHOLE_HEAP* header, u64 word, u64 wanted) {
    if (W::cas(header, word, wanted, Order::relaxed) != word) return false;
    note(thread, Step::header, 1, wanted);
    return true;
  }

  // Probes the lock as the successor. Returns Given if this thread has taken the lock, or was handed it. slept: whether
  // the successor has just ended a timed wait; then it takes the lock only if the lock is idle (quantum.h T1).
  Seen probe(Thread* thread, Root root, Element* own, bool slept, u32& retakes) TOUCHES_OBJECTS {
    u64 KEYHOLE_HEAP* header = W::header(W::at(root));
    auto free = [&] { return is_free(W::load(header, Order::acquire)); };
    auto is_held = [](State state) { return state == State::Held; };
    auto probes = quantum().probes(W::leaves_processor(thread), free, own->state, is_held, retakes);
    for (;;) {
      Seen seen;
      if (slept) seen = quantum().is_idle(free, own->state, is_held) ? Seen::Free : Seen::HeavilyContended;
      else seen = probes.next([&] { return W::safepoint_pending(thread); });
      if (is_held(state_of(own))) return Seen::Given;
      if (seen != Seen::Free) return seen;
      u64 word = W::load(header, Order::acquire);
      if (!is_free(word) || W::cas(header, word, with_holder(word), Order::acq_rel) != word) continue;  // R8
      note(thread, Step::took_from_queue, 8, with_holder(word));
      own->state.store(State::Held, std::memory_order_relaxed);
      return Seen::Given;
    }
  }

  void release(Thread* thread, Reference object, Element* own) { release(thread, object, own, false); }
  void release_in_wait(Thread* thread, Reference object, Element* own) { release(thread, object, own, true); }

  void release(Thread* thread, Reference object, Element* own, bool waits) {
    u64 KEYHOLE_HEAP* header = W::header(object);
    Element* home = home_of(object, own);
    const bool comes_again = !waits && (own->has_quantum.get() || own->pace.is_busy.get());
    own->has_quantum.set(false);
    Element* leaving = own;  // the element to put back at the end; null once it is given away
    if (home != own && own->home.load(std::memory_order_relaxed) != nullptr) {
      // Takes `own`, which is directly after the head (R3), out of the queue.
      uptr next = own->next.load(std::memory_order_acquire);
      if (next == Element::nobody_yet) {
        // While the tail is `own`, no thread links its element to the head, so this store cannot overwrite a link.
        home->next.store(Element::nobody_yet, std::memory_order_relaxed);
        for (u64 word = W::load(header, Order::acquire); Element::of_header(word) == own;) {
          if (home->wait_set.get() == nullptr) {
            u64 displaced = home->displaced.load(std::memory_order_relaxed);
            const u64 moment = W::moment();
            u64 seen = W::cas(header, word, displaced, Order::release);  // R8
            if (seen == word) {
              note(thread, Step::let_go, 8, displaced, moment);
              put_home(thread, home);
              elements_.put(thread, own);
              return;
            }
            word = seen;
          } else {
            const u64 moment = W::moment();
            u64 seen = W::cas(header, word, home->header_word(word), Order::release);  // cjm_base.h B2, R8
            if (seen == word) {
              note(thread, Step::let_go, 8, home->header_word(word), moment);
              elements_.put(thread, own);
              return;
            }
            word = seen;
          }
        }
        elements_.give_away(thread, own);
        if (own->next.compare_exchange_strong(next, Element::gone, std::memory_order_acq_rel,
                                              std::memory_order_acquire)) {
          leaving = nullptr;  // R6
        } else {
          elements_.adopt(thread, own);
        }
      }
      if (leaving != nullptr) {
        Element::of_link(next)->state.store(State::Successor, std::memory_order_release);
        home->next.store(next, std::memory_order_release);
      }
    }
    if (home == own) {
      elements_.give_away(thread, own);  // R2: pass_on takes the element back if no thread queues
      leaving = nullptr;
    }
    bool handed_over = pass_on(thread, object, home, comes_again, waits);
    if (leaving == nullptr) return;
    own->had_quantum.set(handed_over && policy_.quantum.by_quantum);  // R5
    elements_.put(thread, own);
  }

  // Wakes the successor before the lock is released (R4, quantum.h T5). The lock is held, so the successor stays in the
  // queue; from now on it sleeps only with a short timeout (R1). Returns the new header.
  u64 rouse(Thread* thread, u64 KEYHOLE_HEAP* header, Element* successor, u64 word) {
    Thread* successor_thread = successor->lender.load(std::memory_order_relaxed);
    successor->is_heavily_contended.store(policy_.quantum.by_quantum, std::memory_order_relaxed);  // quantum.h T2
    u64 seen = W::cas(header, word, word | Flags::roused, Order::release);
    if (seen != word) return seen;
    note(thread, Step::header, 4, word | Flags::roused);
    W::count(thread, LockCounter::unparks);
    W::unpark(successor_thread);
    W::yield();  // quantum.h T5
    return word | Flags::roused;
  }

  // Releases the lock, after the holder has taken its element out of the queue or given it away. Returns true if the
  // lock was handed over to a starving successor. waits: the holder is in Object.wait (R10).
  bool pass_on(Thread* thread, Reference object, Element* home, bool comes_again, bool waits) {
    u64 KEYHOLE_HEAP* header = W::header(object);
    u64 word = W::load(header, Order::acquire);
    for (;;) {
      u64 wanted;
      Element* successor = nullptr;
      bool hand_over = false;
      if (Element::of_header(word) == home) {
        wanted = home->wait_set.get() == nullptr ? home->displaced.load(std::memory_order_relaxed)
                                                 : word & ~Flags::all;  // cjm_base.h B2
      } else {
        // If `successor` is null, the next thread has not linked its element yet, so that thread is awake.
        successor = Element::of_link(home->next.load(std::memory_order_acquire));
        if (comes_again && successor != nullptr && (word & (Flags::starving | Flags::roused)) == 0) {
          word = rouse(thread, header, successor, word);
          continue;
        }
        hand_over = successor != nullptr && (word & Flags::starving) != 0;
        wanted = hand_over ? word & ~(Flags::starving | Flags::roused) : (word & ~Flags::held) | Flags::roused;  // R4
      }
      // The successor's thread is read before the CAS, because after the CAS the successor's element may belong to
      // another thread.
      Thread* successor_thread = successor == nullptr ? nullptr : successor->lender.load(std::memory_order_relaxed);
      const u64 moment = W::moment();
      u64 seen = W::cas(header, word, wanted, Order::acq_rel);  // R8
      if (seen != word) {
        word = seen;
        continue;
      }
      note(thread, hand_over ? Step::given_from_queue : Step::let_go, 4, wanted, moment,
           hand_over ? successor_thread->id : thread->id);
      if ((wanted & layout::lock_mask) == layout::unlocked) {
        put_home(thread, home);
      } else if (hand_over) {
        W::count(thread, LockCounter::hand_overs);
        W::count(thread, LockCounter::unparks);
        successor->state.store(State::Held, std::memory_order_release);  // R8
        W::unpark(successor_thread);
      } else if (successor != nullptr && ((word & Flags::roused) == 0 || waits)) {
        W::count(thread, LockCounter::unparks);
        W::unpark(successor_thread);  // R1, R10
      }
      return hand_over;
    }
  }

  static void note(Thread* thread, Step step, u8 rule, u64 word, u64 moment = 0, u64 subject = 0) {
    W::note(thread, picture::change(step, picture::rule(rule), header_state(word)), subject != 0 ? subject : thread->id,
            moment);
  }

  void put_home(Thread* thread, Element* home) {
    if (home->lender.load(std::memory_order_relaxed) == nullptr) elements_.adopt(thread, home);
    elements_.put(thread, home);
  }

  // Returns the head of the queue: the `home` of `element`, or else of the nearest predecessor that knows it (R2, R7).
  // known_displaced finds the displaced header in the same way (cjm_element.h E2).
  static Element* known_home(Element* element) {
    if (Element* home = element->home.load(std::memory_order_acquire)) return home;
    Element* before = element->previous.load(std::memory_order_acquire);
    if (before == nullptr) return nullptr;
    Element* theirs = known_home(before);
    Element* again = element->home.load(std::memory_order_acquire);
    return again != nullptr ? again : theirs;
  }

  template <typename Action> void with_body(Thread*, Reference object, Element* own, Action action) {
    action(home_of(object, own));
  }

  // Returns the head of the object's queue (R2). Called by the holder, whose element is `own`.
  Element* home_of(Reference object, Element* own) {
    if (Element* home = own->home.load(std::memory_order_relaxed)) return home;
    return known_home(Element::of_header(W::load(W::header(object), Order::acquire)));
  }

  void append(Thread* thread, Reference object, Element* own, Element* waiter) {
    u64 KEYHOLE_HEAP* header = W::header(object);
    Element* home = home_of(object, own);
    waiter->home.store(home, std::memory_order_release);
    const u64 id = waiter->lender.load(std::memory_order_relaxed)->id;
    u64 word = W::load(header, Order::acquire);
    for (;;) {
      u64 seen = W::cas(header, word, waiter->header_word(word, word & Flags::all), Order::acq_rel);
      if (seen == word) break;
      word = seen;
    }
    note(thread, Step::queued, 3, word, 0, id);
    // While the lock is held, the `next` of a queued element is never `gone`.
    Element* before = Element::of_header(word);
    // The waiter is asleep and the flag `roused` is clear, so the exit will wake the waiter.
    if (before == home) waiter->state.store(State::Successor, std::memory_order_release);
    before->next.store(waiter->link(), std::memory_order_release);
  }
};

}  // namespace keyhole::sync
