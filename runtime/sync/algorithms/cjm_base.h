// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// CjmOf: the common part of the Compact Java Monitors: re-entry, wait sets, displaced headers with their hashes, and
// what the collector needs. The variants implement acquisition, hand-over and queueing (cjm_fifo.h, cjm_by.h,
// cjm_hybrid.h).
//
// Functions of a variant Self
//
//   acquire(thread, root, element)     may reach a safepoint. At the call the thread does not hold the object; at the
//                                      return `element` is Held
//   await_lock(thread, root, element)  may reach a safepoint. At the call `element` is queued; at the return it is Held
//   release(thread, object, element)   at the call `element` is Held, and no longer on the thread's held list. Passes
//                                      the lock on, or restores the header. Puts the element back, or gives it away
//   release_in_wait(thread, object, element)   as release(), for a thread that waits next. Optional; release() serves
//                                              variants that do not have it
//   with_body(thread, object, element, action)   calls action with the element that keeps wait set and displaced header
//                                                at this moment. The thread holds the lock
//   append(thread, object, element, waiter)   queues a notified waiter on behalf of its thread. `thread` holds the lock
//
// B1: only a thread's held list tells whether the thread holds an object; the header does not.
// B2: an object stays engaged (its header points at an element) while any thread waits on it. So the wait set is never
//     lost.
// B3: a waiter that was not notified re-enters like any other thread, through a second element. When it has the lock,
//     it takes its first element out of the wait set. It reserves the second element before it sleeps, so re-entering
//     cannot fail.
// B4: capture. To learn the displaced header of an object that another thread has locked, a thread reads it from the
//     element that the object's header points at:
//
//       word = header, tail = its element
//       v = tail.version
//       header still the same word?            then tail has been engaged with this object since before v was read
//       d = tail.displaced; if that is 0, the `displaced` of tail.previous, and so on (cjm_element.h E2). Each
//       `displaced` that was 0 is read again afterwards and must still be 0
//       tail.version still v?                  then all these reads were about this object: d is its header
//
//     If a check fails, the capture starts again: another thread has made progress. An element may leave the queue
//     while it is read. Memory of elements is type-stable, so such a read does no harm, and the checks reject its
//     value.
#pragma once

#include "runtime/sync/algorithms/cjm_element.h"
#include "runtime/sync/identity_hash.h"
#include "runtime/sync/monitor/quantum.h"
#include "runtime/sync/protocol.h"
#include "runtime/sync/sleep_in_wait.h"

namespace keyhole::sync {

struct CjmPolicy {
  // The number of times that a thread reads its own element, each with a PAUSE, before it parks. These reads take about
  // half as long as parking and waking up.
  u32 spin_reads = 500;
  // cjm-by.
  QuantumSettings quantum;
  // For cjm-hybrid: whether the tail element has the inner lock; otherwise an array has it.
  bool inner_lock_in_tail = false;
};

template <typename W, typename Self> class CjmOf {
 public:
  using Thread = typename W::Thread;
  using Reference = typename W::Reference;
  using Root = typename W::Root;
  using LockRecord = typename W::LockRecord;
  using Element = CjmElementOf<W>;
  using State = typename Element::State;

  void initialize(const CjmPolicy& policy) { policy_ = policy; }

  Status enter(Thread* thread, Root root, LockRecord*) MAY_SAFEPOINT {
    W::count(thread, LockCounter::slow_enters);
    Reference object = W::at(root);
    if (Element* own = elements_.find_held(thread, object)) {  // B1
      own->levels.set(own->levels.get() + 1);
      return Status::Done;
    }
    Element* own = elements_.take(thread, object);
    if (own == nullptr) return Status::OutOfMemory;
    self().acquire(thread, root, own);
    now_held(thread, own, 1);
    return Status::Done;
  }

  Status exit(Thread* thread, Reference object, LockRecord*) {
    W::count(thread, LockCounter::slow_exits);
    Element* own = elements_.find_held(thread, object);
    if (own == nullptr) return Status::NotOwner;
    if (u32 levels = own->levels.get(); levels > 1) {
      own->levels.set(levels - 1);
      return Status::Done;
    }
    elements_.remove_held(thread, own);
    self().release(thread, object, own);
    return Status::Done;
  }

  Status wait(Thread* thread, Root root, i64 nanoseconds) MAY_SAFEPOINT {
    Reference object = W::at(root);
    Element* own = elements_.find_held(thread, object);
    if (own == nullptr) return Status::NotOwner;
    if (W::take_interrupt(thread)) return Status::Interrupted;
    Element* waiter = elements_.take(thread, object);
    Element* reserve = waiter == nullptr ? nullptr : elements_.take(thread, object);  // B3
    if (reserve == nullptr) {
      if (waiter != nullptr) elements_.put(thread, waiter);
      return Status::OutOfMemory;
    }
    // The thread takes no element between this put() and its re-entry after the wait. So `reserve` stays in the
    // thread's free list, and the re-entry finds an element there.
    elements_.put(thread, reserve);

    u32 levels = own->levels.get();
    self().with_body(thread, object, own, [&](Element* body) {
      waiter->engage(State::Waiting, body->displaced.load(std::memory_order_relaxed), nullptr);
      body->append_waiter(waiter);
      W::note(thread, picture::change(picture::Step::waits), thread->id);
    });
    elements_.remove_held(thread, own);
    thread->queued_element.store(waiter, std::memory_order_release);
    Element* back = waiter;
    bool notified;
    {
      typename W::StatusScope status(thread, nanoseconds == forever ? W::waiting_status : W::timed_waiting_status);
      // This thread is still managed, so the successor's Thread cannot be reused before the unpark.
      self().release_in_wait(thread, object, own);
      {
        typename W::BlockedScope blocked(thread);
        sleep_in_wait<W>(thread, nanoseconds, [&] { return state_of(waiter) == State::Waiting; });
        State waiting = State::Waiting;
        // cjm_element.h E4
        notified = !waiter->state.compare_exchange_strong(waiting, State::Leaving, std::memory_order_acq_rel);
      }
      if (notified) {
        self().await_lock(thread, root, waiter);
      } else {
        // The thread was not notified, so its Java status still says WAITING. The status can change only now, because
        // the thread is managed again.
        W::set_status(thread, W::blocked_status);
        thread->queued_element.store(nullptr, std::memory_order_release);
        // From now on collectors do not visit the waiter's element.
        waiter->object.store(nullptr, std::memory_order_relaxed);
        back = elements_.take(thread, W::at(root));  // B3
        KEYHOLE_ASSERT(back != nullptr, "the reserved element is gone");
        self().acquire(thread, root, back);
        if (waiter->wait_next.get() != nullptr)
          self().with_body(thread, W::at(root), back, [&](Element* body) {
            body->remove_waiter(waiter);
            W::note(thread, picture::change(picture::Step::left_waiters), thread->id);
          });
        elements_.put(thread, waiter);
      }
    }
    now_held(thread, back, levels);
    return !notified && W::take_interrupt(thread) ? Status::Interrupted : Status::Done;
  }

  Status notify(Thread* thread, Reference object, bool all) {
    Element* own = elements_.find_held(thread, object);
    if (own == nullptr) return Status::NotOwner;
    do {
      Element* waiter = nullptr;
      self().with_body(thread, object, own, [&](Element* body) { waiter = body->notify_first(thread); });
      if (waiter == nullptr) break;
      self().append(thread, object, own, waiter);
    } while (all);
    return Status::Done;
  }

  u32 identity_hash(Thread* thread, Reference object) {
    u64 KEYHOLE_HEAP* header = W::header(object);
    for (;;) {
      u64 word = W::load(header, Order::acquire);
      if ((word & layout::lock_mask) != layout::unlocked) {
        Element* own = elements_.find_held(thread, object);
        u64 displaced = own != nullptr ? own->displaced.load(std::memory_order_relaxed) : 0;
        if (displaced == 0) displaced = capture(thread, object);
        // If the object was free for a moment and had no hash, the captured header has no hash, either.
        if (u32 hash = layout::hash_of(displaced)) return hash;
        continue;
      }
      if (u32 hash = layout::hash_of(word)) return hash;
      u32 fresh = next_identity_hash(thread);
      if (W::cas(header, word, layout::with_hash(word, fresh), Order::acq_rel) == word) {
        W::note_of(object, picture::hash_made(), thread->id);
        return fresh;
      }
    }
  }

  bool holds(Thread* thread, Reference object) const { return elements_.find_held(thread, object) != nullptr; }

  Thread* owner(Reference object) const {
    Thread* found = nullptr;
    W::for_each_thread([&](Thread* thread) {
      if (elements_.find_held(thread, object) != nullptr) found = thread;
      // If a queued element is Held, the lock was handed to its thread, and the thread has not run since.
      Element* queued = queued_of(thread);
      if (queued != nullptr && queued->object.load(std::memory_order_relaxed) == object &&
          state_of(queued) == State::Held)
        found = thread;
    });
    return found;
  }

  template <typename Forward> void update_references(Forward forward) {
    elements_.for_each_lent_in_collection([&](Thread*, Element* element) {
      Reference object = element->object.load(std::memory_order_relaxed);
      if (object != nullptr) element->object.store(forward(object), std::memory_order_relaxed);
    });
  }
  u64 displaced_header(Reference object) const {
    return known_displaced(Element::of_header(W::load(W::header(object), Order::acquire)));
  }
  u32 in_use() const { return elements_.lent() + elements_.given_away(); }

  // Called for thread dumps, with the world stopped.
  Reference blocked_on(const Thread* thread) const {
    return object_of(thread, State::Queued, State::Asleep, State::Successor);
  }
  Reference waiting_on(const Thread* thread) const {
    return object_of(thread, State::Waiting, State::Leaving, State::Leaving);
  }

  void thread_exits(Thread* thread) { elements_.thread_exits(thread); }
  void drain() { elements_.drain(); }

 protected:
  Self& self() { return static_cast<Self&>(*this); }
  void release_in_wait(Thread* thread, Reference object, Element* own) { self().release(thread, object, own); }
  static State state_of(const Element* element) { return element->state.load(std::memory_order_acquire); }
  static Element* queued_of(const Thread* thread) {
    return static_cast<Element*>(thread->queued_element.load(std::memory_order_acquire));
  }

  void now_held(Thread* thread, Element* own, u32 levels) {
    if (thread->queued_element.load(std::memory_order_relaxed) != nullptr)
      thread->queued_element.store(nullptr, std::memory_order_release);
    own->levels.set(levels);
    elements_.push_held(thread, own);
  }

  // Tries to lock a free object: CAS of its header from 01 to `own`. `displaced` keeps the old header; if that header
  // has no hash, `displaced` gets a new hash (cjm_element.h E1). Returns false if another thread was quicker.
  bool engage_free(Thread* thread, Reference object, u64 word, Element* own, u64 flags = 0) {
    u64 displaced = layout::hash_of(word) != 0 ? word : layout::with_hash(word, next_identity_hash(thread));
    own->engage(State::Held, displaced, nullptr);
    own->home.store(own, std::memory_order_relaxed);
    u64 engaged = own->header_word(word, flags);
    if (W::cas(W::header(object), word, engaged, Order::acq_rel) != word) return false;
    W::note(thread, picture::change(picture::Step::took, picture::rule(1), Self::header_state(engaged)), thread->id);
    if (layout::hash_of(word) == 0) W::note_of(object, picture::hash_made(), thread->id);  // cjm_element.h E1
    return true;
  }

  // Returns the displaced header that `element` has, or will get from its predecessors (cjm_element.h E2). The caller
  // ensures that `element` cannot leave the queue meanwhile, or detects afterwards that it has left (B4).
  static u64 known_displaced(const Element* element) {
    if (u64 displaced = element->displaced.load(std::memory_order_acquire)) return displaced;
    const Element* before = element->previous.load(std::memory_order_acquire);
    if (before == nullptr) return 0;
    u64 theirs = known_displaced(before);
    u64 again = element->displaced.load(std::memory_order_acquire);
    return again != 0 ? again : theirs;
  }

  // Returns the header that the object would have if it were not locked: reads that header in place, or captures it
  // (B4).
  u64 capture(Thread* thread, Reference object) const {
    u64 KEYHOLE_HEAP* header = W::header(object);
    W::count(thread, LockCounter::chases);
    for (;;) {
      u64 word = W::load(header, Order::acquire);
      if ((word & layout::lock_mask) == layout::unlocked) return word;
      const Element* tail = Element::of_header(word);
      u64 version = tail->version.load(std::memory_order_acquire);
      if (W::load(header, Order::acquire) != word) continue;
      u64 displaced = known_displaced(tail);
      if (displaced != 0 && tail->version.load(std::memory_order_acquire) == version) return displaced;
    }
  }

  // Spins on the element's `state` until over(state) is true; then returns true. Returns false if that takes too long,
  // or a safepoint is pending.
  template <typename Over> bool spin(Thread* thread, Element* own, Over over) {
    if (W::processors() < 2) return false;
    constexpr u32 reads_between_polls = 64;
    for (u32 left = policy_.spin_reads; left != 0;) {
      u32 reads = left < reads_between_polls ? left : reads_between_polls;
      if (W::spin_until(own->state, over, reads)) {
        W::count(thread, LockCounter::spins_won);
        return true;
      }
      left -= reads;
      if (W::safepoint_pending(thread)) break;
    }
    W::count(thread, LockCounter::spins_lost);
    return false;
  }

  // Waits as a queued thread, in the variants with direct hand-over: spins on its own element only, then sets Asleep
  // and parks.
  void await_hand_over(Thread* thread, Element* own) MAY_SAFEPOINT {
    auto is_held = [](State state) { return state == State::Held; };
    State seen = state_of(own);
    if (is_held(seen)) return;
    if (seen == State::Queued) {
      if (spin(thread, own, is_held)) return;
      if (!own->state.compare_exchange_strong(seen, State::Asleep, std::memory_order_acq_rel,
                                              std::memory_order_acquire))
        return;
    }
    typename W::StatusScope status(thread, W::blocked_status);
    typename W::BlockedScope blocked(thread);
    while (!is_held(state_of(own))) {
      W::count(thread, LockCounter::parks);
      W::park(thread, forever);
    }
  }
  // Hands the lock to the thread of `successor`, an element that may be gone afterwards.
  void hand_over(Thread* thread, Element* successor) {
    Thread* successor_thread = successor->lender.load(std::memory_order_relaxed);
    W::count(thread, LockCounter::hand_overs);
    // release: a thread that reads Held sees all writes of the critical section, and what this thread has copied to the
    // successor's element (displaced header, wait set).
    const u64 moment = W::moment(), successor_id = successor_thread->id;
    State before = successor->state.exchange(State::Held, std::memory_order_acq_rel);
    W::note(thread, picture::change(picture::Step::given_from_queue, picture::rule(4)), successor_id, moment);
    if (before != State::Asleep) return;
    W::count(thread, LockCounter::unparks);
    W::unpark(successor_thread);
  }

  LockElementsOf<W, Element> elements_;
  CjmPolicy policy_;

 private:
  Reference object_of(const Thread* thread, State one, State other, State third) const {
    Element* queued = queued_of(thread);
    if (queued == nullptr) return nullptr;
    State state = state_of(queued);
    return state == one || state == other || state == third ? queued->object.load(std::memory_order_relaxed) : nullptr;
  }
};

}  // namespace keyhole::sync
