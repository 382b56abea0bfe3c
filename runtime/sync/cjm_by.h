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
//     Who comes again at once, because it has the lock by impatience or is busy, wakes an heir before it lets go and not after: else the lock would
//     be free for as long as the system call lasts, and the heir would take it.
// R5: newcomers pass only when neither held nor impatient is set. So a thread is passed for the sum of its predecessors' patience at most.
//     Who has passed the lock on to an impatient heir has had its turn, and queues the next time, though the lock be free: then the heir is awake (R1).
// R6: a holder that leaves the queue at its end, while a successor has not linked itself, leaves `gone` and its element: the successor
//     makes itself heir, and adopts it. (As R4 and R5 of cjm_fifo.h.)
// R7: while the lock is held nobody leaves the queue but the holder: what it reads on the way from the tail to home stays.
// R8: the CAS that sets held (acquire), or the read of Held (acquire), pairs with the CAS that cleared it or the exchange to Held (release).
// R9: an heir takes what stays free. A lock that is free for moments only, between two holders, is saturated: it does its work without the
//     heir, who would only have the threads wait for cache lines and wake-ups. Then the heir naps for the rest of a turn (CjmByTurnMicros from the moment it
//     became heir), and is impatient afterwards: that is the longest a lock can be free beside an heir that sleeps, and only when it was saturated.
//     It needs so many looks to believe that a lock is free that it rarely takes a saturated one by chance: so whoever has that keeps it until R4, and
//     turns are equally long. Jain's index depends on it.
//     An heir that was roused by a busy holder (R4) need not look: it was told. One in six would see the lock free in all its looks, and end a turn
//     that has just begun.
// R10: -XX:CjmBySuccession=race is Fissile's form. The heir takes the lock as soon as it finds it free, so none is saturated; newcomers try once, then
//     queue, and nobody's turn is ever over.
// R11: who has roused an heir while it holds the lock yields. The kernel likes to put a thread on its waker's processor, other ones idle or not, and would have
//     it wait there for the end of the holder's time slice: ten times a turn. The heir runs for a moment only, to begin its nap.
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
  // R9. Found free by so many more looks: it stays free. One look more and a lock that is held half of the time is taken for free half as often.
  static constexpr u32 reads_between_looks_at_a_free_lock = 6;
  u32 looks_at_a_free_lock() const { return policy_.by_turns ? policy_.looks_at_a_free_lock : 0; }   // R10
  // A newcomer looks for some microseconds before it queues, because queueing costs more. Of a saturated lock two threads could take each other's turns so, all the
  // time; but who is busy, or has had its turn, does not look.
  static constexpr u32 reads_of_a_newcomer = 100;
  static constexpr i64 nap_in_a_race_nanoseconds = 62'500;   // R10: beside a lock that is held while the heir is roused

 private:
  static bool is_free(u64 word) { return (word & Flags::held) == 0; }
  // To newcomers (R5).
  static bool is_open(u64 word) {
    return (word & layout::lock_mask) == layout::unlocked || (word & (Flags::held | Flags::impatient)) == 0;
  }
  // As the heir leaves it when it has the lock.
  static u64 with_holder(u64 word) { return (word | Flags::held) & ~(Flags::roused | Flags::impatient); }

  void acquire(Thread* thread, Root root, Element* own) MAY_SAFEPOINT {
    Reference object = W::at(root);
    u64 KEYHOLE_HEAP* header = W::header(object);
    const bool busy = is_busy(own), had_turn = own->had_turn.get();
    own->had_turn.set(false);
    for (bool glanced = busy || had_turn || !policy_.by_turns || W::processors() < 2;;) {
      u64 word = W::load(header, Order::acquire);
      if ((word & layout::lock_mask) == layout::unlocked) {
        if (engage_free(thread, object, word, own, Flags::held)) return;
        continue;
      }
      if ((word & Flags::held) != 0 && !glanced) {
        glanced = true;
        bool free = glance(header);
        W::count(thread, free ? LockCounter::spins_won : LockCounter::spins_lost);
        continue;
      }
      Element* before = Element::of_header(word);
      if ((word & (Flags::held | Flags::impatient)) == 0 && !had_turn) {   // R5
        own->engage(State::Held, 0, nullptr);
        if (W::cas(header, word, word | Flags::held, Order::acq_rel) == word) {   // R8
          W::count(thread, LockCounter::bypasses);
          return;
        }
        continue;
      }
      own->engage(State::Queued, 0, before);
      own->is_saturated.store(false, std::memory_order_relaxed);
      if (W::cas(header, word, own->header_word(word, word & Flags::all), Order::acq_rel) != word) continue;
      link_behind(thread, before, own);
      break;
    }
    W::count(thread, LockCounter::contended_enters);
    thread->queued_element.store(own, std::memory_order_release);
    await_turn(thread, root, own);
    measure_from_now(own);
  }

  // Whether the thread does little else than lock: by the number of times its element was engaged since it was last measured (E3).
  bool is_busy(Element* own) {
    if (policy_.busy_nanoseconds == 0) return false;
    u32 version = static_cast<u32>(own->version.load(std::memory_order_relaxed));
    u32 visits = version - own->measured_version.get();
    if (visits >= visits_measured) {
      own->is_busy.set(W::now_nanoseconds() - own->measured_at_nanoseconds.get() < policy_.busy_nanoseconds * visits);
      measure_from_now(own);
    }
    return own->is_busy.get();
  }
  void measure_from_now(Element* own) {
    if (policy_.busy_nanoseconds == 0) return;
    own->measured_version.set(static_cast<u32>(own->version.load(std::memory_order_relaxed)));
    own->measured_at_nanoseconds.set(W::now_nanoseconds());
  }
  static constexpr u32 visits_measured = 64;

  // True when the lock has become free. Some microseconds at most.
  static bool glance(u64 KEYHOLE_HEAP* header) {
    return W::spin_until(header, [](u64 word) { return is_open(word) || (word & Flags::impatient) != 0; }, reads_of_a_newcomer) &&
           is_open(W::load(header, Order::acquire));
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

  void await_turn(Thread* thread, Root root, Element* own) MAY_SAFEPOINT {
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

  // The heir's part of R1, R4 and R9.
  void compete(Thread* thread, Root root, Element* own) MAY_SAFEPOINT {
    i64 begin = W::now_nanoseconds();
    i64 deadline = begin + policy_.impatience_nanoseconds;
    for (;;) {
      Look seen = own->is_saturated.load(std::memory_order_relaxed) ? Look::Saturated : look(thread, root, own);
      own->is_saturated.store(false, std::memory_order_relaxed);
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
        i64 nap = policy_.by_turns ? begin + policy_.turn_nanoseconds - W::now_nanoseconds() : nap_in_a_race_nanoseconds;
        if (nap < left) left = nap;
        if (left <= 0) break;
      }
      if (state_of(own) == State::Held) return;
      typename W::StatusScope status(thread, W::blocked_status);
      typename W::BlockedScope blocked(thread);
      W::count(thread, LockCounter::parks);
      W::park(thread, left);
    }
    // R4: has it passed on, or takes it. A saturated lock that happens to be free is not taken, because its holder would not know that its turn is over,
    // and would pass at once.
    u64 KEYHOLE_HEAP* header = W::header(W::at(root));
    for (u32 more = looks_at_a_free_lock(); more != 0 && is_free(W::load(header, Order::acquire)); --more)
      W::spin_until(own->state, [](State state) { return state == State::Held; }, reads_between_looks_at_a_free_lock);
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
      own->has_turn.set(policy_.by_turns);
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
        for (u32 more = looks_at_a_free_lock(); more != 0 && stays_free; --more) {
          if (W::spin_until(own->state, is_held, reads_between_looks_at_a_free_lock)) return Look::Ours;
          stays_free = is_free(W::load(header, Order::acquire));
        }
        if (!stays_free) {   // R9
          if (++taken_again == policy_.gaps_of_a_saturated_lock) return Look::Saturated;
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
    const bool comes_again = own->has_turn.get() || own->is_busy.get();
    own->has_turn.set(false);
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
    bool handed_over = pass_on(thread, object, home, comes_again);
    if (leaving == nullptr) return;
    own->had_turn.set(handed_over && policy_.by_turns);   // R5
    elements_.put(thread, own);
  }

  // R4. The lock is held, so the heir stays; from now on it parks for a limited time only (R1). The header as it is afterwards.
  u64 rouse(Thread* thread, u64 KEYHOLE_HEAP* header, Element* heir, u64 word) {
    Thread* heir_thread = heir->lender.load(std::memory_order_relaxed);
    heir->is_saturated.store(policy_.by_turns, std::memory_order_relaxed);   // R9
    u64 seen = W::cas(header, word, word | Flags::roused, Order::release);
    if (seen != word) return seen;
    W::count(thread, LockCounter::unparks);
    W::unpark(heir_thread);
    W::yield();   // R11
    return word | Flags::roused;
  }

  // The holder's element is neither in the queue nor lent by the holder as home. True: handed over to an impatient heir.
  bool pass_on(Thread* thread, Reference object, Element* home, bool comes_again) {
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
        if (comes_again && heir != nullptr && (word & (Flags::impatient | Flags::roused)) == 0) {
          word = rouse(thread, header, heir, word);
          continue;
        }
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
      return hand_over;
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
