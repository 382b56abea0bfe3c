// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// cjm-by: Compact Java Monitors with bounded bypass (Fissile locks, Dice & Kogan, arXiv 2003.05025): a bit of the header is the lock, the
// queue only decides who competes for it. Newcomers may pass the queue until its eldest has been patient long enough.
//
//   header --(klass, ., flags, 00)---------------------+
//                                                      v
//        | home      | --next-->  | A: Heir  | --next--> | B: Asleep |        C: Held, passed by: in no queue
//        | displaced |            | home ... |           | home ...  |
//        | wait_set  |
//
//   header                           meaning                                     becomes
//   ...01                            free, nobody waits                          -> E, held: E is its home (CAS, whoever comes)
//   klass, E, held                   the thread that has an element Held holds   the flags below; E changes when somebody queues
//   klass, E                         free, but somebody queues or waits          held: by a newcomer or the heir (CAS)
//   ... roused                       the heir was woken, or comes by itself:     clear: when the heir has the lock
//                                    an exit need not wake it
//   ... impatient                    the heir has waited long enough             clear: when the heir has the lock
//
// R1: held, roused, impatient and the tail are one word and change by CAS. An heir parks without a limit only after it has seen held without
//     roused, or has set impatient while held was set: the exit to come wakes it, or gives it the lock. Else it parks for a limited time.
// R2: home is the element of whoever locked the free object. It keeps the displaced header and the wait set until the object is free
//     again, and heads the queue; when its lender leaves before that, it gives it away. Each element finds its home by way of its
//     predecessor, before it links itself, as it finds the displaced header (E2).
// R3: the element behind home is the heir; only it competes and only it has a timer. All others sleep (the one directly behind a holder spins
//     first: it is the next heir). Becoming holder does not take the heir out of the queue, its exit does.
// R4: an exit that finds `impatient` passes the lock to the heir, held all the time. Else it clears `held`, and wakes the heir unless it is
//     roused; it never looks at a clock. The patience of an heir begins when it becomes heir.
// R5: newcomers pass only when neither held nor impatient is set. So a thread is passed for the sum of its predecessors' patience at most.
// R6: a holder that leaves the queue at its end, while a successor has not linked itself, leaves `gone` and its element: the successor
//     makes itself heir, and adopts it. (As R4 and R5 of cjm_fifo.h.)
// R7: while the lock is held nobody leaves the queue but the holder: what it reads on the way from the tail to home stays.
// R8: the CAS that sets held (acquire), or the read of Held (acquire), pairs with the CAS that cleared it or the exchange to Held (release).
// R9: an heir, and a newcomer before it queues, takes what stays free. A lock that is free for moments only, between two holders, is saturated: it does its work without the
//     heir, who would only have the threads wait for cache lines and wake-ups. Then the heir naps and looks again, each nap twice as long
//     as the one before, one millisecond at most: that is the longest a lock can be free beside an heir that sleeps, and only when it was saturated.
#pragma once

#include "runtime/sync/cjm_base.h"
#include "runtime/sync/cjm_by_fast_path.h"

namespace keyhole::sync {

template <typename W> class CjmByOf : public CjmOf<W, CjmByOf<W>> {
  using Base = CjmOf<W, CjmByOf<W>>;
  friend Base;
  using Base::elements_, Base::policy_, Base::spin, Base::engage_free, Base::known_displaced, Base::state_of;
  using Flags = CjmByFlags;

 public:
  using typename Base::Element, typename Base::State, typename Base::Thread, typename Base::Reference, typename Base::Root;
  using FastPath = CjmByFastPath<W>;

  // Reads of its own element between two looks of the heir at the header: while the heir looks, whoever has the lock loses the line.
  static constexpr u32 reads_between_looks = 64;
  // R9. Found free by so many more looks: it stays free.
  static constexpr u32 looks_at_a_free_lock = 4, reads_between_looks_at_a_free_lock = 6;
  static constexpr u32 looks_of_a_newcomer = 6, free_looks_of_a_newcomer = 4;
  // Short at first: it may have been chance.
  static constexpr i64 first_nap_nanoseconds = 1'000'000 >> 4, longest_nap_nanoseconds = 1'000'000;

 private:
  static bool is_free(u64 word) { return (word & Flags::held) == 0; }
  // As the heir leaves it when it has the lock.
  static u64 with_holder(u64 word) { return (word | Flags::held) & ~(Flags::roused | Flags::impatient); }

  // (s)
  void acquire(Thread* thread, Root root, Element* own) {
    Reference object = W::at(root);
    u64 KEYHOLE_HEAP* header = W::header(object);
    for (bool glanced = W::processors() < 2;;) {
      u64 word = W::load(header, Order::acquire);
      if ((word & layout::lock_mask) == layout::unlocked) {
        if (engage_free(thread, object, word, own, Flags::held)) return;
        continue;
      }
      if ((word & Flags::held) != 0 && !glanced) {
        glanced = true;
        own->state.store(State::Queued, std::memory_order_relaxed);
        bool free = glance(header, own);
        W::count(thread, free ? LockCounter::spins_won : LockCounter::spins_lost);
        continue;
      }
      Element* before = Element::of_header(word);
      if ((word & (Flags::held | Flags::impatient)) == 0) {   // R5
        own->engage(State::Held, 0, nullptr);
        if (W::cas(header, word, word | Flags::held, Order::acq_rel) == word) {   // R8
          W::count(thread, LockCounter::bypasses);
          return;
        }
        continue;
      }
      own->engage(State::Queued, 0, before);
      if (W::cas(header, word, own->header_word(word, word & Flags::all), Order::acq_rel) != word) continue;
      link_behind(thread, before, own);
      break;
    }
    W::count(thread, LockCounter::contended_enters);
    thread->queued_element.store(own, std::memory_order_release);
    await_turn(thread, root, own);
  }

  // R9, for a newcomer before it queues: true when the lock has become free and stays so. Some microseconds at most: queueing costs more.
  static bool glance(u64 KEYHOLE_HEAP* header, Element* own) {
    u32 free_looks = 0;
    for (u32 looks = looks_of_a_newcomer; looks != 0; --looks) {
      W::spin_until(own->state, [](State state) { return state == State::Held; }, reads_between_looks_at_a_free_lock);
      u64 word = W::load(header, Order::acquire);
      bool engaged = (word & layout::lock_mask) == layout::locked;
      if (engaged && (word & Flags::impatient) != 0) return false;
      if (engaged && !is_free(word)) {
        if (free_looks != 0) return false;
      } else if (++free_looks == free_looks_of_a_newcomer) {
        return true;
      }
    }
    return false;
  }

  // R2, R6. `before` does not leave meanwhile, or leaves `gone`.
  void link_behind(Thread* thread, Element* before, Element* own) {
    Element* home = known_home(before);
    own->home.store(home, std::memory_order_release);
    own->displaced.store(known_displaced(before), std::memory_order_release);
    if (before == home) own->state.store(State::Heir, std::memory_order_relaxed);
    uptr nobody = Element::nobody_yet;
    if (before->next.compare_exchange_strong(nobody, own->link(), std::memory_order_acq_rel, std::memory_order_acquire)) return;
    KEYHOLE_ASSERT(nobody == Element::gone && before != home, "an element has two successors");
    elements_.adopt(thread, before);
    elements_.put(thread, before);
    own->state.store(State::Heir, std::memory_order_relaxed);
    home->next.store(own->link(), std::memory_order_release);
  }

  // (s)
  void await_turn(Thread* thread, Root root, Element* own) {
    auto is_up = [](State state) { return state == State::Heir || state == State::Held; };
    State seen = state_of(own);
    if (!is_up(seen)) {
      if (seen == State::Queued) {
        // A hint: the predecessor may have left already, then this reads something else's state.
        Element* before = own->previous.load(std::memory_order_relaxed);
        if (before == nullptr || state_of(before) != State::Held || !spin(thread, own, is_up))   // R3
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
    if (state_of(own) == State::Heir) compete(thread, root, own);
  }

  enum class Look { Ours, Held, Saturated };

  // (s) The heir's part of R1, R4 and R9.
  void compete(Thread* thread, Root root, Element* own) {
    i64 deadline = W::now_nanoseconds() + policy_.impatience_nanoseconds;
    i64 nap = first_nap_nanoseconds;
    for (;;) {
      Look seen = look(thread, root, own);
      if (seen == Look::Ours) return;
      i64 left = deadline - W::now_nanoseconds();
      if (left <= 0) break;
      u64 KEYHOLE_HEAP* header = W::header(W::at(root));
      u64 word = W::load(header, Order::acquire);
      if (seen == Look::Held && (word & Flags::roused) == 0) {
        if (is_free(word)) continue;   // R1: held without roused was seen in one word
      } else {
        while ((word & Flags::roused) == 0) {   // R9
          u64 before = W::cas(header, word, word | Flags::roused, Order::relaxed);
          if (before == word) break;
          word = before;
        }
        if (left > nap) left = nap;
        if (nap < longest_nap_nanoseconds) nap *= 2;
      }
      if (state_of(own) == State::Held) return;
      typename W::StatusScope status(thread, W::blocked_status);
      typename W::BlockedScope blocked(thread);
      W::count(thread, LockCounter::parks);
      W::park(thread, left);
    }
    // R4: takes it, or has it passed on.
    u64 KEYHOLE_HEAP* header = W::header(W::at(root));
    for (u64 word = W::load(header, Order::acquire); state_of(own) != State::Held;) {
      u64 wanted = is_free(word) ? with_holder(word) : word | Flags::impatient;
      u64 before = W::cas(header, word, wanted, Order::acq_rel);   // R8
      if (before != word) {
        word = before;
        continue;
      }
      if (is_free(word)) {
        own->state.store(State::Held, std::memory_order_relaxed);
        return;
      }
      W::count(thread, LockCounter::impatient);
      break;
    }
    auto is_held = [](State state) { return state == State::Held; };
    if (is_held(state_of(own)) || spin(thread, own, is_held)) return;
    typename W::StatusScope status(thread, W::blocked_status);
    typename W::BlockedScope blocked(thread);
    while (!is_held(state_of(own))) {
      W::count(thread, LockCounter::parks);
      W::park(thread, forever);
    }
  }

  // Whether the heir can have the lock, by a few looks with pauses between them.
  Look look(Thread* thread, Root root, Element* own) {
    u64 KEYHOLE_HEAP* header = W::header(W::at(root));
    auto is_held = [](State state) { return state == State::Held; };
    u32 taken_again = 0;
    for (u32 looks = W::processors() < 2 ? 1 : 1 + policy_.spin_reads / reads_between_looks;;) {
      u64 word = W::load(header, Order::acquire);
      if (is_held(state_of(own))) return Look::Ours;
      if (is_free(word)) {
        bool stays_free = true;
        for (u32 more = looks_at_a_free_lock; more != 0 && stays_free; --more) {
          if (W::spin_until(own->state, is_held, reads_between_looks_at_a_free_lock)) return Look::Ours;
          stays_free = is_free(W::load(header, Order::acquire));
        }
        if (!stays_free) {   // R9
          if (++taken_again >= policy_.gaps_of_a_saturated_lock) return Look::Saturated;
          continue;
        }
        word = W::load(header, Order::acquire);
        if (!is_free(word) || W::cas(header, word, with_holder(word), Order::acq_rel) != word) continue;   // R8
        own->state.store(State::Held, std::memory_order_relaxed);
        return Look::Ours;
      }
      if (--looks == 0 || W::safepoint_pending(thread)) return Look::Held;
      if (W::spin_until(own->state, is_held, reads_between_looks)) return Look::Ours;
    }
  }

  void release(Thread* thread, Reference object, Element* own) {
    u64 KEYHOLE_HEAP* header = W::header(object);
    Element* home = home_of(object, own);
    Element* leaving = own;   // what is put back at the end
    if (home != own && own->home.load(std::memory_order_relaxed) != nullptr) {
      // Out of the queue: own is directly behind home (R3).
      uptr next = own->next.load(std::memory_order_acquire);
      if (next == Element::nobody_yet) {
        home->next.store(Element::nobody_yet, std::memory_order_relaxed);   // before anybody can take our place there
        for (u64 word = W::load(header, Order::acquire); Element::of_header(word) == own;) {
          if (home->wait_set.get() == nullptr) {
            u64 displaced = home->displaced.load(std::memory_order_relaxed);
            u64 seen = W::cas(header, word, displaced, Order::release);   // R8
            if (seen == word) {
              put_home(thread, home);
              elements_.put(thread, own);
              return;
            }
            word = seen;
          } else {
            u64 seen = W::cas(header, word, home->header_word(word), Order::release);   // B2, R8
            if (seen == word) {
              elements_.put(thread, own);
              return;
            }
            word = seen;
          }
        }
        elements_.give_away(thread, own);
        if (own->next.compare_exchange_strong(next, Element::gone, std::memory_order_acq_rel, std::memory_order_acquire)) {
          leaving = nullptr;   // R6
        } else {
          elements_.adopt(thread, own);
        }
      }
      if (leaving != nullptr) {
        Element::of_link(next)->state.store(State::Heir, std::memory_order_release);
        home->next.store(next, std::memory_order_release);
      }
    }
    if (home == own) {
      elements_.give_away(thread, own);   // R2; taken back when nobody queues
      leaving = nullptr;
    }
    pass_on(thread, object, home);
    if (leaving != nullptr) elements_.put(thread, leaving);
  }

  // The holder's element is neither in the queue nor lent by the holder as home.
  void pass_on(Thread* thread, Reference object, Element* home) {
    u64 KEYHOLE_HEAP* header = W::header(object);
    u64 word = W::load(header, Order::acquire);
    for (;;) {
      u64 wanted;
      Element* heir = nullptr;
      bool hand_over = false;
      if (Element::of_header(word) == home) {
        wanted = home->wait_set.get() == nullptr ? home->displaced.load(std::memory_order_relaxed) : word & ~Flags::all;   // B2
      } else {
        // Null: it is about to link itself, and so roused.
        heir = Element::of_link(home->next.load(std::memory_order_acquire));
        hand_over = heir != nullptr && (word & Flags::impatient) != 0;
        wanted = hand_over ? word & ~(Flags::impatient | Flags::roused) : (word & ~Flags::held) | Flags::roused;   // R4
      }
      Thread* heir_thread = heir == nullptr ? nullptr : heir->lender.load(std::memory_order_relaxed);   // afterwards it may be gone
      u64 seen = W::cas(header, word, wanted, Order::acq_rel);   // R8
      if (seen != word) {
        word = seen;
        continue;
      }
      if ((wanted & layout::lock_mask) == layout::unlocked) {
        put_home(thread, home);
      } else if (hand_over) {
        W::count(thread, LockCounter::hand_overs);
        W::count(thread, LockCounter::unparks);
        heir->state.store(State::Held, std::memory_order_release);   // R8
        W::unpark(heir_thread);
      } else if (heir != nullptr && (word & Flags::roused) == 0) {
        W::count(thread, LockCounter::unparks);
        W::unpark(heir_thread);   // R1
      }
      return;
    }
  }

  void put_home(Thread* thread, Element* home) {
    if (home->lender.load(std::memory_order_relaxed) == nullptr) elements_.adopt(thread, home);
    elements_.put(thread, home);
  }

  // R2, R7; as known_displaced (E2).
  static Element* known_home(Element* element) {
    if (Element* home = element->home.load(std::memory_order_acquire)) return home;
    Element* before = element->previous.load(std::memory_order_acquire);
    if (before == nullptr) return nullptr;
    Element* theirs = known_home(before);
    Element* again = element->home.load(std::memory_order_acquire);
    return again != nullptr ? again : theirs;
  }

  template <typename Action> void with_body(Thread*, Reference object, Element* own, Action action) { action(home_of(object, own)); }

  // Of the holder.
  Element* home_of(Reference object, Element* own) {
    if (Element* home = own->home.load(std::memory_order_relaxed)) return home;
    return known_home(Element::of_header(W::load(W::header(object), Order::acquire)));
  }

  void append(Thread*, Reference object, Element* own, Element* waiter) {
    u64 KEYHOLE_HEAP* header = W::header(object);
    Element* home = home_of(object, own);
    waiter->home.store(home, std::memory_order_release);
    u64 word = W::load(header, Order::acquire);
    for (;;) {
      u64 seen = W::cas(header, word, waiter->header_word(word, word & Flags::all), Order::acq_rel);
      if (seen == word) break;
      word = seen;
    }
    Element* before = Element::of_header(word);   // says `gone` to nobody while the lock is held
    if (before == home) waiter->state.store(State::Heir, std::memory_order_release);   // asleep, not roused: the exit will wake it
    before->next.store(waiter->link(), std::memory_order_release);
  }
};

}  // namespace keyhole::sync
