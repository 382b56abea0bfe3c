// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A wrapper that restricts concurrency, after GCR (Dice & Kogan, "Avoiding Scalability Collapse by Restricting
// Concurrency", arXiv 1905.10818). A few threads get to the lock inside, here a ticket lock. The others wait aside,
// each at its own gate.
//
//   present      threads between arrive and depart; the first `active` of them are admitted
//   waiting      C --> B --> A: who is not admitted; pushed by anyone, taken by the owner alone
//
// Each owner that departs beside a waiting thread admits one: the newest, whose data is still in the caches, and which
// has not gone to sleep yet. Once in 1000 departures it admits the oldest.
#include <keyhole/lock.h>

template <typename W> struct Inside {
  KEYHOLE_CORE(W)
  struct Node {
    typename lab::Crowd<W>::Place place;
  };
  struct Held {
    u32 ticket;
  };
  Atomic<u32> next{0}, served{0};
  lab::Crowd<W> crowd;

  bool arrive(Thread*, Node&, Held& held) {
    held.ticket = next.fetch_add(1, relaxed);
    return served.load(acquire) == held.ticket;
  }
  void await(Thread* self, Node& mine, Held& held) {
    crowd.await(self, mine.place, served, [ticket = held.ticket](u32 seen) { return seen == ticket; });
  }
  void depart(Thread* self, Node&, Held& held) {
    served.store(held.ticket + 1, release);
    crowd.changed(self);
  }
};

template <typename W, template <typename> class Core> struct RestrictedOver {
  KEYHOLE_CORE(W)
  using Inner = Core<W>;
  struct Node {
    typename Inner::Node inner;
    lab::Gate<W> gate;
    Atomic<Node*> next{nullptr};
  };
  using Held = typename Inner::Held;
  static constexpr u32 departures_per_promotion = 1000;
  static constexpr uptr queues_inside = 3;  // the value of a gate whose thread was admitted at once

  Inner inner;
  const u32 active = lab::table_size<W>(4);  // fewer under the model checker, which has three or four threads
  Atomic<u32> present{0};
  Atomic<Node*> waiting{nullptr};
  Atomic<u32> departures{0};

  bool arrive(Thread* self, Node& mine, Held& held) {
    mine.gate.close();
    if (present.fetch_add(1, acq_rel) < active) {
      if (inner.arrive(self, mine.inner, held)) return true;
      mine.gate.open(self, queues_inside);
      return false;
    }
    Node* first = waiting.load(relaxed);
    for (;;) {
      mine.next.store(first, relaxed);
      if (waiting.cas(first, &mine, acq_rel)) return false;
      first = waiting.load(relaxed);
    }
  }
  void await(Thread* self, Node& mine, Held& held) {
    const bool arrives = uptr{mine.gate.await(self)} != queues_inside;
    if (arrives && inner.arrive(self, mine.inner, held)) return;
    inner.await(self, mine.inner, held);
  }
  void depart(Thread* self, Node& mine, Held& held) {
    // Whoever found all places taken is on the list, or about to be, and gets this thread's place.
    Node* admitted = present.fetch_sub(1, acq_rel) > active ? take() : nullptr;
    if (admitted != nullptr) admitted->gate.open(self);
    inner.depart(self, mine.inner, held);
  }
  bool is_free() const { return present.load(relaxed) == 0; }

 private:
  // Called by the owner, so the list has one taker.
  Node* take() {
    wait_briefly(waiting, [](Node* first) { return first != nullptr; });
    u32 count = departures.load(relaxed) + 1;
    departures.store(count, relaxed);
    if (count % departures_per_promotion == 0) {
      if (Node* oldest = take_oldest()) return oldest;
    }
    for (;;) {
      Node* first = waiting.load(acquire);
      if (waiting.cas(first, first->next.load(relaxed), acq_rel)) return first;
    }
  }
  // Null: the newest is the oldest.
  Node* take_oldest() {
    Node* before = nullptr;
    Node* node = waiting.load(acquire);
    while (Node* next = node->next.load(relaxed)) {
      before = node;
      node = next;
    }
    if (before != nullptr) before->next.store(nullptr, relaxed);
    return before != nullptr ? node : nullptr;
  }
};
template <typename W> using Restricted = RestrictedOver<W, Inside>;
KEYHOLE_LOCK(Restricted, .idea = "few threads get to the lock, the others wait aside",
             .fairness = "the newest first; the oldest once in 1000 times");
